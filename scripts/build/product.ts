/** One build product: made on first use, and again after one of its sources has changed. */

export interface Made<T> {
  value: T;
  /** Absolute paths of the files it was made from; a path that ends in "/" stands for all below it. */
  sources: readonly string[];
}

export class Product<T> {
  #make: () => Promise<Made<T>>;
  #made: Promise<Made<T>> | undefined;
  #sources: readonly string[] | undefined;

  constructor(make: () => Promise<Made<T>>) {
    this.#make = make;
  }

  async get(): Promise<T> {
    this.#made ??= this.#start();
    return (await this.#made).value;
  }

  /** Forgets the product if `file` is one of its sources; says whether it was. */
  drop(file: string): boolean {
    if (this.#made === undefined || !this.#madeFrom(file)) return false;
    this.#made = undefined;
    return true;
  }

  async #start(): Promise<Made<T>> {
    this.#sources = undefined;
    const made = await this.#make();
    this.#sources = made.sources;
    return made;
  }

  // A product that failed to build (or is being built) has no known sources: any change may fix it.
  #madeFrom(file: string): boolean {
    if (this.#sources === undefined) return true;
    return this.#sources.some((source) =>
      source.endsWith('/') ? file.startsWith(source) : file === source,
    );
  }
}
