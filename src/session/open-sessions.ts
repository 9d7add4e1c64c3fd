/** The sessions that may call tools in this page; each has Python state of its own until it is closed. */

export interface SessionRights {
  /** It may call the tool. */
  isSelected(tool: string): boolean;
  /** The person has allowed the tool for the rest of the session. */
  isAllowed(tool: string): boolean;
  /** Ends the turn that is under way, and with it all that its calls ask. */
  stopTurn?(): void;
}

const everything: SessionRights = { isSelected: () => true, isAllowed: () => false };

export class OpenSessions {
  readonly #open = new Map<string, SessionRights>();
  readonly #onClose: (id: string) => void;

  /** @param onClose told of a session that is over */
  constructor(onClose: (id: string) => void) {
    this.#onClose = onClose;
  }

  /**
   * From here on calls may name it.
   *
   * @param id not empty: that names the calls without a session
   */
  open(id: string, rights = everything): void {
    if (id !== '') this.#open.set(id, rights);
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Without a session, all tools are selected. */
  isSelected(id: string, tool: string): boolean {
    return id === '' || this.#open.get(id)?.isSelected(tool) === true;
  }

  isAllowed(id: string, tool: string): boolean {
    return this.#open.get(id)?.isAllowed(tool) === true;
  }

  /** Ends the turn that is under way in it. */
  stopTurn(id: string): void {
    this.#open.get(id)?.stopTurn?.();
  }

  /** Ends its calls, and forgets its Python state. */
  close(id: string): void {
    if (this.#open.delete(id)) this.#onClose(id);
  }
}
