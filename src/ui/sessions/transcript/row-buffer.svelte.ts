/** How far out of view rows are drawn: not at all in the first picture and after a jump, whose frame is full without. */

/** Pixels. */
const usual = 200;
/** After which a jump is over; milliseconds. */
const restMs = 150;

export class RowBuffer {
  #pixels: number = $state(0);
  #offset = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#fillSoon();
  }

  get pixels(): number {
    return this.#pixels;
  }

  /** @param offset where the view begins now, and @param height what it shows; pixels */
  scrolled(offset: number, height: number): void {
    const by = Math.abs(offset - this.#offset);
    this.#offset = offset;
    if (by < height / 2) return;
    this.#pixels = 0;
    this.#fillSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #fillSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#pixels = usual), restMs);
  }
}
