/** Tests that fake timers or globals do not share a thread. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from './dist.mjs';
import { fakes, filesBelow, isolatedTests, testFolders } from './isolated-tests.ts';

test('tests that fake timers, globals, modules or a database are isolated, others are not', async () => {
  const root = await mkdtemp(join(tmpdir(), 'cloche-isolated-'));
  try {
    for (const folder of testFolders) await mkdir(join(root, folder, 'deep'), { recursive: true });
    const files = {
      'src/deep/timers.test.ts': 'beforeEach(() => vi.useFakeTimers());',
      'src/globals.test.ts': "vi.stubGlobal('fetch', undefined);",
      'src/clock.test.ts': "vi.spyOn(Date, 'now');",
      'src/destructured.test.ts': 'const { spyOn } = vi;',
      'src/environment.test.ts': "vi.stubEnv('CI', '1');",
      'src/property.test.ts': "Object.defineProperty(globalThis, 'fetch', { value: 1 });",
      'src/set.test.ts': 'globalThis.fetch = fetched;',
      'src/variable.test.ts': "process.env.CI = '1';",
      'src/plain.test.ts':
        'vi.fn(); vi.useRealTimers(); if (process.env.CI === "1") globalThis.fetch(url => 1);',
      'src/no-test.ts': 'vi.useFakeTimers();',
      'scripts/modules.test.ts': "vi.mock('./dist.mjs');",
      'workers/database.test.ts': "import 'fake-indexeddb/auto';",
    };
    for (const [file, text] of Object.entries(files)) await writeFile(join(root, file), text);
    expect(isolatedTests(root).sort()).toEqual([
      'scripts/modules.test.ts',
      'src/clock.test.ts',
      'src/deep/timers.test.ts',
      'src/destructured.test.ts',
      'src/environment.test.ts',
      'src/globals.test.ts',
      'src/property.test.ts',
      'src/set.test.ts',
      'src/variable.test.ts',
      'workers/database.test.ts',
    ]);
  } finally {
    await rm(root, { recursive: true });
  }
});

test('fixtures fake nothing: the choice is made by the text of each test file', () => {
  const fixtures = filesBelow(projectFolder, '.fixture.ts');
  expect(fixtures.length).toBeGreaterThan(10);
  expect(fixtures.filter((file) => fakes(join(projectFolder, file)))).toEqual([]);
});
