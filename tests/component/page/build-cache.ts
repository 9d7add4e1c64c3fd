/** Caches slow build results of the test page: one file for each text, named by the hash of its inputs. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../../scripts/build/digest.ts';

export class BuildCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param inputs all that the text depends on */
  async get(inputs: readonly string[], make: () => string | Promise<string>): Promise<string> {
    const file = join(this.#folder, sha256(inputs.join('\0'), 'hex'));
    try {
      return await readFile(file, 'utf8');
    } catch {
      const text = await make();
      await mkdir(this.#folder, { recursive: true });
      // Renamed into its place, so that no other build reads half of it.
      const unfinished = `${file}-${process.pid}`;
      await writeFile(unfinished, text);
      await rename(unfinished, file);
      return text;
    }
  }
}
