/** What fakes timers or globals shares no thread. */
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
      'src/plain.test.ts': 'vi.fn(); vi.useRealTimers();',
      'src/no-test.ts': 'vi.useFakeTimers();',
      'scripts/modules.test.ts': "vi.mock('./dist.mjs');",
      'workers/database.test.ts': "import 'fake-indexeddb/auto';",
    };
    for (const [file, text] of Object.entries(files)) await writeFile(join(root, file), text);
    expect(isolatedTests(root).sort()).toEqual([
      'scripts/modules.test.ts',
      'src/deep/timers.test.ts',
      'src/globals.test.ts',
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
