/** A tool that was copied elsewhere works; tests/component/page.test.ts has the rest of the page. */

import { openFolder } from './support/app.ts';
import { hello } from './support/hello.ts';
import { expect, test } from './support/test.ts';

test(
  'a call that was copied as a fetch works',
  { tag: '@full' },
  async ({ page, context, folder }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('./');
    await openFolder(page, (await folder({ 'greet.py': hello })).path);
    await page.getByRole('link', { name: 'hello', exact: true }).first().click();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Code that calls it' }).click();
    await dialog.getByRole('button', { name: 'JavaScript', exact: true }).click();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
    const answer = await page.evaluate(async () => {
      const text = await navigator.clipboard.readText();
      const [, address = '', body = ''] =
        /fetch\((".*?"), .*?body: `(.*?)`,\n\}\)/s.exec(text) ?? [];
      const response = await fetch(String(JSON.parse(address)), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return (await response.json()) as unknown;
    });
    expect(answer).toMatchObject({
      resultType: 'success',
      textResultForLlm: '{"hello": "world"}',
    });
  },
);
