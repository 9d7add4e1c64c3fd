/** Adds up what drawing an image costs, within limits. */

/**
 * Limits of an image that is drawn unasked. Each alone is about 50 ms of the page's thread, or of the threads
 * that paint; of several, the parts are added up. Measured in Chromium: 25 µs of the page’s thread for a shape, 10 µs for a character, 1.5 µs for a point.
 */
const limits = {
  /** Elements in the file, and once more for each copy that is drawn of them. */
  shapes: 2_000,
  /** Ends of lines and curves. */
  points: 20_000,
  characters: 5_000,
  /** Areas painted on top of each other, each as large as the image. */
  layers: 500,
  /** Lengths of all outlines together, each as long as the image. */
  outlines: 4_000,
  dashes: 20_000,
  /** Selectors of style sheets, times elements. */
  matches: 200_000,
  /** Pixels of raster images, all frames together. */
  pixels: 25_000_000,
} as const;

export type Counted = keyof typeof limits;

/** The end of a sentence that begins with "the image". */
const phrases: Readonly<Record<Counted, (limit: string) => string>> = {
  shapes: (limit) => `expands to more than ${limit} shapes`,
  points: (limit) => `has more than ${limit} points`,
  characters: (limit) => `has more than ${limit} characters of text`,
  layers: (limit) => `paints its area more than ${limit} times`,
  outlines: (limit) => `has outlines more than ${limit} times its own size`,
  dashes: (limit) => `has more than ${limit} dashes`,
  matches: (limit) => `applies selectors to elements more than ${limit} times`,
  pixels: (limit) => `has more than ${limit} pixels in all frames`,
};

const nouns: Readonly<Record<Counted, string>> = {
  shapes: 'shapes',
  points: 'points',
  characters: 'characters',
  layers: 'painted layers',
  outlines: 'outlines of its own size',
  dashes: 'dashes',
  matches: 'selectors that apply',
  pixels: 'pixels',
};

/** Factor by which an image that is drawn on request may exceed these limits. */
const maxOnRequest = 8;

/** Rejects an image that is not drawn at all. The message completes "Not shown: ". */
export class NotDrawable extends Error {}

/** Adds up what an image costs, and throws as soon as that is too much to draw it even on request. */
export class Cost {
  readonly #counts = new Map<Counted, number>();
  #total = 0;

  /** The share of the limits; an image above 1 is not drawn unasked. */
  get total(): number {
    return this.#total;
  }

  /** @throws {NotDrawable} */
  add(what: Counted, count: number): void {
    // A count that is not a number must not pass as none.
    const added = count >= 0 ? count : Infinity;
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + added);
    this.#total += added / limits[what];
    if (this.#total > maxOnRequest) throw new NotDrawable(this.reason(maxOnRequest));
  }

  /** The limit that the image exceeds, or else the one it uses most of. */
  reason(times = 1): string {
    const shares = [...this.#counts].map(([what, count]) => ({ what, part: count / limits[what] }));
    const { what, part } = shares.reduce((max, one) => (one.part > max.part ? one : max), {
      what: 'shapes',
      part: 0,
    });
    const limit = (limits[what] * times).toLocaleString('en');
    return part > times
      ? `it ${phrases[what](limit)}`
      : `it takes more to draw than ${limit} ${nouns[what]}`;
  }
}
