/** Playgrounds whose page changes while they are shown. Nothing runs. */

import { expect, test } from './support/test.ts';
import { startEmbeddingSite, type EmbeddingSite } from './support/embedding-site.ts';

let site: EmbeddingSite;
test.beforeAll(async ({}, { project }) => {
  site = await startEmbeddingSite(project.use.baseURL ?? '');
});
test.afterAll(() => site.close());

const python = (text: string): string => `<script type="text/x-python">${text}</script>`;

test('a page that moves, corrects and restyles its playgrounds, and a reader who has typed into one', async ({
  page,
  trouble,
  baseURL,
}) => {
  trouble.allowOrigin(site.origin);
  trouble.expect(/status of 404/);
  site.put('/docs.css', '.low { --cloche-max-height: 200px } .dark { background: #111 }');
  site.put('/dark.css', 'body { background: #111; color: #eee }');
  site.put('/found.py', 'found = True\n');
  const long = Array.from({ length: 60 }, (_, n) => `# line ${n}\n`).join('');
  await page.goto(
    site.put(
      '/changes.html',
      `<script async src="${baseURL ?? ''}cloche-playground.js"></script>
       <div id="themed"><cloche-playground id="typed">${python('x = 1')}</cloche-playground></div><div id="other"></div>
       <cloche-playground id="missing" src="/none.py"></cloche-playground>
       <cloche-playground id="twice">${python('x = 1')}${python('y = 1')}</cloche-playground>
       <div class="low"><cloche-playground id="cut" view="result">${python('x = 1')}</cloche-playground></div>`,
    ),
  );
  const tag = (id: string) => page.locator(`#${id}`);
  const frame = (id: string) => tag(id).frameLocator('iframe');
  const give = (id: string, name: string, value: string): Promise<void> =>
    tag(id).evaluate(
      (each, [key = '', text = '']) => {
        each.setAttribute(key, text);
      },
      [name, value],
    );

  // A source that was missing, and files that had the same name.
  await expect(tag('missing').getByText('status 404')).toBeVisible();
  await give('missing', 'src', '/found.py');
  await expect(frame('missing').getByText('found = True')).toBeVisible();
  await expect(tag('missing').getByText('status 404')).toBeHidden();
  await expect(tag('twice').getByText('Two files are named example.py')).toBeVisible();
  await tag('twice').evaluate((each) => {
    each.lastElementChild?.setAttribute('data-name', 'second.py');
    each.append('');
  });
  await expect(frame('twice').getByRole('region', { name: 'Source: second.py' })).toBeVisible();

  // What was typed stays when the tag changes and moves, until the page gives another source.
  await frame('typed').getByRole('button', { name: 'Edit' }).click();
  const editor = frame('typed').getByRole('textbox', { name: 'Source: example.py' });
  await tag('typed').evaluate((each) => {
    each.addEventListener('cloche-change', (event) => {
      each.setAttribute('title', JSON.stringify((event as CustomEvent<unknown>).detail));
    });
  });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nmine = 23');
  await expect(tag('typed')).toHaveAttribute('title', /mine = 23/);
  await give('typed', 'readonly', '');
  await expect(frame('typed').getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await expect(frame('typed').getByText('mine = 23')).toBeVisible();
  await page.evaluate(() => {
    document.querySelector('#other')?.append(document.querySelector('#typed') ?? '');
  });
  await expect(frame('typed').getByText('mine = 23')).toBeVisible();
  await tag('typed').evaluate((each) => {
    each.textContent = 'page = 3';
  });
  await expect(frame('typed').getByText('page = 3')).toBeVisible();
  await expect(frame('typed').getByText('mine')).toHaveCount(0);

  // Themes of an element around it, and of a style sheet that is switched.
  const isDark = (id: string): Promise<string | undefined> =>
    frame(id)
      .locator('#playground')
      .evaluate(() => document.documentElement.dataset.theme);
  await expect.poll(() => isDark('typed')).toBe('light');
  await page.evaluate(() => document.querySelector('#other')?.classList.add('dark'));
  await expect.poll(() => isDark('typed')).toBe('dark');
  expect(await isDark('missing')).toBe('light');
  await page.evaluate(() =>
    document.querySelector('link[href$=".css"]')?.setAttribute('href', '/dark.css'),
  );
  await expect.poll(() => isDark('missing')).toBe('dark');

  // Less height than the content has.
  await page.evaluate(() => document.querySelector('#cut')?.parentElement?.classList.remove('low'));
  const scrolls = (): Promise<boolean> =>
    frame('cut')
      .locator('#playground')
      .evaluate(() => document.documentElement.hasAttribute('data-scrolls'));
  expect(await scrolls()).toBe(false);
  await tag('cut').evaluate((each, text) => {
    each.setAttribute('view', 'full');
    each.textContent = text;
    each.style.setProperty('--cloche-max-height', '200px');
  }, long);
  await expect.poll(scrolls).toBe(true);
  const last = frame('cut').getByRole('button', { name: 'Run' });
  await tag('cut').scrollIntoViewIfNeeded();
  await last.hover();
  await expect(last).toBeInViewport();
  await page.mouse.wheel(0, 400);
  await expect(last).not.toBeInViewport();
});
