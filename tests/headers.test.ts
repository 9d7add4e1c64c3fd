/**
 * Tests the app with all headers that docs/deploy.md recommends: tools, the API in two pages, a session. offline.test.ts
 * tests visits without the server.
 */

import { distFolder } from '../scripts/dist.mjs';
import { serveFolder } from '../scripts/static-server.mjs';
import { invokeText } from './support/app.ts';
import { recommendedHeaders } from './support/recommended-headers.ts';
import { expect, test } from './support/test.ts';
import { press } from './support/press-until.ts';

const slow = { timeout: 240_000 };

test('works with the recommended headers', { tag: '@cold' }, async ({ page, context, trouble }) => {
  const headers = await recommendedHeaders();
  const server = await serveFolder({ folder: distFolder, headers });
  trouble.allowOrigin(new URL(server.url).origin);
  const response = await page.goto(server.url);
  const lowercase = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  expect(response?.headers()).toMatchObject(Object.fromEntries(lowercase));

  await page.getByRole('button', { name: 'Open samples' }).first().click();
  await page.getByRole('link', { name: /^bar_chart/ }).click(slow);
  await page.getByRole('button', { name: /^Run\b/ }).click();
  await expect(page.getByRole('img', { name: /result|bar/i }).first()).toBeVisible();

  const second = await context.newPage();
  await second.goto(server.url);
  const charts = await invokeText(
    second,
    'charts:bar_chart',
    '{"arguments": {"values": [1, 2], "labels": ["a", "b"]}}',
  );
  expect(JSON.parse(charts)).toHaveProperty('resultType');
  await second.close();

  await page.getByRole('link', { name: 'Sessions' }).click();
  await press(page.getByRole('button', { name: /^Play/ }).first());
  await expect(page.getByRole('region', { name: /^Call to/ }).first()).toBeVisible(slow);
  await server.close();
});

test("the frame's header keeps other sites out", { tag: '@cold' }, async ({ page, trouble }) => {
  // The framed app is still loading when its server ends.
  trouble.expect(/frame-ancestors|net::ERR_|could not be loaded/);
  for (const headers of [{}, await recommendedHeaders()]) {
    const server = await serveFolder({ folder: distFolder, headers });
    const { origin, port } = new URL(server.url);
    trouble.allowOrigin(origin);
    const other = `http://127.0.0.1:${port}/license.txt`;
    trouble.allowOrigin(new URL(other).origin);
    await page.goto(other);
    await page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      document.body.append(frame);
      return new Promise((resolve) => (frame.onload = resolve));
    }, server.url);
    const framed = page.frames().some((frame) => frame.url() === server.url);
    expect(framed).toBe(!('Content-Security-Policy' in headers));
    await server.close();
  }
});
