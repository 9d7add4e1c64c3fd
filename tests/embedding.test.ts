/** The sandbox holds and works without headers, storage or service worker, and inside another site's page. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drop } from '../bench/drop.mjs';
import { hello } from './support/hello.ts';
import { expect, test } from './support/test.ts';

test('without service worker and storage', { tag: '@cold' }, async ({ page, folder, trouble }) => {
  trouble.expect(/storage|IndexedDB|denied|blocked/i);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });
    const refuse = (): never => {
      throw new DOMException('blocked by the test', 'SecurityError');
    };
    indexedDB.open = refuse;
    Object.defineProperty(window, 'localStorage', { get: refuse });
  });
  const { path } = await folder({ 'greet.py': hello });
  await page.goto('./');
  await drop(page, path);
  await page.getByRole('link', { name: /hello/ }).first().click({ timeout: 240_000 });
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByText('{"hello": "world"}').first()).toBeVisible({ timeout: 120_000 });
});

let site: Server;
test.beforeAll(async () => {
  site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Another site</title><iframe id="app" width="1200" height="700"></iframe>',
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
});
test.afterAll(() => {
  site.close();
});

test(
  'inside another site’s page',
  { tag: ['@full', '@cold'] },
  async ({ page, folder, baseURL, trouble }) => {
    // Partitioned storage may be denied there; the app says so and continues.
    trouble.expect(/storage|IndexedDB/i);
    const { port } = site.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    trouble.allowOrigin(origin);
    const { path } = await folder({ 'greet.py': hello });
    await page.goto(origin);
    await page.evaluate((url) => {
      document.querySelector('iframe')?.setAttribute('src', url);
    }, baseURL ?? '');
    const frame = page.frameLocator('#app');
    await expect(frame.getByRole('button', { name: 'Open folder' }).first()).toBeVisible();
    await drop(page, path);
    await frame.getByRole('link', { name: /hello/ }).first().click({ timeout: 240_000 });
    await frame.getByRole('button', { name: 'Run' }).click();
    await expect(frame.getByText('{"hello": "world"}').first()).toBeVisible({ timeout: 120_000 });
  },
);
