/** Decodes the names in a zip file, whose encoding most programs do not state, and maps its paths to paths inside the folder. */

import type { Pacer } from '../async/pace.ts';
import { type CodePage, codePages, type Decode, decoderOf, scoreEncoding } from './code-pages.ts';
import type { GuessedNames } from '../folder/source.ts';
import { pathFault } from '../folder/path-rules.ts';

export interface DecodedNames {
  /** The names in the order of the entries. */
  readonly names: readonly string[];
  /** The guessed encoding; undefined if no guess was necessary. */
  readonly guess?: GuessedNames;
}

/** Number of bytes of names that decide on their encoding. */
const sampleBytes = 10_000;

const decodeUtf8 = decoderOf('utf-8');

/**
 * Decodes all names that are valid UTF-8 as such, and all others by the one encoding that suits them best.
 *
 * @param stored the names as they are stored
 * @param languages of the user, such as `pl` or `zh-TW`, which decide between encodings that suit equally well
 */
export async function decodeNames(
  stored: readonly Uint8Array[],
  languages: readonly string[],
  pacer: Pacer,
): Promise<DecodedNames> {
  const names: string[] = [];
  const others: number[] = [];
  for (const [index, name] of stored.entries()) {
    if (pacer.mustRest()) await pacer.rest();
    // Many programs write UTF-8 without saying so, and names in other encodings are hardly ever valid UTF-8.
    const decoded = decodeUtf8(name);
    if (decoded === null) others.push(index);
    names.push(decoded ?? '');
  }
  if (others.length === 0) return { names };
  const sample = sampleOf(others.map((index) => stored[index] ?? new Uint8Array()));
  for (const { label, title } of await rankedPages(sample, languages, pacer)) {
    const decode = decoderOf(label);
    if (!(await decodeAll(stored, others, names, decode, pacer))) continue;
    return { names, guess: { encoding: title, example: names[others[0] ?? 0] ?? '' } };
  }
  return { names };
}

/** @returns false if a name is not valid in this encoding */
async function decodeAll(
  stored: readonly Uint8Array[],
  others: readonly number[],
  names: string[],
  decode: Decode,
  pacer: Pacer,
): Promise<boolean> {
  for (const index of others) {
    if (pacer.mustRest()) await pacer.rest();
    const decoded = decode(stored[index] ?? new Uint8Array());
    if (decoded === null) return false;
    names[index] = decoded;
  }
  return true;
}

function sampleOf(names: readonly Uint8Array[]): Uint8Array[] {
  let bytes = 0;
  const end = names.findIndex((name) => (bytes += name.byteLength) > sampleBytes);
  return names.slice(0, end < 0 ? names.length : end + 1);
}

/** The encodings in which the names are valid, the most likely one first. */
async function rankedPages(
  names: readonly Uint8Array[],
  languages: readonly string[],
  pacer: Pacer,
): Promise<CodePage[]> {
  const ranked: { page: CodePage; fit: number }[] = [];
  for (const page of codePages) {
    if (pacer.mustRest()) await pacer.rest();
    const fit = scoreEncoding(page, names, languages);
    if (fit > -Infinity) ranked.push({ page, fit });
  }
  return ranked.sort((a, b) => b.fit - a.fit).map(({ page }) => page);
}

/**
 * Returns the path inside the folder that a path of a zip file means: programs write `./x`, `a\\x`, `/x` and `a//x` for
 * the same. Other faults are left to {@link pathFault}. A path that would leave the folder is returned with the reason.
 */
export function pathInside(written: string): { readonly path: string; readonly fault?: string } {
  // The path names another computer, or a device.
  if (/^(?:\\\\|\\\/|\/\\)/.test(written))
    return { path: written, fault: 'its path leads to another computer' };
  const names: string[] = [];
  for (const name of written.split(/[/\\]/)) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    // @mutant a path of a zip does not climb out of the folder => undefined -> null
    //   [src/runtime/folder/path-rules.test.ts src/runtime/zip/zip-source.test.ts]
    else if (names.pop() === undefined)
      return { path: written, fault: 'its path leads out of the folder, by “..”' };
  }
  const path = names.join('/');
  if (path === '') return { path: written, fault: 'its path has no name' };
  const fault = pathFault(path);
  return fault === undefined ? { path } : { path: written, fault };
}
