/** The list of mutants fits the sources; `npm run mutants` shows that tests notice each. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../dist.mjs';
import { anchorFault } from './copy.mjs';
import { mutants } from './list.mjs';
import { mutantsOf } from './markers.mjs';

test('the text of each guard is in its file exactly once', async () => {
  const faults = await Promise.all(
    mutants.map(async (mutant) => {
      const fault = await anchorFault(mutant);
      return fault === null ? [] : [`${mutant.name}: ${fault}`];
    }),
  );
  expect(faults.flat()).toEqual([]);
});

test('the number of guards is unchanged: update it when you add one', () => {
  expect(mutants).toHaveLength(382);
});

test('names are unique, and the tests of each guard exist', () => {
  const names = mutants.map(({ name }) => name);
  expect([...new Set(names)]).toEqual(names);
  const files = mutants.flatMap(({ tests }) => {
    if ('unit' in tests) return tests.unit;
    if ('browser' in tests) return [tests.browser.file];
    return tests.python.map((module) => `workers/python/tests/${module}.py`);
  });
  expect(files.filter((file) => !existsSync(join(projectFolder, file)))).toEqual([]);
});

const guarded = (line: string, mutation: string): string =>
  `{\n  // @mutant a name => ${mutation}\n  ${line}\n}\n`;

test.each([
  ['if (a && f(b)) throw c;', 'never', '  if (false) throw c;'],
  ['abort();', 'removed', ''],
  ['return a && b;', 'without && b', '  return a ;'],
  ['return a && b;', 'b -> c', '  return a && c;'],
  ['return a &&\n  b;', 'a && -> true', '  return true'],
])('%s is changed: %s', (line, mutation, changed) => {
  const [mutant] = mutantsOf('src/a.svelte.ts', guarded(line, mutation));
  expect(mutant?.replace.split('\n').at(-1)).toBe(changed);
  expect(mutant?.tests).toEqual({ unit: ['src/a.test.ts'] });
});

test.each([
  ['return a && b;', 'never'],
  ['return a && b;', 'without c'],
  ['return a && a;', 'a -> b'],
  ['', 'removed'],
])('a marker that does not fit the next line is reported: %s, %s', (line, mutation) => {
  expect(() => mutantsOf('src/a.ts', guarded(line, mutation))).toThrow('src/a.ts:2: ');
});

test('a marker continues in the next comment line and names its tests', () => {
  const marker = '# @mutant two\n#   lines => x -> y [python test_a test_b]\nx = 1';
  expect(mutantsOf('a.py', marker)).toEqual([
    {
      name: 'two lines',
      file: 'a.py',
      find: marker,
      replace: marker.replace(/x = 1$/, 'y = 1'),
      tests: { python: ['test_a', 'test_b'] },
    },
  ]);
});
