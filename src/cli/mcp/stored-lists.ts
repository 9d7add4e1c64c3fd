/** The lists of tools of an earlier start, by the content of the folder: a client gets them while the browser starts. */

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject, parseJson } from '../../runtime/spec/guards.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { ServedFolder } from '../served-folder.ts';

/** Results of `tools/list` as JSON text, by the revision of MCP. */
export interface StoredLists {
  /** Whether no earlier start has stored one. */
  readonly isEmpty: boolean;
  get(version: string): JsonText | undefined;
  set(version: string, result: JsonText): void;
}

/** Larger files count with their size and time only: reading them would take longer than the answer may. */
const maxHashedBytes = 1_000_000;
const maxFiles = 5_000;
const skipped = new Set(['.git', 'node_modules', '.venv', '__pycache__']);

/** Hashes the paths and contents of a folder. @param build of the app, since another one may answer otherwise */
export async function folderHash(folder: ServedFolder, build: string): Promise<string> {
  const hash = createHash('sha256').update(build);
  const folders = [''];
  let files = 0;
  // The loop appends to the list.
  for (const above of folders) {
    const entries = await folder.list(above).catch(() => []);
    for (const { name, size, modifiedAt, isLink } of [...entries].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = above === '' ? name : `${above}/${name}`;
      if (isLink === true) continue;
      if (size === undefined) {
        if (!skipped.has(name) && folders.length < maxFiles) folders.push(path);
        continue;
      }
      if ((files += 1) > maxFiles) return hash.digest('hex');
      hash.update(JSON.stringify([path, size]));
      if (size > maxHashedBytes) hash.update(String(modifiedAt));
      else hash.update(await folder.read(path).catch(() => ''));
    }
  }
  return hash.digest('hex');
}

/** @param cache the cache folder of this program */
export async function openLists(cache: string, hash: string): Promise<StoredLists> {
  const place = join(cache, 'lists');
  const file = join(place, `${hash}.json`);
  const known = new Map<string, JsonText>();
  const text = await readFile(file, 'utf8').catch(() => '');
  for (const [version, result] of Object.entries(asObject(parseJson(text))))
    if (typeof result === 'string') known.set(version, result);
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    await mkdir(place, { recursive: true, mode: 0o700 });
    // Another program may write the same file.
    const temporary = `${file}.${process.pid}`;
    await writeFile(temporary, JSON.stringify(Object.fromEntries(known)), { mode: 0o600 });
    await rename(temporary, file);
  }

  return {
    isEmpty: known.size === 0,
    get: (version) => known.get(version),
    set: (version, result) => {
      if (known.get(version) === result) return;
      known.set(version, result);
      // A list that cannot be stored is asked for again at the next start.
      writing = writing.then(write).catch(() => undefined);
    },
  };
}
