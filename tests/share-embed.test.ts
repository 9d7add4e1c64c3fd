/** The code that Share gives runs in a page of another origin, and its preview in Cloche. */

import { openFolder } from './support/app.ts';
import { startEmbeddingSite } from './support/embedding-site.ts';
import { hello } from './support/hello.ts';
import { expect, test } from './support/test.ts';

test('a tool is embedded in another page', async ({ page, context, folder, trouble, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('./');
  await openFolder(page, (await folder({ 'greet.py': hello })).path);
  await page.getByRole('link', { name: 'hello', exact: true }).first().click();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share greet:hello' });
  await dialog.getByRole('button', { name: 'Embed code' }).click();

  await test.step('the preview is the playground, at both widths', async () => {
    const preview = dialog.frameLocator('iframe[title="Preview of the playground"]');
    await expect(preview.getByText('def hello')).toBeVisible();
    const width = (): Promise<number> => preview.locator('html').evaluate(() => innerWidth);
    expect(await width()).toBe(390);
    await dialog.getByRole('button', { name: '1280', exact: true }).click();
    await expect.poll(width).toBe(1280);
    await preview.getByRole('button', { name: 'Run' }).press('Enter');
    await expect(preview.getByText('"hello": "world"')).toBeVisible({ timeout: 45_000 });
  });

  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const site = await startEmbeddingSite(baseURL ?? '');
  trouble.allowOrigin(site.origin);
  site.put('/docs.css', '');
  await page.goto(site.put('/docs.html', `<p>My tool:</p>${code}`));
  const frame = page.frameLocator('cloche-playground iframe');
  await frame.getByRole('button', { name: 'Run' }).click();
  const result = frame.getByRole('region', { name: 'Result' });
  await expect(result.getByText('"hello": "world"')).toBeInViewport({ timeout: 45_000 });
  await site.close();
});
