/** Which unit tests get a thread of their own; the others share a thread and its modules, which starts them several times as fast. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const testFolders = ['src', 'workers', 'scripts'];

/** What replaces timers, globals or modules could reach the tests that run next in the same thread. */
const fake = /\bvi\.(useFakeTimers|stubGlobal|mock|doMock)\(|['"]fake-indexeddb/;

/** Paths of the unit tests that fake timers, globals or modules, from `root`. */
export function isolatedTests(root: string): string[] {
  return filesBelow(root, '.test.ts').filter((file) => fakes(join(root, file)));
}

/** Paths below the folders of unit tests, from `root`, with forward slashes. */
export function filesBelow(root: string, ending: string): string[] {
  return testFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(ending))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
}

export function fakes(file: string): boolean {
  return fake.test(readFileSync(file, 'utf8'));
}
