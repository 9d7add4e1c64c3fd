/** Tests what a reader sees of a playground without scrolling, and before Python loads: docs/embed.md. */

import { readFile } from 'node:fs/promises';
import type {} from '../src/embed/element/playground-types.d.ts';
import { startEmbeddingSite, type EmbeddingSite } from './support/embedding-site.ts';
import { expect, test } from './support/test.ts';

const source = await readFile(new URL('support/counting.py', import.meta.url), 'utf8');
const inline = `<script type="text/x-python">${source}</script>`;

let site: EmbeddingSite;
let script = '';
test.beforeAll(async ({}, { project }) => {
  const app = project.use.baseURL ?? '';
  site = await startEmbeddingSite(app);
  script = `<script async src="${app}cloche-playground.js"></script>`;
});
test.afterAll(() => site.close());
test.beforeEach(({ trouble }) => {
  trouble.allowOrigin(site.origin);
});

test(
  'the page scrolls to the result of a run that the reader starts, not of one that the page starts',
  { tag: '@full' },
  async ({ page }) => {
    const tags = `<p class="above">Above</p><cloche-playground tool="count" arguments='{"to": 3}'>${inline}</cloche-playground><p class="below">Below</p>`;
    site.put('/docs.css', '.above { height: 25rem } .below { height: 60rem }');
    const address = site.put('/view.html', `${script}${tags}`);
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(address);
      const frame = page.frameLocator('iframe');
      await expect(frame.getByText('def count(to: int):')).toBeVisible();
      const scrolled = (): Promise<number> => page.evaluate(() => scrollY);
      // The page, not the reader, starts the first run.
      await page.evaluate(() => document.querySelector('cloche-playground')?.run());
      const result = frame.getByRole('region', { name: 'Result' });
      await expect(result.getByText('"calls": 1')).toBeAttached({ timeout: 45_000 });
      await expect(result).not.toBeInViewport({ ratio: 0.9 });
      expect(await scrolled()).toBe(0);
      await frame.getByRole('button', { name: 'Run' }).press('Enter');
      await expect(result.getByText('"calls": 2')).toBeInViewport();
      await expect(result).toBeInViewport({ ratio: 0.9 });
    }
  },
);

test('Enter in a field runs the tool, and the editor is as tall as the column beside it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
  const lines = Array.from({ length: 80 }, (_, index) => `    # ${index}`).join('\n');
  const long = `def add(${names.map((name) => `${name}: int = 1`).join(', ')}) -> int:\n    """Add."""\n${lines}\n    return ${names.join(' + ')}\n`;
  const tag = `<cloche-playground><script type="text/x-python">${long}</script></cloche-playground>`;
  site.put('/docs.css', '');
  await page.goto(site.put('/enter.html', script + tag));
  const frame = page.frameLocator('iframe');
  const first = frame.locator('[data-path="/n0"]');
  await first.fill('5');
  await first.press('Enter');
  await expect(frame.getByRole('region', { name: 'Result' })).toContainText('16', {
    timeout: 45_000,
  });
  const heights = (): Promise<readonly number[]> =>
    frame
      .locator('.work')
      .evaluate((work) =>
        ['.code', '.editor', '.inputs'].map((name) =>
          Math.round(work.querySelector(name)?.getBoundingClientRect().height ?? 0),
        ),
      );
  await expect(async () => {
    const [code = 0, editor = 0, inputs = 0] = await heights();
    expect(inputs).toBeGreaterThan(512);
    expect(editor).toBeGreaterThan(inputs);
    expect(code - editor).toBeLessThan(4);
  }).toPass();
});

test('nothing moves when the frame takes the place of a source, in the styles of three documentation themes', async ({
  page,
  baseURL,
}) => {
  const code = `"""Tools."""\n\n\ndef greet(name: str, times: int = 1) -> str:\n    return f"Hello, {name}!" * times\n`;
  const styles = {
    material:
      'body { font: 16px/1.6 sans-serif } pre { margin: 1em 0; line-height: 1.4 } code { display: block; padding: 0.77em 1.18em; font-size: 0.85em }',
    furo: 'pre { margin: 1em 0; padding: 0.625rem 0.875rem; font-size: 81.25%; line-height: 1.5 }',
    pydata:
      'body { font: 16px/1.65 sans-serif } pre { margin: 1.5em 0; padding: 1rem; border: 1px solid; font-size: 0.875em; line-height: 1.2 }',
  };
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, 'value')));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const moved = (): Promise<number> =>
    page.evaluate(() => {
      const shifts = Reflect.get(globalThis, 'shifts') as number[];
      return shifts.reduce((sum, each) => sum + each, 0);
    });
  const tag = `<cloche-playground tool="greet"><pre><code>${code}</code></pre></cloche-playground>`;
  // The script is not asynchronous, so its room is there from the first paint.
  const head = `<script src="${baseURL ?? ''}cloche-playground.js"></script>`;
  const address = site.put('/moves.html', `${head}<p>Above</p>${tag}<p id="below">Below</p>`);
  for (const [theme, style] of Object.entries(styles))
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      site.put('/docs.css', `${style} #below { height: 40rem }`);
      await page.goto(address);
      await expect(page.locator('iframe.shown')).toBeVisible();
      expect.soft(await moved(), `${theme}, ${width} wide`).toBeLessThan(0.01);
    }
  // The control: the page counts what moves.
  await page.evaluate(() => {
    document.querySelector('p')!.style.height = '20rem';
  });
  await expect.poll(moved).toBeGreaterThan(0.01);
});

test('the form is there before Python, its run waits for Python, and the result is below or beside it', async ({
  page,
}) => {
  const plain =
    '<script type="text/x-python">def greet(name: str, times: int = 1) -> str:\n    return f"Hello, {name}!" * times\n</script>';
  const tags = ['form', 'full'].map(
    (view) => `<cloche-playground view="${view}">${plain}</cloche-playground>`,
  );
  site.put('/docs.css', '');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(site.put('/form.html', `${script}${tags.join('<p>Between</p>')}`));
  for (const [nth, isBeside] of [
    [0, true],
    [1, false],
  ] as const) {
    const frame = page.locator('cloche-playground').nth(nth).frameLocator('iframe');
    const name = frame.getByRole('textbox', { name: 'name' });
    await name.scrollIntoViewIfNeeded();
    // Nothing of Python is loaded for it, and what is missing is said without Python.
    await frame.getByRole('button', { name: 'Run' }).click();
    await expect(frame.getByText('Enter the required values first: name')).toBeVisible();
    if (nth === 0)
      expect(page.frames().filter((each) => each.url() === 'about:srcdoc')).toEqual([]);
    await name.fill('Ada');
    const shown = await page.locator('iframe').nth(nth).elementHandle();
    const run = frame.getByRole('button', { name: 'Run' });
    await run.click();
    const result = frame.getByRole('region', { name: 'Result' });
    await expect(result.getByText('Hello, Ada!')).toBeInViewport({ timeout: 45_000 });
    await expect(name).toHaveValue('Ada');
    expect(await shown.evaluate((each) => each.isConnected)).toBe(true);
    const [at, button] = [await result.boundingBox(), await run.boundingBox()];
    if (at === null || button === null) throw new Error('The result and the button have boxes.');
    if (isBeside) expect(at.x).toBeGreaterThan(button.x + button.width);
    else expect(at.y - (button.y + button.height)).toBeLessThan(24);
  }
});
