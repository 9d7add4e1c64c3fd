/** docs/decisions/attacks.md rows 34, 35 and 37 in the real Firefox: what reaches the disk, a download's name, and a tool. */

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { echoEncodings, startWeb, type Web } from '../support/web.ts';
import { filesOf, foreignNames, plainNames, runningNames } from '../support/workspace-names.ts';
import { keptFilesHere } from '../support/workspace.ts';
import { answer, click, dropFiles, invoke, shows, useFirefox } from './firefox.ts';

const firefox = useFirefox();
const patience = { timeout: 60_000, interval: 100 };

let web: Web;
beforeAll(async () => {
  web = await startWeb();
  const sources = {
    'workspace.py': '../support/workspace.py',
    'net.py': '../grants/net.py',
    'returned.py': '../threats/returned.py',
  };
  const files = await Promise.all(
    Object.entries(sources).map(async ([name, path]) => {
      return [name, await readFile(new URL(path, import.meta.url), 'utf8')] as const;
    }),
  );
  await dropFiles(firefox().page, Object.fromEntries(files));
});
afterAll(() => web.close());

async function goTo(hash: string): Promise<void> {
  await firefox().page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

test('row 34: no name that stands for .git is written, and files that run by themselves wait', async () => {
  const { page } = firefox();
  await goTo('#/workspace');
  await click(page, 'button', 'New folder in this browser');
  await shows(page, '0 files');
  await click(page, 'button', 'Immediately');
  const names = [...foreignNames, ...plainNames, ...runningNames];
  expect((await invoke(page, 'workspace:edit', { files: filesOf(names) })).resultType).toBe(
    'success',
  );
  // The control: similar names are written.
  expect(await page.evaluate(keptFilesHere)).toEqual(filesOf(plainNames));
  await shows(page, 'direnv runs it when you enter the folder');
  await click(page, 'button', 'Write all');
  await shows(page, 'No changes to review');
  expect(await page.evaluate(keptFilesHere)).toEqual(filesOf([...plainNames, ...runningNames]));
});

test('row 35: a media type or a name does not make a program of a download', async () => {
  const { page } = firefox();
  // Firefox does not report downloads of blobs over BiDi. It takes their names from the attribute.
  await page.evaluate(() => {
    const names: string[] = [];
    Object.assign(globalThis, { names });
    HTMLAnchorElement.prototype.click = function () {
      names.push(this.download);
    };
  });
  await goTo('#/tools/returned:com1.exe');
  await click(page, 'button', 'Run');
  await vi.waitFor(async () => {
    const pressed = await page.evaluate(() => {
      const all = [...document.querySelectorAll('button')];
      const downloads = all.filter(({ innerText }) => innerText.trim() === 'Download');
      if (downloads.length !== 8) return false;
      for (const button of downloads) button.click();
      return true;
    });
    expect(pressed).toBe(true);
  }, patience);
  await vi.waitFor(async () => {
    const names = await page.evaluate(() => (globalThis as unknown as { names: string[] }).names);
    const endings = names.map((name) => name.replace(/^[\w-]+\./, '')).sort();
    expect(endings).toEqual([...Array<string>(6).fill('bin'), 'csv', 'png']);
  }, patience);
});

test('row 37: a secret that a host repeats does not reach the tool', async () => {
  const { page, trouble } = firefox();
  trouble.expect(/foreign request: \S+ http:\/\/[a-z0-9]+\.glass\.example/);
  const origin = web.origin('second');
  const key = 'sk-kept/on+the=host';
  const other = 'no/secret+at=all';
  await goTo('#/policy/secrets');
  await shows(page, 'Where a response repeats it, Cloche masks it.');
  await page.evaluate(
    (values) => {
      const form = document.querySelector('form input[type=password]')?.closest('form');
      for (const [n, input] of [...(form?.querySelectorAll('input') ?? [])].entries()) {
        input.value = values[n] ?? '';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
      form?.requestSubmit();
    },
    [origin, 'X-Key', `Bearer ${key}`],
  );
  await goTo('#/');
  const first = invoke(page, 'net:fetch', { url: `${origin}/ok` });
  await answer(page, origin, 'Allow for this visit');
  expect((await first).resultType).toBe('success');
  for (const as of [...Object.keys(echoEncodings), 'pieces', 'gzip']) {
    const query = new URLSearchParams({ as, other });
    const url = `${origin}/echo?${query.toString()}`;
    const { resultType, textResultForLlm } = await invoke(page, 'net:fetch', { url });
    expect(resultType, textResultForLlm).toBe('success');
    const [, text] = JSON.parse(textResultForLlm) as [number, string];
    // The host had it.
    expect(web.log.at(-1)?.headers['x-key']).toBe(`Bearer ${key}`);
    const encode = echoEncodings[as] ?? ((plain: string) => plain);
    const [, masked = '', control] = /^<(.*)> <(.*)>$/.exec(text) ?? [];
    expect([as, control]).toEqual([as, encode(other)]);
    expect(masked, as).toMatch(/\*{19,}/);
    expect(masked, as).not.toContain(encode(key.slice(3, 9)));
  }
});
