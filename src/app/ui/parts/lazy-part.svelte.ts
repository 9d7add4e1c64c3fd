/** A part of the page that is loaded after the first paint. */

export class LazyPart<Part> {
  readonly #load: () => Promise<Part>;
  /** The part; null until it is loaded. */
  part: Part | null = $state.raw(null);
  failed: boolean = $state(false);
  #loading: Promise<void> | null = null;

  constructor(load: () => Promise<Part>) {
    this.#load = load;
  }

  /** Loads the part once; can be called again after a failure. */
  start(): Promise<void> {
    this.failed = false;
    return (this.#loading ??= this.#load().then(
      (part) => void (this.part = part),
      () => {
        // The network is unavailable, or a new version has replaced the file; the page shows this.
        this.failed = true;
        this.#loading = null;
      },
    ));
  }
}
