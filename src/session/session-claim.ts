/** Which page writes a session: one at a time, and another may take it over. */

import type { SessionMessage } from '../protocol/session-pages.ts';

/** Resolves when another page can have it. Never rejects. */
export type GiveBack = () => Promise<void>;

/** This page among all that are open. */
export interface SessionPages {
  /**
   * Makes this page the one that writes a session.
   *
   * @param steal whoever does until now
   * @param onLost told when another page has taken it
   * @returns what gives it back, and tells when it is free; null: another page writes it, and goes on. Never rejects
   */
  take(session: string, steal: boolean, onLost: () => void): Promise<GiveBack | null>;
  /** False: pages do not know of each other, and each writes. */
  readonly exclusive: boolean;
  /** To all other pages. */
  send(message: SessionMessage): void;
  /** @returns dispose */
  observe(listener: (message: SessionMessage) => void): () => void;
}

export class SessionClaim {
  readonly #pages: Pick<SessionPages, 'take'>;
  readonly #session: string;
  readonly #onLost: () => void;
  #giveBack: GiveBack | null = null;
  #taking: Promise<boolean> = Promise.resolve(false);
  readonly #life = new AbortController();

  /** @param onLost told when another page has taken the session from this one */
  constructor(pages: Pick<SessionPages, 'take'>, session: string, onLost: () => void) {
    this.#pages = pages;
    this.#session = session;
    this.#onLost = onLost;
  }

  get held(): boolean {
    return this.#giveBack !== null;
  }

  /** @returns whether this page has it now. Never rejects */
  take(steal: boolean): Promise<boolean> {
    // One after the other: this page must not take itself for another one.
    return (this.#taking = this.#taking.then(() => this.#take(steal)));
  }

  /** For good. Resolves when another one can have it. */
  async close(): Promise<void> {
    this.#life.abort();
    const giveBack = this.#giveBack;
    this.#giveBack = null;
    await giveBack?.();
  }

  async #take(steal: boolean): Promise<boolean> {
    const isClosed = (): boolean => this.#life.signal.aborted;
    if (this.held || isClosed()) return this.held;
    const lost = new AbortController();
    const giveBack = await this.#pages.take(this.#session, steal, () => {
      lost.abort();
      if (!this.held) return;
      this.#giveBack = null;
      this.#onLost();
    });
    // It may have been lost, or closed, before this page could know that it had it.
    if (!lost.signal.aborted) this.#giveBack = giveBack;
    if (isClosed()) await this.close();
    return this.held;
  }
}
