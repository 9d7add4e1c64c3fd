/** Playgrounds in pages of another origin, under a strict policy: docs/embed.md. */

import { readFile } from 'node:fs/promises';
import type { FrameLocator, Page } from '@playwright/test';
import type {} from '../src/embed/element/playground-types.d.ts';
import { violations } from './support/axe.ts';
import { startEmbeddingSite, type EmbeddingSite } from './support/embedding-site.ts';
import { press, pressUntil } from './support/press-until.ts';
import { expect, test } from './support/test.ts';

const source = await readFile(new URL('support/counting.py', import.meta.url), 'utf8');
const spy = await readFile(new URL('support/spying.py', import.meta.url), 'utf8');
const inline = `<script type="text/x-python">${source}</script>`;
const script = (more = ''): string =>
  `<script async src="${app}cloche-playground.js" ${more}></script>`;

let site: EmbeddingSite;
let app = '';
test.beforeAll(async ({}, { project }) => {
  app = project.use.baseURL ?? '';
  site = await startEmbeddingSite(app);
});
test.afterAll(() => site.close());
test.beforeEach(({ trouble }) => {
  trouble.allowOrigin(site.origin);
  site.put('/docs.css', 'body { margin: 1rem } .dark { background: #111; color: #eee }');
});

function frameOf(page: Page, nth = 0): FrameLocator {
  return page.locator('cloche-playground').nth(nth).frameLocator('iframe');
}

/** Remembers the events of all playgrounds, which bubble to the document. */
async function listen(page: Page): Promise<() => Promise<[string, Record<string, unknown>][]>> {
  await page.evaluate(() => {
    const seen: [string, unknown][] = [];
    Object.assign(globalThis, { seen });
    for (const name of ['ready', 'change', 'call', 'result', 'error'])
      document.addEventListener(`cloche-${name}`, (event) =>
        seen.push([name, (event as CustomEvent<unknown>).detail]),
      );
  });
  return () =>
    page.evaluate(() => Reflect.get(globalThis, 'seen') as [string, Record<string, unknown>][]);
}

test('a tag runs a tool, streams, cancels, takes changes and follows the page', async ({
  page,
}) => {
  await page.goto(
    site.put(
      '/one.html',
      `${script()}<cloche-playground tool="count" arguments='{"to": 3}'>${inline}</cloche-playground>`,
    ),
  );
  const seen = await listen(page);
  const frame = frameOf(page);
  await expect(frame.getByText('def count(to: int):')).toBeVisible();
  // Its frame is as high as its content, and holds nothing of Python.
  const height = (): Promise<number> =>
    page.locator('iframe').evaluate((each) => each.clientHeight);
  await expect.poll(height).toBeGreaterThan(400);
  expect(page.frames().filter((each) => each.url() === 'about:srcdoc')).toEqual([]);

  await frame.getByRole('button', { name: 'Run' }).click();
  await expect(frame.getByText('"calls": 1')).toBeVisible({ timeout: 45_000 });
  await expect(frame.getByText('step 3')).toBeVisible();
  const [call, result] = (await seen()).filter(([name]) => name === 'call' || name === 'result');
  expect(call).toMatchObject(['call', { tool: 'example:count', arguments: '{"to": 3}' }]);
  expect(result).toMatchObject(['result', { resultType: 'success', callId: call?.[1].callId }]);

  // Methods; a long call streams, and is cancelled.
  const outcome = page.evaluate(async () => {
    const tag = document.querySelector('cloche-playground');
    await tag?.setArguments({ to: 100_000 });
    return tag?.run();
  });
  await expect(frame.getByText('step 20', { exact: false })).toBeVisible();
  await page.evaluate(() => document.querySelector('cloche-playground')?.cancel());
  expect(await outcome).toMatchObject({ resultType: 'failure', error: 'cancelled' });
  await expect(frame.getByRole('button', { name: 'Run' })).toBeEnabled();

  // New source, by script, then by hand.
  const changed = source.replace('{"to": to, "calls": calls}', '"changed " + str(to)');
  const second = await page.evaluate(async (text) => {
    const tag = document.querySelector('cloche-playground');
    await tag?.setSource(text);
    await tag?.setArguments('{"to": 1}');
    return tag?.run();
  }, changed);
  expect(second).toMatchObject({ text: 'changed 1' });
  const editor = frame.getByRole('textbox', { name: 'Source: example.py' });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n\nx = 1 +');
  await expect(frame.getByRole('region', { name: 'Problems' })).toContainText('SyntaxError');
  // The problem is also shown below its line.
  const below = frame
    .locator('.cm-line', { hasText: 'x = 1 +' })
    .locator('xpath=following-sibling::*[1]');
  await expect(below).toHaveClass(/cm-problem-error/);
  await expect(below).toContainText('SyntaxError: invalid syntax');
  expect(
    (await seen()).some(
      ([name, detail]) => name === 'change' && JSON.stringify(detail).includes('x = 1 +'),
    ),
  ).toBe(true);

  // The page turns dark, and sets words and colours.
  const look = (): Promise<[string, string | undefined]> =>
    frame
      .locator('#playground')
      .evaluate((each) => [
        getComputedStyle(each).colorScheme,
        document.documentElement.dataset.theme,
      ]);
  expect(await look()).toEqual(['light', 'light']);
  await page.evaluate(() => {
    document.body.className = 'dark';
    document.body.style.fontSize = '18px';
  });
  const colors = frame.locator('#playground');
  await expect(colors).toHaveCSS('background-color', 'rgb(17, 17, 17)');
  await expect(colors).toHaveCSS('color', 'rgb(238, 238, 238)');
  await expect(frame.locator('html')).toHaveCSS('font-size', '18px');
  await page.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty('--cloche-label-run', '"Los"');
    style.setProperty('--cloche-accent', 'rgb(1, 2, 3)');
    style.setProperty('--cloche-background', 'url(https://example.org/spy)');
  });
  await expect.poll(look).toEqual(['dark', 'dark']);
  const run = frame.getByRole('button', { name: 'Los' });
  await expect(run).toHaveCSS('background-color', 'rgb(1, 2, 3)');
  expect(await violations(page)).toEqual([]);
});

test('what needs the user’s permission opens in a separate window', async ({ page, context }) => {
  await page.goto(
    site.put(
      '/strict.html',
      `${script()}<cloche-playground tool="strict" view="form" arguments='{"value": 7}'>${inline}</cloche-playground>`,
    ),
  );
  const frame = frameOf(page);
  await frame.getByRole('button', { name: 'Run' }).click();
  await expect(frame.getByText('requires approval').first()).toBeVisible({ timeout: 45_000 });
  const opening = context.waitForEvent('page');
  await frame.getByRole('button', { name: 'Open in Cloche' }).click();
  const own = await opening;
  await expect(own.getByRole('heading', { name: 'A tool from a link' })).toBeVisible();
  await expect(own.getByText('example:strict', { exact: true })).toBeVisible();
  expect(
    await own.evaluate(() => [globalThis.cloche.status.get().phase, window.opener === null]),
  ).toEqual(['none', true]);
  await pressUntil(
    own.getByRole('button', { name: 'Open these files' }),
    own.getByRole('heading', { name: 'example:strict' }),
  );
  await expect(own.getByRole('textbox', { name: 'value' })).toHaveValue('7');
  await own.close();
});

test('ten playgrounds load late, and the last keep Python', { tag: '@full' }, async ({ page }) => {
  // Buttons are pressed by key, because playgrounds above them grow meanwhile.
  const gap = '<p class="gap"></p>';
  site.put('/docs.css', '.gap { height: 3000px }');
  const tags = Array.from(
    { length: 10 },
    (_, n) =>
      `<cloche-playground tool="count" arguments='{"to": ${n + 1}}'>${inline}</cloche-playground>${n === 1 ? gap : ''}`,
  );
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(site.put('/ten.html', `${script()}${tags.join('')}`));
  await expect(frameOf(page, 1).getByRole('button', { name: 'Run' })).toBeVisible();
  expect(page.frames().filter((each) => each.url().includes('playground.html'))).toHaveLength(2);
  expect(requests.filter((url) => /wasm|python|create-runtime/.test(url))).toEqual([]);
  for (const tag of await page.locator('cloche-playground').all())
    await tag.scrollIntoViewIfNeeded();
  await expect(page.locator('iframe')).toHaveCount(10);
  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  await frameOf(page, 0).getByRole('button', { name: 'Run' }).press('Enter');
  await expect(frameOf(page, 0).getByText('"calls": 1')).toBeVisible({ timeout: 45_000 });
  // Lists the positions of the playgrounds that have Python.
  const pythons = (): Promise<readonly number[]> =>
    page
      .locator('cloche-playground')
      .evaluateAll((tags) => tags.length)
      .then(async (count) => {
        const counts = await Promise.all(
          Array.from({ length: count }, (_, n) => frameOf(page, n).locator('iframe').count()),
        );
        return counts.flatMap((sandboxes, n) => (sandboxes > 0 ? [n] : []));
      });
  expect(await pythons()).toEqual([0]);
  for (const n of [1, 2]) {
    await frameOf(page, n).getByRole('button', { name: 'Run' }).press('Enter');
    await expect(frameOf(page, n).getByText('"calls": 1')).toBeVisible({ timeout: 60_000 });
  }
  await expect.poll(pythons).toEqual([1, 2]);
  // The first playground keeps its tools and result, and Python starts again when it is needed.
  await expect(frameOf(page, 0).getByText('"calls": 1')).toBeVisible();
  const again = await page.evaluate(() => document.querySelector('cloche-playground')?.run());
  expect(again?.text).toBe('{"to": 1, "calls": 1}');
  await expect.poll(pythons).toEqual([0, 2]);
});

test('the tool reaches nothing of the page, nor the page the app’s storage', async ({
  page,
  trouble,
}) => {
  // On the same site as the app, a frame would have the app's real storage.
  const near = await startEmbeddingSite(app, 'localhost');
  trouble.allowOrigin(near.origin);
  trouble.expect(/Content Security Policy|Refused|blocked|violates/i);
  near.put('/docs.css', '');
  near.put('/secret.txt', 'the secret of the page');
  await page.goto(app);
  await page.evaluate(() => {
    localStorage.setItem('cloche:mark', 'of the app');
  });
  const before = await page.evaluate(() => JSON.stringify(localStorage));
  const address = near.put(
    '/spy.html',
    `${script()}<cloche-playground tool="take" arguments='{"url": "${near.origin}/secret.txt"}'><script type="text/x-python" data-name="spy.py">${spy}</script></cloche-playground>`,
  );
  await page.goto(address);
  const frame = frameOf(page);
  await frame.getByRole('button', { name: 'Run' }).click();
  await expect(frame.getByText(/Error|Exception/).first()).toBeVisible({ timeout: 45_000 });
  expect(near.log).not.toContain('/secret.txt');
  // The page itself may fetch it, so that it would have been seen.
  expect(await page.evaluate(async () => (await fetch('/secret.txt')).text())).toContain('secret');
  expect(near.log).toContain('/secret.txt');
  await frame.getByRole('combobox', { name: 'Tool' }).selectOption('spy:look');
  await frame.getByRole('button', { name: 'Run' }).click();
  await expect(frame.getByText('"top": "None"')).toBeVisible();

  // What the page tries with the frame.
  const tried = await page.evaluate(async () => {
    const framed = document.querySelector('cloche-playground')?.shadowRoot?.querySelector('iframe');
    const attempt = (read: () => unknown): string => {
      try {
        return JSON.stringify(read()) || 'undefined';
      } catch (thrown) {
        return (thrown as Error).name;
      }
    };
    const window_ = framed?.contentWindow;
    const { port1, port2 } = new MessageChannel();
    const heard: unknown[] = [];
    port1.onmessage = ({ data }) => heard.push(data);
    // A second port is ignored, whatever it brings.
    window_?.postMessage({ type: 'cloche-playground-setup', setup: { page: 'x' } }, '*', [port2]);
    port1.postMessage({ type: 'run', id: 1 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const own = document.createElement('iframe');
    document.body.append(own);
    return {
      storage: attempt(() => window_?.localStorage.getItem('cloche:mark')),
      document: attempt(() => window_?.document.body.innerHTML),
      frames: attempt(() => window_?.frames[0]?.document.body.innerHTML),
      control: attempt(() => own.contentWindow?.document.body.innerHTML),
      heard,
    };
  });
  expect(tried).toEqual({
    storage: 'SecurityError',
    document: 'SecurityError',
    frames: 'SecurityError',
    control: '""',
    heard: [],
  });
  await page.goto(app);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).toBe(before);
  await near.close();
});

test('files, packages, a recording, and no frames', { tag: '@full' }, async ({ page, trouble }) => {
  trouble.expect(/frame-src|Framing|status of 404/i);
  site.put('/docs/helper.py', 'def double(n):\n    return n * 2\n');
  site.put(
    '/docs/main.py',
    'from helper import double\n\nTOOL_SPECS = [{"name": "main:twice", "description": "Doubles.", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}, "handler": lambda n: double(n)}]\n',
  );
  const turn = (n: number, text: string): object => ({
    message: [{ type: 'text', text: `Double ${n}` }],
    steps: [
      {
        parts: [
          {
            type: 'call',
            tool: 'main:twice',
            arguments: `{"n": ${n}}`,
            result: { resultType: 'success', text },
          },
        ],
      },
      { parts: [{ type: 'text', text: `That is **${text}**.` }] },
    ],
  });
  site.put(
    '/docs/played.json',
    JSON.stringify({
      format: 'cloche-recording',
      version: 1,
      title: 'Doubling',
      scripted: true,
      tools: ['main:twice'],
      turns: [turn(2, '4'), turn(3, '7')],
    }),
  );
  const files = 'src="docs/main.py" files="docs/helper.py"';
  await page.goto(
    site.put(
      '/files.html',
      `${script()}<cloche-playground ${files} view="result" autorun arguments='{"n": 21}'></cloche-playground>
       <cloche-playground ${files} recording="docs/played.json"></cloche-playground>
       <cloche-playground src="docs/none.py"></cloche-playground>
       <cloche-playground packages="attrs" autorun>${inline.replace('import time', 'import attrs, time')}</cloche-playground>`,
    ),
  );
  const alone = frameOf(page, 0);
  const played = frameOf(page, 1);
  await expect(alone.getByText('42')).toBeVisible({ timeout: 45_000 });
  await expect(alone.getByText('def double')).toHaveCount(0);
  await expect(
    page.locator('cloche-playground').nth(2).getByText('status 404', { exact: false }),
  ).toBeVisible();
  const fetching = frameOf(page, 3);
  await expect(fetching.getByText('requires your permission')).toBeVisible({ timeout: 45_000 });
  await played.getByRole('button', { name: 'Show the recording' }).click();
  await expect(played.getByText('The messages of the model are scripted.')).toBeVisible({
    timeout: 45_000,
  });
  await press(played.getByRole('button', { name: 'Play' }));
  await expect(played.getByText('The recording has ended.')).toBeVisible({ timeout: 45_000 });
  await expect(played.getByRole('log', { name: 'Session' })).toContainText(/\S/);
  await expect(played.getByText('Same as recorded.')).toHaveCount(1);
  await expect(played.getByText('The result differs from the recorded one.')).toHaveCount(1);

  const without = `script-src ${new URL(app).origin}; default-src 'none'; style-src 'self'; img-src data:`;
  await page.goto(
    site.put(
      '/forbids.html',
      `${script()}<cloche-playground>${inline}</cloche-playground>`,
      without,
    ),
  );
  const tag = page.locator('cloche-playground');
  await expect(tag.getByText(`add “frame-src ${new URL(app).origin}”`)).toBeVisible();
  await expect(tag.getByRole('region', { name: 'Source of' })).toContainText('def count(to: int):');
});

test('a frame without any script of the page, and a page without scripts', async ({
  page,
  browser,
}) => {
  const query = new URLSearchParams({
    source,
    tool: 'count',
    arguments: '{"to": 2}',
    theme: 'dark',
  });
  const policy = `default-src 'none'; frame-src ${new URL(app).origin}; style-src 'self'; img-src data:`;
  const address = `${app}playground.html#${query.toString().replaceAll('+', '%20')}`;
  site.put('/docs.css', 'iframe { width: 100%; height: 40rem }');
  await page.goto(
    site.put('/frame.html', `<iframe title="Counting" src="${address}"></iframe>`, policy),
  );
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Run' }).click();
  await expect(frame.getByText('"to": 2')).toBeVisible({ timeout: 45_000 });
  expect(await frame.locator('html').getAttribute('data-theme')).toBe('dark');
  // As a link, it shows what it would run, and runs nothing.
  await page.goto('about:blank');
  await page.goto(`${address}&autorun`);
  await expect(page.getByText('def count(to: int):')).toBeVisible();
  await page.waitForTimeout(500);
  expect(page.frames()).toHaveLength(1);

  const still = await browser.newContext({ javaScriptEnabled: false });
  const read = await still.newPage();
  await read.goto(
    site.put(
      '/still.html',
      `${script()}<cloche-playground><pre><code>${source}</code></pre></cloche-playground>`,
    ),
  );
  await expect(read.getByText('def count(to: int):')).toBeVisible();
  await still.close();
});
