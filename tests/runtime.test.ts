/** `cloche/runtime` in a page of another origin, under the policy that docs/runtime.md names: the page of that document, and what is refused. */

import type { Page } from '@playwright/test';
import { startRuntimeSite, type RuntimeSite } from './support/runtime-site.ts';
import { refusals, refused, shownByPage, shownLines } from './support/runtime-use.ts';
import { expect, test } from './support/test.ts';
import { startWeb, type Web } from './support/web.ts';

let web: Web;
let site: RuntimeSite;
test.beforeAll(async () => {
  web = await startWeb();
  site = await startRuntimeSite(web.origin('api'));
});
test.afterAll(async () => {
  await site.close();
  await web.close();
});

async function follow(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator('pre')).toContainText('Press “Stop”.', { timeout: 90_000 });
  await expect(page.locator('iframe')).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('pre')).toContainText('Done.');
  expect(shownLines(await page.locator('pre').innerText())).toEqual(shownByPage);
  await expect(page.locator('iframe')).toHaveCount(0);
}

for (const assets of ['own', 'other'] as const)
  test(`the page of the document lists, streams, requests, stops and disposes, with assets of its ${assets} origin`, async ({
    page,
    trouble,
  }) => {
    for (const address of [site.origin, site.assets, web.origin('api')])
      trouble.allowOrigin(new URL(address).origin);
    web.log.length = 0;
    await follow(page, site.page(assets));
    expect(web.log.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /status?code=200']);
  });

test('refusals say what is wrong and what to do', { tag: '@full' }, async ({ page, trouble }) => {
  for (const address of [site.origin, site.assets, web.origin('api')])
    trouble.allowOrigin(new URL(address).origin);
  trouble.expect(/missing\/assets\/.* 404|404 .*missing/);
  await page.goto(site.module);
  await expect(page).toHaveTitle('ready');
  const given = { assets: site.assets, api: web.origin('api') };
  expect(await page.evaluate(refusals, given)).toEqual(refused(given.assets, given.api));
});
