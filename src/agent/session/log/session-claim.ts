/** The claim to write a session. One tab holds it at a time; another one can take it over. */

import type { TakeOptions } from '../../../runtime/async/take-lock.ts';
import type { SessionMessage } from '../../../runtime/protocol/session-pages.ts';

/** Releases a claim. Resolves when another tab can take it. Never rejects. */
export type ReleaseClaim = () => Promise<void>;

/** Coordinates this tab with all other open tabs. */
export interface SessionPages {
  /**
   * Claims a session for this tab.
   *
   * @returns a function that releases the claim; null if another tab has it. Never rejects
   */
  take(session: string, options?: TakeOptions): Promise<ReleaseClaim | null>;
  /** False if tabs cannot exclude each other; then every tab writes. */
  readonly exclusive: boolean;
  /** Sends a message to all other tabs. */
  send(message: SessionMessage): void;
  /** @returns dispose */
  observe(listener: (message: SessionMessage) => void): () => void;
}

export class SessionClaim {
  readonly #pages: Pick<SessionPages, 'take'>;
  readonly #session: string;
  readonly #onLost: () => void;
  #release: ReleaseClaim | null = null;
  #taking: Promise<boolean> = Promise.resolve(false);
  readonly #closed = new AbortController();

  /** @param onLost called when another tab has taken the session */
  constructor(pages: Pick<SessionPages, 'take'>, session: string, onLost: () => void) {
    this.#pages = pages;
    this.#session = session;
    this.#onLost = onLost;
  }

  get held(): boolean {
    return this.#release !== null;
  }

  /**
   * @param steal whether to take the session from the tab that has it
   * @returns whether this tab now has the claim. Never rejects
   */
  take({ steal = false }: Pick<TakeOptions, 'steal'> = {}): Promise<boolean> {
    // Attempts run one at a time, so that this tab does not compete with itself.
    return (this.#taking = this.#taking.then(() => this.#take(steal)));
  }

  /** Releases the claim for good. Resolves when another tab can take it. */
  async close(): Promise<void> {
    this.#closed.abort();
    const release = this.#release;
    this.#release = null;
    await release?.();
  }

  async #take(steal: boolean): Promise<boolean> {
    const isClosed = (): boolean => this.#closed.signal.aborted;
    if (this.held || isClosed()) return this.held;
    const lost = new AbortController();
    const onLost = (): void => {
      lost.abort();
      if (!this.held) return;
      this.#release = null;
      this.#onLost();
    };
    const release = await this.#pages.take(this.#session, { steal, onLost });
    // The claim may have been lost, or closed, while it was being taken.
    if (!lost.signal.aborted) this.#release = release;
    if (isClosed()) await this.close();
    return this.held;
  }
}
