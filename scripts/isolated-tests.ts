/** Selects the unit tests that get a separate thread; the others share a thread and its modules, which starts them several times faster. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const testFolders = ['src', 'workers', 'scripts'];

/**
 * Tests that replace timers, globals, methods, modules or the environment could affect the tests that run next in the same
 * thread. `vi` under another name, or destructured, counts too, since its uses cannot be seen.
 */
const fake = new RegExp(
  [
    String.raw`\bvi\s*\.\s*(useFakeTimers|setSystemTime|stub\w+|spyOn|mock|doMock|hoisted)\b`,
    String.raw`\bvi\s*\[|\bvi as\b|\}\s*=\s*vi\b`,
    String.raw`['"]fake-indexeddb`,
    // Replaced without vitest.
    String.raw`\b(globalThis|self|window|navigator|console|crypto|Math|process\.env)(\.\w+|\[[^\]]+\])+\s*=[^=>]`,
    String.raw`\bObject\.(assign|definePropert(y|ies))\(\s*(globalThis|self|window|navigator|process\.env|performance)\b`,
    String.raw`\b(delete|Reflect\.\w+\()\s*(globalThis|self|window|navigator|process\.env)\b`,
    String.raw`\bprocess\.chdir\b`,
    // Eleventy sets globals and environment variables.
    String.raw`\bdocsSite\(`,
    // The configuration of ESLint sets an environment variable.
    String.raw`\bnew ESLint\(`,
  ].join('|'),
);

/** Paths of the unit tests that fake anything that outlives them, from `root`. */
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
