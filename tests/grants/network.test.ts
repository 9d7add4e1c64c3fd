/** Tools reach what the user has granted, in every way that Python has, and nothing else, according to the server's log. */

import { pressUntil } from '../support/press-until.ts';
import { answer, nothingAsked, question } from '../support/questions.ts';
import { expect, test } from '../support/shared-page.ts';
import { json, useNetTools } from './net-tools.ts';

const net = useNetTools();

test('a first request asks; what is granted for a visit is reached, other origins are not', async ({
  page,
}) => {
  const { call, origin, web } = net();
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
  const { call, origin, web } = net();
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

test('a response body streams', { tag: '@process' }, async ({ page }) => {
  const { call, origin } = net();
  const asked = call('lines', { url: `${origin}/lines` });
  await answer(page, /visit/i);
  const [first, second] = (await json(asked)) as [string, number][];
  expect([first?.[0], second?.[0]]).toEqual(['first', 'second']);
  expect((second?.[1] ?? 0) - (first?.[1] ?? 0)).toBeGreaterThan(0.1);
  expect(await json(call('size', { url: `${origin}/big?mb=20` }))).toBe(20 * 2 ** 20);
});

test('a revoked grant ends with the next request', async ({ page }) => {
  const { call, origin, web } = net();
  const first = call('get', { url: `${origin}/n` });
  await answer(page, /visit/i);
  await json(first);
  await page.goto('./#/policy/network');
  await page
    .getByRole('group', { name: new RegExp(origin) })
    .getByRole('button', { name: /revoke/i })
    .click();
  const second = call('get', { url: `${origin}/n` });
  await answer(page, /not now/i);
  expect((await second).error).toContain(origin);
  expect(web.log).toHaveLength(1);
  await page.goto('./#/');
});

test('mistakes are exceptions, and end no interpreter', async ({ page }) => {
  const { call, origin, web } = net();
  const first = call('upload', { url: `${origin}/up`, size: 8 * 2 ** 20 });
  await answer(page, /visit/i);
  expect(await json(first)).toBe(200);
  const requests = [
    { url: `${origin}/?${'x'.repeat(20_000)}` },
    { url: `${origin}/`, method: 'M-SEARCH' },
    { url: `${origin}/`, headers: [['X-Long', 'x'.repeat(200_000)]] },
  ];
  const answers = (await json(call('bridge', { requests }))) as string[];
  expect(answers.map((reported) => reported.split(':')[0])).toEqual(Array(3).fill('ValueError'));
  const large = await call('upload', { url: `${origin}/up`, size: 8 * 2 ** 20 + 3 });
  expect([large.error, large.stateLost]).toEqual([expect.stringContaining('8 MB'), false]);
  expect(web.log.map(({ method, body }) => [method, body.length])).toEqual([['POST', 8 * 2 ** 20]]);
});

test('a host that allows no pages, and being offline, are explained', async ({ page, context }) => {
  const { call, origin } = net();
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
  const { call, origin, web } = net();
  await page.goto('./#/policy/secrets');
  const secrets = page.getByRole('region', { name: /secrets/i });
  await secrets.getByLabel(/origin/i).fill(origin);
  await secrets.getByLabel(/value/i).fill('Bearer kept-on-the-host');
  const kept = secrets.getByRole('group', { name: 'Secrets' });
  await pressUntil(secrets.getByRole('button', { name: /save/i }), kept.getByRole('button'));
  await page.goto('./#/');
  const asked = call('post', { url: `${origin}/status?code=200`, body: 'x' });
  await answer(page, /visit/i);
  const result = await asked;
  expect(web.log.at(-1)?.headers.authorization).toBe('Bearer kept-on-the-host');
  expect(JSON.stringify(result)).not.toContain('kept-on-the-host');
  await page.goto('./#/policy/secrets');
  await expect(page.getByText('kept-on-the-host')).toHaveCount(0);
  await page.goto('./#/');
});
