/** The sessions that may call tools in this page; each has Python state of its own until it is closed. */

export class OpenSessions {
  /** What each may call; null: everything. */
  readonly #open = new Map<string, ReadonlySet<string> | null>();
  readonly #onClose: (id: string) => void;

  /** @param onClose told of a session that is over */
  constructor(onClose: (id: string) => void) {
    this.#onClose = onClose;
  }

  /**
   * From here on calls may name it.
   *
   * @param id not empty: that names the calls without a session
   * @param selection names of the tools that it may call; null: all
   */
  open(id: string, selection: ReadonlySet<string> | null = null): void {
    if (id !== '') this.#open.set(id, selection);
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Without a session, all tools are selected. */
  isSelected(id: string, tool: string): boolean {
    if (id === '') return true;
    const selection = this.#open.get(id);
    return selection === null || selection?.has(tool) === true;
  }

  /** Ends its calls, and forgets its Python state. */
  close(id: string): void {
    if (this.#open.delete(id)) this.#onClose(id);
  }
}
