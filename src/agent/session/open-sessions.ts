/** The sessions of this page that may call tools. Each has its own Python state until it is closed. */

export interface SessionRights {
  /** Whether the session may call the tool. */
  isSelected(tool: string): boolean;
  /** Whether the user has allowed the tool for the rest of the session. */
  isAllowed(tool: string): boolean;
  /** The task of a plan that the session is for; absent in other sessions. */
  readonly task?: { readonly run: string; readonly title: string };
  /** Whether permissions for tools of the open folder apply to the session. */
  hasFolder?(): boolean;
  /** Stops the running turn, and cancels the approval questions of its calls. */
  stopTurn?(): void;
  /** Whether a turn is running. */
  isWorking?(): boolean;
}

/** Every tool may be called; those that require approval only if the user approves each call. */
const everything: SessionRights = { isSelected: () => true, isAllowed: () => false };

export class OpenSessions {
  readonly #open = new Map<string, SessionRights>();
  /** Tools that the user has allowed for the rest of a run, by its id. */
  readonly #allowedInRuns = new Map<string, Set<string>>();
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
    const rights = this.#open.get(id);
    if (rights === undefined) return false;
    if (rights.isAllowed(tool)) return true;
    const run = rights.task?.run ?? '';
    return rights.hasFolder?.() === true && this.#allowedInRuns.get(run)?.has(tool) === true;
  }

  /** The task of a plan that the session is for. */
  taskOf(id: string): { readonly run: string; readonly title: string } | null {
    return this.#open.get(id)?.task ?? null;
  }

  /** Allows a tool for all sub-agents of a run, until the page is closed. */
  allowInRun(run: string, tool: string): void {
    if (run === '') return;
    const allowed = this.#allowedInRuns.get(run) ?? new Set();
    this.#allowedInRuns.set(run, allowed.add(tool));
  }

  /** Whether a turn of any session is running, also one of a plan. */
  get areWorking(): boolean {
    for (const rights of this.#open.values()) if (rights.isWorking?.() === true) return true;
    return false;
  }

  stopTurn(id: string): void {
    this.#open.get(id)?.stopTurn?.();
  }

  /** Ends the session's calls, and discards its Python state. */
  close(id: string): void {
    if (this.#open.delete(id)) this.#onClose(id);
  }
}
