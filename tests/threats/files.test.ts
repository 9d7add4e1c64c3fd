/** docs/decisions/attacks.md row 27: extreme files and names are handled and reported. tests/scan.test.ts has the milder ones. */

import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drop } from '../../bench/drop.mjs';
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

test('row 27: many, unusual and conflicting files', async ({ page, folder }) => {
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

test(
  'row 27: names that lead out of the folder are left out',
  { tag: '@full' },
  async ({ page }) => {
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
  },
);

test('row 34: the browser opens no symbolic link in a folder on disk', async ({
  page,
  folder,
  baseURL,
}) => {
  const { path } = await folder({ 'real/a.txt': 'a', 'b.txt': 'b' });
  await symlink(join(path, 'real'), join(path, 'linked'));
  await symlink('/etc', join(path, 'outside'));
  await symlink(join(path, 'b.txt'), join(path, 'linked.txt'));
  // A page of the app's origin that is not the app: handleDisk relies on what the browser does.
  await page.goto(`${String(baseURL)}license.txt`);
  await page.evaluate(() => {
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      // Missing in TypeScript's DOM library.
      const item = event.dataTransfer?.items[0] as unknown as {
        getAsFileSystemHandle(): Promise<FileSystemDirectoryHandle>;
      };
      Object.assign(globalThis, { dropped: item.getAsFileSystemHandle() });
    });
  });
  await drop(page, path);
  await page.waitForFunction('globalThis.dropped');
  const found = await page.evaluate(async () => {
    const { dropped } = globalThis as unknown as { dropped: Promise<FileSystemDirectoryHandle> };
    const root = await dropped;
    const outcome = (opening: Promise<{ kind: string }>): Promise<string> =>
      opening.then(
        ({ kind }) => kind,
        (thrown: unknown) => (thrown as DOMException).name,
      );
    const names: string[] = [];
    for await (const name of root.keys()) names.push(name);
    return {
      names: names.sort(),
      opened: await Promise.all([
        outcome(root.getDirectoryHandle('real')),
        outcome(root.getFileHandle('b.txt')),
        outcome(root.getDirectoryHandle('linked')),
        outcome(root.getDirectoryHandle('outside')),
        outcome(root.getFileHandle('linked.txt')),
      ]),
    };
  });
  expect(found).toEqual({
    names: ['b.txt', 'real'],
    opened: ['directory', 'file', 'NotFoundError', 'NotFoundError', 'NotFoundError'],
  });
});
