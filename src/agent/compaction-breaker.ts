/** Turns compaction off for ten minutes after three failures in a row, since each attempt costs a request. */

const maxFailures = 3;
const cooldownMs = 10 * 60_000;

export class CompactionBreaker {
  #failures = 0;
  #offUntil = 0;
  /** A summary was made, and the provider has not yet counted the shorter context. */
  #isUnproven = false;

  isOff(now: number): boolean {
    return now < this.#offUntil;
  }

  succeeded(): void {
    this.#isUnproven = true;
  }

  /**
   * Judges the latest summary by the provider's next token count.
   *
   * @param isFull whether the context is still too long
   */
  counted(isFull: boolean, now: number): void {
    if (!this.#isUnproven) return;
    this.#isUnproven = false;
    if (isFull) this.failed(now);
    else this.#failures = 0;
  }

  failed(now: number): void {
    this.#failures += 1;
    if (this.#failures < maxFailures) return;
    this.#failures = 0;
    this.#offUntil = now + cooldownMs;
  }
}
