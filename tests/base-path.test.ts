/** One build works under every base path. */
import { distFolder } from '../scripts/dist.mjs';
import { serveFolder } from '../scripts/static-server.mjs';
import { expect, test } from './support/test.ts';

test('the built app starts under another base path', async ({ page, trouble }) => {
  const { url, close } = await serveFolder({ folder: distFolder, base: '/some/deeper path/' });
  try {
    trouble.allowOrigin(new URL(url).origin);
    await page.goto(url);
    await expect(page.getByRole('heading', { name: 'Cloche', level: 1 })).toBeVisible();
  } finally {
    await close();
  }
});
