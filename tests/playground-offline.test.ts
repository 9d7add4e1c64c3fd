/** Playgrounds, the documentation and the API explorer without the network, for a reader who has only run one playground. */

import { readFile } from 'node:fs/promises';
import type { Frame } from '@playwright/test';
import { distFolder } from '../scripts/dist.mjs';
import { startEmbeddingSite } from './support/embedding-site.ts';
import { press } from './support/press-until.ts';
import { Site } from './support/site.ts';
import { expect, test } from './support/test.ts';

const source = await readFile(new URL('support/counting.py', import.meta.url), 'utf8');

/** The service worker of a page that works offline: it has the page, and the script of the playground. */
const worker = (script: string): string => `
addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil((async () => {
    const cache = await caches.open('docs');
    await cache.addAll(['/docs.html', '/docs.css', '/worker-of-docs.js']);
    await cache.put('${script}', await fetch('${script}', { mode: 'no-cors' }));
  })());
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) =>
  event.respondWith(fetch(event.request).catch(() => caches.match(event.request))));
`;

/** Whether the whole build is stored. */
function isStored(frame: Frame): Promise<boolean> {
  return frame.evaluate(async () => {
    const base = new URL('./', location.href).pathname;
    const names = (await caches.keys()).filter((name) => name.startsWith(`cloche-files:${base}:`));
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().some(({ url }) => url.includes('/assets/files-'));
  });
}

test(
  'after one run of a playground, it, the documentation and the explorer work without the network',
  { tag: '@full' },
  async ({ page, trouble }) => {
    test.setTimeout(240_000);
    trouble.expect(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|Failed to load resource/);
    const app = await Site.make('/only/embedded/');
    await app.deploy(distFolder);
    const url = await app.start();
    const docs = await startEmbeddingSite(url, 'localhost');
    for (const each of [url, docs.origin]) trouble.allowOrigin(new URL(each).origin);
    const script = `${url}cloche-playground.js`;
    const { origin } = new URL(url);
    const policy = `default-src 'none'; script-src 'self' ${origin}; frame-src ${origin}; worker-src 'self'; connect-src 'self' ${origin}; style-src 'self'; img-src data:`;
    docs.put('/docs.css', '');
    docs.put('/worker-of-docs.js', worker(script), policy);
    docs.put('/register.js', "navigator.serviceWorker.register('/worker-of-docs.js');", policy);
    const address = docs.put(
      '/docs.html',
      `<script async src="${script}"></script><script src="/register.js"></script><cloche-playground tool="count" arguments='{"to": 2}'><script type="text/x-python">${source}</script></cloche-playground>`,
      policy,
    );
    try {
      await page.goto(address);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'Run' }).click();
      await expect(frame.getByText('"to": 2')).toBeVisible({ timeout: 60_000 });
      const framed = page.frames().find((each) => each.url().startsWith(url));
      expect(await isStored(framed!)).toBe(false);
      await expect.poll(() => isStored(framed!), { timeout: 60_000 }).toBe(true);
      await page.evaluate(() => navigator.serviceWorker.ready);

      await app.stop();
      await docs.close();
      await page.reload();
      await frame.getByRole('button', { name: 'Run' }).click();
      await expect(frame.getByText('"to": 2')).toBeVisible({ timeout: 60_000 });

      // The documentation: an example of it runs, and its pages lead to each other.
      await page.goto(`${url}docs/tool-files.html`);
      const example = page.locator('cloche-playground iframe').first().contentFrame();
      await example.getByRole('button', { name: 'Run' }).click();
      await expect(example.getByRole('region', { name: 'Result' })).toContainText('Success', {
        timeout: 60_000,
      });
      await page
        .getByRole('navigation', { name: 'Documentation' })
        .getByRole('link', { name: 'The virtual API' })
        .click();
      await expect(page.getByRole('heading', { level: 1, name: 'The virtual API' })).toBeVisible();
      await page.getByRole('link', { name: 'Open the app' }).click();

      // The explorer: a call is streamed.
      await page.getByRole('button', { name: 'Open samples' }).click();
      await expect
        .poll(() => page.evaluate(() => globalThis.cloche.status.get().phase), { timeout: 120_000 })
        .toBe('ready');
      await page.goto(`${url}#/api`);
      await page.getByRole('searchbox', { name: 'Search operations' }).fill('long_jobs primes');
      await page.getByRole('navigation', { name: 'Operations' }).getByRole('link').first().click();
      await page.getByRole('checkbox', { name: 'As an event stream' }).check();
      await press(page.getByRole('button', { name: 'Send' }));
      const answer = page.getByRole('region', { name: 'Answer' });
      await expect(answer).toContainText('event: update');
      await expect(answer).toContainText('event: result', { timeout: 60_000 });
      await expect(answer).toContainText('200 in');
    } finally {
      await docs.close().catch(() => undefined);
      await app.dispose();
    }
  },
);
