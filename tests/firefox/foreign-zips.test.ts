/** Zip files and names as other programs and systems write them, in the real Firefox. */

import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dropFiles, dropZip, invoke, useFirefox } from './firefox.ts';

const firefox = useFirefox();

let zips = '';
beforeAll(async () => {
  zips = await mkdtemp(join(tmpdir(), 'zips-'));
  const made = spawnSync('python3', ['-W', 'ignore', 'tests/faults/foreign_zips.py', zips]);
  expect(made.stderr.toString()).toBe('');
});
afterAll(() => rm(zips, { recursive: true }));

// How names and sizes are read does not depend on the browser: src/runtime/zip/foreign-zips.test.ts has all kinds.
test.each<[name: string, tool: string]>([
  ['streamed', 'weather:hello'],
  ['shiftjis', '天気:hello'],
])('%s.zip opens, and its tool %s reads its data', async (name, tool) => {
  const { page } = firefox();
  const { tools } = await dropZip(page, `${name}.zip`, await readFile(join(zips, `${name}.zip`)));
  expect(tools.map((one) => one.name)).toEqual([tool]);
  expect((await invoke(page, tool)).textResultForLlm).toContain('1.5');
});

test('decomposed names are found by tools and imports', async () => {
  const { page } = firefox();
  const nfd = (text: string): string => text.normalize('NFD');
  const spec = (name: string, body: string): string =>
    `def f():\n    return ${body}\nTOOL_SPECS = [{"name": "${name}", "description": "d", "parameters": {"type": "object", "properties": {}}, "handler": f}]\n`;
  const { problems } = await dropFiles(page, {
    [nfd('résumé.py')]: spec('résumé:hello', '1'),
    [nfd('_größe.py')]: 'X = 1\n',
    'uses.py': `import _größe\n${spec('uses:get', '_größe.X')}`,
  });
  expect(problems).toEqual([]);
  expect((await invoke(page, 'résumé:hello')).textResultForLlm).toBe('1');
  expect((await invoke(page, 'uses:get')).textResultForLlm).toBe('1');
});
