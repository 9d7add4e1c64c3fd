/** threats.md row 27: extreme files and names are handled and reported. tests/scan.test.ts has the milder ones. */

import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callInPage, invoke, listing, openFolder, scanned } from '../support/app.ts';
import { hello } from '../support/hello.ts';
import { expectNoStall } from '../support/stalls.ts';
import { expect, test } from '../support/test.ts';

const uses = `
import json

def dump() -> str:
    return json.dumps({"is": "the standard library's"})

TOOL_SPECS = [{"name": "uses:dump", "description": "Writes JSON.", "parameters": {"type": "object", "properties": {}}, "handler": dump}]
`;

test('row 27: many and odd files', { tag: '@timing' }, async ({ page, folder }) => {
  const many = Array.from({ length: 4_000 }, (_, n) => [`data/${n % 40}/file-${n}.txt`, 'x']);
  const { path } = await folder({
    ...(Object.fromEntries(many) as Record<string, string>),
    'greet.py': hello,
    'uses.py': uses,
    'json.py': 'def dumps(value):\n    return "taken"\n\nTOOL_SPECS = []\n',
    'Alike.py': 'TOOL_SPECS = []\n',
    'alike.py': 'TOOL_SPECS = []\n',
  });
  await writeFile(join(path, 'huge.bin'), '');
  await truncate(join(path, 'huge.bin'), 1024 ** 3);
  await symlink(path, join(path, 'data', 'loop'));
  await symlink('/etc', join(path, 'data', 'outside'));
  await page.goto('./');
  await expectNoStall(page, async () => {
    await openFolder(page, path);
  });
  const { tools, problems } = await listing(page);
  expect(tools.map(({ name }) => name)).toEqual(['greet:hello', 'uses:dump']);
  const said = problems.map(({ file, message }) => `${file}: ${message}`).join('\n');
  expect(said).toMatch(/huge\.bin.*1,024 MB/);
  expect(said).toMatch(/Alike\.py.*differ only in upper and lower case/);
  expect(said).toMatch(/json\.py: \S/);
  expect((await invoke(page, 'greet:hello')).resultType).toBe('success');
  expect((await invoke(page, 'uses:dump')).textResultForLlm).toContain('the standard library');
  // Chromium leaves out what a link leads to.
  expect(await page.evaluate(() => globalThis.cloche.folder.source('data/outside/passwd'))).toBe(
    undefined,
  );
});

test('row 27: names that lead out of the folder are left out', async ({ page }) => {
  await page.goto('./');
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    for (const name of ['../x.py', 'a\\..\\y.py', '/etc/z.py', 'greet.py'])
      dataTransfer.items.add(new File([text], name));
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(drop);
  }, hello);
  await scanned(page);
  const { tools, problems } = await listing(page);
  expect(tools.map(({ name }) => name)).toEqual(['greet:hello']);
  const left = problems.filter(({ code }) => code === 'bad-path').map(({ file }) => file);
  expect(left.sort()).toEqual(['../x.py', '/etc/z.py', 'a\\..\\y.py']);
  expect((await callInPage(page, 'greet:hello')).result.resultType).toBe('success');
});
