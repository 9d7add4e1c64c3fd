/**
 * Interrupts Python soon after its interpreter was ended. Chromium lets a worker that does not return to its event loop run on
 * for two seconds. During that time, an endless loop would occupy a core that the next call needs.
 */

import type { PyodideAPI } from 'pyodide';

/** Time that Python may run between two checks; milliseconds. A check takes about one. */
const lookMs = 100;
/** Milliseconds between a failed check, which may have had another cause, and the next one. */
const lookAgainMs = 20;
const interrupt = 2;

/** Python reads its pending signal from here, about every fifty loops or calls, and writes 0 afterwards. */
type InterruptBuffer = Parameters<PyodideAPI['setInterruptBuffer']>[0];

export class OrphanWatch {
  readonly #load: (alive: string) => void;
  readonly #now = performance.now.bind(performance);
  readonly #alive: string;
  #failures = 0;
  #next = 0;

  /**
   * @param alive address of an empty script that the broker has made. It can no longer be loaded once the broker has ended, which a
   * busy worker has no other way to learn
   * @param load `importScripts`
   */
  constructor(alive: string, load: (alive: string) => void) {
    this.#alive = alive;
    this.#load = load;
  }

  /** Lets Python ask here for a pending signal. */
  watch(pyodide: Pick<PyodideAPI, 'setInterruptBuffer'>): void {
    const pending = Object.defineProperty({}, 0, {
      get: () => this.#signal(),
      set: () => undefined,
    });
    pyodide.setInterruptBuffer(pending as InterruptBuffer);
  }

  /** Call it for each message: a worker that has just returned to its event loop needs no check. */
  rest(): void {
    this.#next = this.#now() + lookMs;
  }

  /** Returns `interrupt` if the broker has ended, else 0. */
  #signal(): number {
    if (this.#now() < this.#next) return 0;
    try {
      this.#load(this.#alive);
      this.#failures = 0;
    } catch {
      this.#failures += 1;
    }
    this.#next = this.#now() + (this.#failures === 0 ? lookMs : lookAgainMs);
    return this.#failures > 1 ? interrupt : 0;
  }
}
