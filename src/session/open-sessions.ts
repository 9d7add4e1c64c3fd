/** The sessions of this page that may call tools. Each has its own Python state until it is closed. */

export interface SessionRights {
  /** Whether the session may call the tool. */
  isSelected(tool: string): boolean;
  /** Whether the user has allowed the tool for the rest of the session. */
  isAllowed(tool: string): boolean;
  /** Stops the running turn, and cancels the approval questions of its calls. */
  stopTurn?(): void;
}

const everything: SessionRights = { isSelected: () => true, isAllowed: () => false };

export class OpenSessions {
  readonly #open = new Map<string, SessionRights>();
  readonly #onClose: (id: string) => void;

  /** @param onClose called with the id of a session that was closed */
  constructor(onClose: (id: string) => void) {
    this.#onClose = onClose;
  }

  /**
   * Allows calls in the name of the session.
   *
   * @param id not empty, since an empty id stands for calls without a session
   */
  open(id: string, rights = everything): void {
    if (id !== '') this.#open.set(id, rights);
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Calls without a session may use all tools. */
  isSelected(id: string, tool: string): boolean {
    return id === '' || this.#open.get(id)?.isSelected(tool) === true;
  }

  isAllowed(id: string, tool: string): boolean {
    return this.#open.get(id)?.isAllowed(tool) === true;
  }

  stopTurn(id: string): void {
    this.#open.get(id)?.stopTurn?.();
  }

  /** Ends the session's calls, and discards its Python state. */
  close(id: string): void {
    if (this.#open.delete(id)) this.#onClose(id);
  }
}
