/** Tools reach what a person has granted, by every way that Python has, and nothing else: judged by the server's log. */

import { readFile } from 'node:fs/promises';
import { invoke, type ApiResult } from '../support/app.ts';
import { answer, nothingAsked, question } from '../support/questions.ts';
import { expect, test } from '../support/shared-page.ts';
import { startWeb, type Web } from '../support/web.ts';

const source = new URL('net.py', import.meta.url);

let web: Web;
let origin: string;
let call: (tool: string, args?: Record<string, unknown>) => Promise<ApiResult>;

test.beforeAll(async ({ shared }) => {
  web = await startWeb();
  await shared.open({ 'net.py': await readFile(source) });
});
test.afterAll(() => web.close());

let named = 0;
test.beforeEach(({ page, trouble }) => {
  // Each test has an origin that no earlier one has granted.
  origin = web.origin(`api${(named += 1)}`);
  web.log.length = 0;
  // The browser tells of every request elsewhere; here they are wanted, and the log of the server judges.
  trouble.expect(/foreign request: \S+ http:\/\/[a-z0-9]+\.glass\.example/);
  trouble.expect(/CORS policy|net::ERR|Failed to load resource/);
  call = (tool, args) => invoke(page, `net:${tool}`, args);
});

async function json(result: Promise<ApiResult>): Promise<unknown> {
  const { resultType, textResultForLlm } = await result;
  expect(resultType, textResultForLlm).toBe('success');
  return JSON.parse(textResultForLlm);
}

test('a first request asks; what is granted for a visit is reached, other origins are not', async ({
  page,
}) => {
  const asked = call('get', { url: `${origin}/a?b=c` });
  const dialog = question(page);
  await expect(dialog).toContainText(origin);
  await expect(dialog).toContainText('net:get');
  expect(web.log).toEqual([]);
  await answer(page, /visit/i);
  expect(await json(asked)).toMatchObject({ method: 'GET', url: '/a?b=c' });
  await json(call('get', { url: `${origin}/again` }));
  await nothingAsked(page);
  expect(await json(call('allowed'))).toContain(origin);
  const other = call('get', { url: `${web.origin('other')}/x` });
  await answer(page, /not now/i);
  const { resultType, error = '' } = await other;
  expect([resultType, error]).toEqual(['failure', expect.stringContaining('other.glass.example')]);
  expect(web.log.map(({ url }) => url)).toEqual(['/a?b=c', '/again']);
});

test('urllib, http.client and pyfetch send and receive as they do elsewhere', async ({ page }) => {
  const first = call('head', { url: `${origin}/status?code=200` });
  await answer(page, /visit/i);
  expect(await json(first)).toMatchObject([200, { 'x-odd': 'yes' }, '']);
  expect(
    await json(call('post', { url: `${origin}/p`, body: 'ä=1', headers: { 'X-Own': '1' } })),
  ).toMatchObject({ method: 'POST', body: 'ä=1', headers: { 'x-own': '1' } });
  expect(await json(call('plain', { url: `${origin}/put` }))).toEqual([200, 'OK', 'ab']);
  expect(await json(call('fetch', { url: `${origin}/status?code=404` }))).toEqual([
    404,
    'as wanted',
  ]);
  expect(await json(call('fetch_post', { url: `${origin}/q`, body: 'text' }))).toMatchObject({
    method: 'POST',
    body: 'text',
    headers: { 'x-own': '1' },
  });
  expect(await json(call('refused', { url: `${origin}/status?code=404` }))).toEqual([
    'HTTPError',
    404,
    'as wanted',
  ]);
  expect(JSON.parse((await call('opened', { url: `${origin}/o` })).textResultForLlm)).toMatchObject(
    {
      url: '/o',
    },
  );
  const answered = await call('get', { url: `${origin}/cookie` });
  expect(answered.textResultForLlm).toBe('cookie');
  await call('get', { url: `${origin}/after` });
  for (const { headers } of web.log)
    expect([headers.cookie, headers.referer, headers['x-own'] ?? '1']).toEqual([
      undefined,
      undefined,
      '1',
    ]);
});

test('a body streams: its lines come as they are sent, and a large one in pieces', async ({
  page,
}) => {
  const asked = call('lines', { url: `${origin}/lines` });
  await answer(page, /visit/i);
  const [first, second] = (await json(asked)) as [string, number][];
  expect([first?.[0], second?.[0]]).toEqual(['first', 'second']);
  expect((second?.[1] ?? 0) - (first?.[1] ?? 0)).toBeGreaterThan(0.1);
  expect(await json(call('size', { url: `${origin}/big?mb=20` }))).toBe(20 * 2 ** 20);
});

test('a withdrawn grant ends with the next request', async ({ page }) => {
  const first = call('get', { url: `${origin}/n` });
  await answer(page, /visit/i);
  await json(first);
  await page.goto('./#/policy');
  await page
    .getByRole('group', { name: new RegExp(origin) })
    .getByRole('button', { name: /withdraw/i })
    .click();
  const second = call('get', { url: `${origin}/n` });
  await answer(page, /not now/i);
  expect((await second).error).toContain(origin);
  expect(web.log).toHaveLength(1);
  await page.goto('./#/');
});

test('row 11: a redirect is never followed, and is called one', async ({ page, baseURL }) => {
  const asked = call('refused', { url: `${origin}/redirect?to=${web.origin('elsewhere')}/stolen` });
  await answer(page, /visit/i);
  expect(await json(asked)).toEqual([
    'URLError',
    expect.any(String),
    expect.stringContaining('redirect'),
  ]);
  const home = `${baseURL ?? ''}api/tools`;
  await json(call('refused', { url: `${origin}/redirect?to=${encodeURIComponent(home)}` }));
  const { textResultForLlm } = await call('fetch_refused', { url: `${origin}/redirect?to=/b` });
  expect(textResultForLlm).toContain('redirect');
  expect(web.log.map(({ url }) => url.slice(0, 9))).toEqual([
    '/redirect',
    '/redirect',
    '/redirect',
  ]);
});

test('row 12: no address but an exact, granted one', async ({ page, baseURL }) => {
  const first = call('get', { url: `${origin}/ok` });
  await answer(page, /visit/i);
  await first;
  web.log.length = 0;
  const host = new URL(origin).host;
  for (const url of [
    `${baseURL ?? ''}api/tools`,
    `http://user:secret@${host}/`,
    `http://api.glass.example.:${web.port}/`,
    `http://127.0.0.1:${web.port}/`,
    `http://localhost:${web.port}/`,
    `http://2130706433:${web.port}/`,
    `http://0x7f000001:${web.port}/`,
    `http://[::1]:${web.port}/`,
    `http://[::ffff:127.0.0.1]:${web.port}/`,
    'file:///etc/passwd',
    'data:text/plain,x',
    'blob:null/x',
  ]) {
    const { resultType } = await call('fetch', { url });
    expect([url, resultType]).toEqual([url, 'failure']);
    expect([url, (await call('get', { url })).resultType]).toEqual([
      url,
      url.startsWith('data:') ? 'success' : 'failure',
    ]);
  }
  await nothingAsked(page);
  const port = call('refused', { url: `http://${new URL(origin).hostname}:1/` });
  await answer(page, /not now/i);
  await port;
  expect(web.log).toEqual([]);
});

test('row 13: headers that are not the tool’s to set do not arrive', async ({ page }) => {
  const asked = call('post', {
    url: `${origin}/h`,
    body: 'x',
    headers: { Host: 'evil.example', Cookie: 'a=b', 'Sec-Fetch-Site': 'none', 'Proxy-X': '1' },
  });
  await answer(page, /visit/i);
  const { headers } = (await json(asked)) as { headers: Record<string, string> };
  expect([headers.host, headers.cookie, headers['proxy-x']]).toEqual([
    new URL(origin).host,
    undefined,
    undefined,
  ]);
  expect(headers['sec-fetch-site']).not.toBe('none');
  web.log.length = 0;
  for (const bad of [
    { Authorization: 'Bearer x' },
    { 'X-A': 'a\r\nX-B: b' },
    Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`X-${n}`, '1'])),
  ])
    expect((await call('post', { url: `${origin}/h`, body: 'x', headers: bad })).resultType).toBe(
      'failure',
    );
  expect(web.log).toEqual([]);
});

test('row 14: many at once, more than fits, and what never ends', async ({ page }) => {
  const first = call('many', { url: `${origin}/m`, count: 100 });
  await answer(page, /visit/i);
  expect(await json(first)).toBe(100);
  const big = await call('size', { url: `${origin}/big?mb=200` });
  expect([big.resultType, big.error]).toEqual(['failure', expect.stringContaining('limit')]);
  const impatient = await call('impatient', { url: `${origin}/silent` });
  expect([impatient.resultType, impatient.error]).toEqual([
    'failure',
    expect.stringMatching(/time/i),
  ]);
  const drip = await call('size', { url: `${origin}/drip` });
  expect(drip.error).toBe('timeout');
  await expect.poll(() => web.open()).toEqual([]);
});

test('a host that allows no pages, and being offline, are explained', async ({ page, context }) => {
  const asked = call('refused', { url: `${origin}/no-cors` });
  await answer(page, /visit/i);
  expect(await json(asked)).toEqual([
    'URLError',
    'ConnectionError',
    expect.stringContaining('CORS'),
  ]);
  await context.setOffline(true);
  const { error } = await call('get', { url: `${origin}/x` });
  await context.setOffline(false);
  expect(error).toMatch(/offline/);
});

test('a secret is sent, and Python never has it', async ({ page }) => {
  await page.goto('./#/policy');
  const secrets = page.getByRole('region', { name: /secrets/i });
  await secrets.getByLabel(/origin/i).fill(origin);
  await secrets.getByLabel(/value/i).fill('Bearer kept-on-the-host');
  await secrets.getByRole('button', { name: /keep|add|save/i }).click();
  await page.goto('./#/');
  const asked = call('post', { url: `${origin}/status?code=200`, body: 'x' });
  await answer(page, /visit/i);
  const result = await asked;
  expect(web.log.at(-1)?.headers.authorization).toBe('Bearer kept-on-the-host');
  expect(JSON.stringify(result)).not.toContain('kept-on-the-host');
  await page.goto('./#/policy');
  await expect(page.getByText('kept-on-the-host')).toHaveCount(0);
  await page.goto('./#/');
});
