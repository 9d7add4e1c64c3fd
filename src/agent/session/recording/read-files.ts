/** Parses files of the open folder, for example as recordings, without blocking the page. */

import { createPacer, nextTask } from '../../../runtime/async/pace.ts';
import { Observable } from '../../../runtime/hooks/observe.ts';
import type { ToolError } from '../../../runtime/spec/error.ts';
import type { FolderFile } from '../../../runtime/spec/folder.ts';
import { JsonReader } from '../../../runtime/spec/json-reader.ts';

/** Limit of the number of values in a file, since a file is parsed in one step. */
const maxValues = 200_000;
/** Characters that are read in one step. */
const stepChars = 65_536;

interface ReadFile<T> {
  /** The path inside the tools folder. */
  readonly path: string;
  readonly value: T;
}

/** Reads files one after the other, and each content only once. */
export class ReadFiles<T> extends Observable<void> {
  readonly #read: (text: string) => Promise<T>;
  /** The results by content; null while a file has not been read yet, or if it cannot be. */
  readonly #known = new WeakMap<Uint8Array, T | null>();
  #last: Promise<void> = Promise.resolve();

  /** @param read rejects if the file is something else */
  constructor(read: (text: string) => Promise<T>, report: (thrown: unknown) => void) {
    super(report);
    this.#read = read;
  }

  /** Returns the results of these files, and begins to read those that have none. Observers are called after each of them. */
  of(files: readonly FolderFile[]): readonly ReadFile<T>[] {
    return files.flatMap(({ path, bytes }) => {
      const value = this.#known.get(bytes);
      if (value === undefined) this.#begin(bytes);
      return value === undefined || value === null ? [] : [{ path, value }];
    });
  }

  #begin(bytes: Uint8Array): void {
    this.#known.set(bytes, null);
    this.#last = this.#last.then(async () => {
      // Other work of the page can run between two files.
      await nextTask();
      const value = await this.#read(new TextDecoder().decode(bytes)).catch(() => null);
      if (value === null) return;
      this.#known.set(bytes, value);
      this.emit();
    });
  }
}

/**
 * Counts the values of JSON text in steps, to make sure that parsing it does not block the page.
 *
 * @param deepest limit of nesting
 * @param invalid creates the error for a reason, which is the end of a sentence
 * @throws that error
 */
export async function expectParsable(
  text: string,
  deepest: number,
  invalid: (why: string) => ToolError,
): Promise<void> {
  const reader = new JsonReader(text, { deepest });
  const pacer = createPacer();
  for (;;) {
    const reached = reader.advance(stepChars);
    // @mutant the number of values in a recording => never [src/agent/session/recording/playback-position.test.ts
    //   src/agent/session/recording/read-files.test.ts]
    if (reader.values > maxValues)
      throw invalid(`it has more than ${maxValues.toLocaleString('en')} values`);
    if (reached === 'done') return;
    if (reached !== 'more')
      throw invalid(reached.tooDeep ? 'it is nested too deeply' : 'it is damaged or incomplete');
    if (pacer.mustRest()) await pacer.rest();
  }
}
