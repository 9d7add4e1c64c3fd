/** What fakes timers or globals shares no thread. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from './dist.mjs';
import { fakes, filesBelow, isolatedTests } from './isolated-tests.ts';

test('tests that fake timers, globals or a database are isolated, others are not', () => {
  const isolated = isolatedTests(projectFolder);
  expect(isolated).toContain('src/sandbox/patient-timer.test.ts');
  expect(isolated).toContain('src/platform/folder-sources.test.ts');
  expect(isolated).toContain('workers/service/saved-listing.test.ts');
  expect(isolated).not.toContain('src/folder/zip-source.test.ts');
});

test('fixtures fake nothing: the choice is made by the text of each test file', () => {
  const fixtures = filesBelow(projectFolder, '.fixture.ts');
  expect(fixtures.length).toBeGreaterThan(10);
  expect(fixtures.filter((file) => fakes(join(projectFolder, file)))).toEqual([]);
});
