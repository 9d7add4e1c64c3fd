/** What Share gives works: the embed code in a page of another origin and in its preview, and a call as a fetch. */

import { openFolder } from './support/app.ts';
import { startEmbeddingSite } from './support/embedding-site.ts';
import { hello } from './support/hello.ts';
import { expect, test } from './support/test.ts';

test('a tool is embedded in another page, and called with a copied fetch', async ({
  page,
  context,
  folder,
  trouble,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('./');
  await openFolder(page, (await folder({ 'greet.py': hello })).path);
  await page.getByRole('link', { name: 'hello', exact: true }).first().click();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share greet:hello' });
  const copied = async (): Promise<string> => {
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
    return page.evaluate(() => navigator.clipboard.readText());
  };

  await test.step('a call that was copied as a fetch works', async () => {
    await dialog.getByRole('button', { name: 'Code that calls it' }).click();
    await dialog.getByRole('button', { name: 'JavaScript', exact: true }).click();
    const [, address = '', body = ''] =
      /fetch\((".*?"), .*?body: `(.*?)`,\n\}\)/s.exec(await copied()) ?? [];
    const answer = await page.evaluate(
      async ([url, text]) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(String(JSON.parse(url)), {
          method: 'POST',
          headers,
          body: text,
        });
        return (await response.json()) as unknown;
      },
      [address, body] as const,
    );
    expect(answer).toMatchObject({
      resultType: 'success',
      textResultForLlm: '{"hello": "world"}',
    });
  });

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

  const code = await copied();
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
