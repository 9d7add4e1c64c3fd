/** The list of mutants fits the sources; `npm run mutants` shows that tests notice each. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../dist.mjs';
import { anchorFault } from './copy.mjs';
import { mutants } from './list.mjs';

test('the text of each guard is in its file exactly once', async () => {
  const faults = await Promise.all(
    mutants.map(async (mutant) => {
      const fault = await anchorFault(mutant);
      return fault === null ? [] : [`${mutant.name}: ${fault}`];
    }),
  );
  expect(faults.flat()).toEqual([]);
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
