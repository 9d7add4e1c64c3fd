/** Plays the steps of a recorded session one after another, until it is paused or has ended. */

export class Playback {
  readonly #pauses: readonly number[];
  /** Number of steps that are shown. */
  step: number = $state(0);
  isPlaying: boolean = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param pauses milliseconds before each step */
  constructor(pauses: readonly number[]) {
    this.#pauses = pauses;
  }

  get hasEnded(): boolean {
    return this.step === this.#pauses.length;
  }

  /** Continues, or starts again after the end. */
  play(): void {
    if (this.hasEnded) this.step = 0;
    this.isPlaying = true;
    this.#next();
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.isPlaying = false;
  }

  /** Shows everything at once. */
  finish(): void {
    this.pause();
    this.step = this.#pauses.length;
  }

  #next(): void {
    const pause = this.#pauses[this.step];
    if (pause === undefined) {
      this.isPlaying = false;
      return;
    }
    this.#timer = setTimeout(() => {
      this.step += 1;
      this.#next();
    }, pause);
  }
}
