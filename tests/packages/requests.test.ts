/** A real package on top of http.client reaches what was granted, and nothing else, according to the server's log. */

import type { Page } from '@playwright/test';
import { invoke } from '../support/app.ts';
import { answer, nothingAsked, question } from '../support/questions.ts';
import { expect, test } from '../support/shared-page.ts';
import { startWeb, type Web } from '../support/web.ts';
import { debianWheels } from '../support/wheels.ts';
import { withRequests } from './sources.ts';

// Later tests use what the first one was granted.
test.describe.configure({ mode: 'default' });

let web: Web;
let origin: string;

test.beforeAll(async ({ shared }) => {
  web = await startWeb();
  origin = web.origin('api');
  const wheels = await debianWheels();
  const beside = Object.fromEntries([...wheels].map(([name, bytes]) => [`wheels/${name}`, bytes]));
  await shared.open({ 'fetcher.py': withRequests, ...beside });
});
test.afterAll(() => web.close());
test.beforeEach(({ trouble }) => {
  web.log.length = 0;
  trouble.expect(/foreign request: \S+ http:\/\/[a-z0-9]+\.glass\.example/);
  trouble.expect(/CORS policy|net::ERR|Failed to load resource/);
});

async function text(page: Page, tool: string, url: string): Promise<string> {
  const {
    resultType,
    textResultForLlm,
    error = '',
  } = await invoke(page, `fetcher:${tool}`, { url });
  return resultType === 'success' ? textResultForLlm : error;
}

test('requests and urllib reach the origin that was granted', async ({ page }) => {
  const asked = text(page, 'get', `${origin}/a?b=1`);
  await expect(question(page)).toContainText(origin);
  await answer(page, /visit/i);
  expect(await asked).toBe('/a?b=1');
  expect(await text(page, 'post', `${origin}/p`)).toBe('{"a": 1}');
  expect(await text(page, 'session', `${origin}/s?x=1`)).toBe('[200, true]');
  expect(await text(page, 'standard', `${origin}/u`)).toBe('200');
  expect(await text(page, 'streamed', `${origin}/big?mb=3`)).toBe(String(3 * 2 ** 20));
  await nothingAsked(page);
});

test('so it is over TLS, which is the browser’s', async ({ page, trouble }) => {
  trouble.expect(/foreign request: GET https:\/\/secure\.glass\.example/);
  const headers = { 'Access-Control-Allow-Origin': '*' };
  await page
    .context()
    .route('https://secure.glass.example/**', (route) =>
      route.fulfill({ json: { url: route.request().url() }, headers }),
    );
  const asked = text(page, 'get', 'https://secure.glass.example/tls');
  await answer(page, /visit/i);
  expect(await asked).toBe('https://secure.glass.example/tls');
  expect(await text(page, 'standard', 'https://secure.glass.example/u')).toBe('200');
});

test('another origin is refused with an exception that names it', async ({ page }) => {
  const asked = text(page, 'get', `${web.origin('other')}/x`);
  await answer(page, /not now/i);
  expect(await asked).toMatch(/ConnectionError.*other\.glass\.example/);
  expect(web.log).toEqual([]);
});

test('neither a redirect nor the app’s own origin is reached', async ({ page }) => {
  expect(await text(page, 'get', `${origin}/redirect?to=${web.origin('other')}/x`)).toContain(
    'redirect',
  );
  expect(await text(page, 'get', new URL('api/tools', page.url()).href)).toContain('Cloche');
  expect(web.log.filter(({ url }) => url === '/x')).toEqual([]);
  await nothingAsked(page);
});

test('what was revoked is not reached any more', async ({ page }) => {
  expect(await text(page, 'get', `${origin}/before`)).toBe('/before');
  await page.goto('./#/policy/network');
  await page.getByRole('button', { name: `Revoke ${origin}` }).click();
  const asked = text(page, 'get', `${origin}/after`);
  await answer(page, /not now/i);
  expect(await asked).toContain(origin);
  expect(web.log.map(({ url }) => url)).toEqual(['/before']);
});
