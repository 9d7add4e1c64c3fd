/** The sessions that may call tools in this page; each has Python state of its own until it is closed. */

export class OpenSessions {
  readonly #ids = new Set<string>();
  readonly #onClose: (id: string) => void;

  /** @param onClose told of a session that is over */
  constructor(onClose: (id: string) => void) {
    this.#onClose = onClose;
  }

  /** From here on calls may name it. @param id not empty: that names the calls without a session */
  open(id: string): void {
    if (id !== '') this.#ids.add(id);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Ends its calls, and forgets its Python state. */
  close(id: string): void {
    if (this.#ids.delete(id)) this.#onClose(id);
  }
}
