/** What can be the source of a playground: a function without specs, and code blocks of Markdown generators. */

import { blocks, text } from './support/code-blocks.ts';
import { startEmbeddingSite, type EmbeddingSite } from './support/embedding-site.ts';
import { expect, test } from './support/test.ts';

let site: EmbeddingSite;
let app = '';
test.beforeAll(async ({}, { project }) => {
  app = project.use.baseURL ?? '';
  site = await startEmbeddingSite(app);
});
test.afterAll(() => site.close());
test.beforeEach(({ trouble }) => {
  trouble.allowOrigin(site.origin);
  site.put('/docs.css', 'body { margin: 1rem }');
});

const script = (more = ''): string =>
  `<script async src="${app}cloche-playground.js" ${more}></script>`;

test('a typed function alone is a tool, and readers see no spec', async ({ page }) => {
  const alone = `def area(width: float, height: float = 2) -> str:
    """The area of a rectangle."""
    return f"{width * height:g} square metres"
`;
  await page.goto(
    site.put(
      '/alone.html',
      `${script()}<cloche-playground arguments='{"width": 3}'><script type="text/x-python">${alone}</script></cloche-playground>`,
    ),
  );
  const frame = page.locator('cloche-playground').frameLocator('iframe');
  await frame.getByRole('button', { name: 'Run' }).click();
  await expect(frame.getByText('6 square metres')).toBeVisible({ timeout: 45_000 });
  await expect(frame.getByRole('region', { name: 'Problems' })).toHaveCount(0);
  await expect(frame.getByText('TOOL_SPECS')).toHaveCount(0);
  // Specs in the file decide which functions are tools.
  await page.evaluate(
    async (text) => document.querySelector('cloche-playground')?.setSource(text),
    `${alone}\nTOOL_SPECS = []\n`,
  );
  await frame.getByRole('button', { name: 'Run' }).click();
  await expect(frame.getByText('The source has no tool that can run.')).toBeVisible();
});

test('code blocks of Markdown generators become playgrounds', async ({ page }) => {
  await page.goto(
    site.put('/blocks.html', `${script('data-upgrade')}${Object.values(blocks).join('')}`),
  );
  const tags = page.locator('cloche-playground');
  await expect(tags).toHaveCount(4);
  const sources = await tags.evaluateAll((all) => all.map((each) => each.textContent));
  expect(new Set(sources.map((each) => each.trim()))).toEqual(new Set([text('').trim()]));
  await expect(tags.nth(3).frameLocator('iframe').getByText('from a block')).toBeVisible({
    timeout: 45_000,
  });
  // What a page adds later is upgraded too.
  await page.evaluate((html) => {
    document.body.insertAdjacentHTML('beforeend', html);
  }, blocks.plain);
  await expect(tags).toHaveCount(5);
});
