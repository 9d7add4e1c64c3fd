/** One build works under every base path, its sandbox and its API included. */
import { distFolder } from '../scripts/dist.mjs';
import { serveFolder } from '../scripts/static-server.mjs';
import { invoke, openFolder } from './support/app.ts';
import { hello } from './support/hello.ts';
import { expect, test } from './support/test.ts';

test('works under another base path', { tag: '@cold' }, async ({ page, folder, trouble }) => {
  const { url, close } = await serveFolder({ folder: distFolder, base: '/some/deeper path/' });
  try {
    trouble.allowOrigin(new URL(url).origin);
    const { path } = await folder({ 'greet.py': hello });
    await page.goto(url);
    await openFolder(page, path);
    expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "world"}');
  } finally {
    await close();
  }
});
