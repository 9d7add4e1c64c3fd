/** docs/decisions/attacks.md rows 4 and 11 to 14: requests to the page, well-behaved or not, judged by what the server has seen. */

import type { Page } from '@playwright/test';
import { answer, nothingAsked, question } from '../support/questions.ts';
import {
  forgedHeaders,
  neighbours,
  refusedAddresses,
  refusedRequests,
  unclearAddresses,
} from '../support/refused-requests.ts';
import { expect, test } from '../support/shared-page.ts';
import { json, useNetTools, type NetTools } from './net-tools.ts';

const net = useNetTools();

/** Has the test's origin granted, and forgets the request that it took. */
async function granted(page: Page): Promise<NetTools> {
  const tools = net();
  const first = tools.call('fetch', { url: `${tools.origin}/ok` });
  await answer(page, /visit/i);
  await json(first);
  expect(tools.web.log).toHaveLength(1);
  tools.web.log.length = 0;
  return tools;
}

test('row 4: without a grant nothing arrives, and the refusal names the host', async ({ page }) => {
  const { call, origin, web } = net();
  for (const tool of ['get', 'opened', 'fetch', 'fetch_refused', 'js_fetch_refused']) {
    const asked = call(tool, { url: `${origin}/${tool}` });
    await expect(question(page)).toContainText(`net:${tool}`);
    await answer(page, /not now/i);
    expect((await asked).textResultForLlm).toContain(new URL(origin).host);
  }
  // The user is not worn down: after five denials, a call is denied without a question.
  const origins = Array.from({ length: 7 }, (_, n) => web.origin(`unknown${n}`));
  const asked = call('bridge', { requests: origins.map((url) => ({ url })) });
  for (const one of origins.slice(0, 5)) {
    await expect(question(page)).toContainText(one);
    await answer(page, /not now/i);
  }
  expect(await json(asked)).toEqual(
    origins.map((one) => expect.stringContaining(`PermissionError: ${one}`)),
  );
  await nothingAsked(page);
  expect(web.log).toEqual([]);
});

test('row 11: a redirect is never followed, and is called one', async ({ page, baseURL }) => {
  const seen: string[] = [];
  page.context().on('response', (response) => seen.push(new URL(response.url()).pathname));
  const { call, origin, web } = await granted(page);
  const targets = [
    `${web.origin('elsewhere')}/stolen`,
    `${baseURL ?? ''}stolen`,
    `${origin}/stolen`,
  ];
  const urls = targets.map((to) => `${origin}/redirect?to=${encodeURIComponent(to)}`);
  for (const url of urls) {
    expect(await json(call('refused', { url }))).toEqual([
      'URLError',
      expect.any(String),
      expect.stringContaining('redirect'),
    ]);
    expect((await call('fetch_refused', { url })).textResultForLlm).toContain('redirect');
  }
  const requests = [301, 303, 307, 308].flatMap((status) =>
    urls.map((url) => ({ url: `${url}&status=${status}`, method: 'POST', body: btoa('secret') })),
  );
  const answers = await json(call('bridge', { requests }));
  expect(answers).toEqual(
    requests.map(() => expect.stringMatching(/^ConnectionError: .*redirect/)),
  );
  expect(web.log.map(({ url }) => url.slice(0, 9))).toEqual(Array(18).fill('/redirect'));
  expect([seen.includes('/redirect'), seen.includes('/stolen')]).toEqual([true, false]);
});

test('row 12: no address but an exact, granted one', async ({ page, baseURL }) => {
  const { call, origin, web } = await granted(page);
  const addresses = refusedAddresses(baseURL ?? '', origin);
  const all = [...addresses, ...unclearAddresses(origin)];
  const answers = (await json(
    call('bridge', { requests: all.map((url) => ({ url })) }),
  )) as string[];
  expect(all.filter((_, n) => !/^(Permission|Value)Error: /.test(answers[n] ?? ''))).toEqual([]);
  for (const url of addresses) {
    expect([url, (await call('fetch', { url })).resultType]).toEqual([url, 'failure']);
    expect([url, (await call('get', { url })).resultType]).toEqual([
      url,
      // Python answers this one by itself.
      url.startsWith('data:') ? 'success' : 'failure',
    ]);
  }
  await nothingAsked(page);
  const near = neighbours(origin);
  const asked = call('bridge', { requests: near.map((url) => ({ url })) });
  for (const url of near) {
    // A look-alike shows its true letters.
    await expect(question(page)).toContainText(new URL(url).origin);
    await answer(page, /not now/i);
  }
  const refusals = (await json(asked)) as string[];
  expect(near.filter((_, n) => !refusals[n]?.startsWith('PermissionError: '))).toEqual([]);
  expect(web.log).toEqual([]);
});

test('row 13: headers and methods that are not the tool’s to set do not arrive', async ({
  page,
}) => {
  const { call, origin, web } = await granted(page);
  const bad = refusedRequests(`${origin}/h`);
  const answers = (await json(call('bridge', { requests: bad }))) as unknown[];
  expect(bad.filter((_, n) => !/^(Permission|Value)Error: /.test(String(answers[n])))).toEqual([]);
  for (const headers of bad.flatMap((one) =>
    one.headers ? [Object.fromEntries(one.headers)] : [],
  ))
    expect((await call('post', { url: `${origin}/h`, body: 'x', headers })).resultType).toBe(
      'failure',
    );
  expect(web.log).toEqual([]);
  const headers = forgedHeaders();
  // With these Python's own library would fail by itself.
  const polite = headers.filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name));
  await json(
    call('post', {
      url: `${origin}/h`,
      body: 'x',
      headers: { ...Object.fromEntries(polite), 'X-Own': '1' },
    }),
  );
  const sent = {
    url: `${origin}/h`,
    method: 'POST',
    body: btoa('x'),
    headers: [...headers, ['X-Own', '1']],
  };
  expect(await json(call('bridge', { requests: [sent] }))).toEqual([200]);
  const posts = web.log.filter(({ method }) => method === 'POST');
  expect(posts.map((post) => [post.headers['x-own'], post.headers.host, post.body])).toEqual(
    Array(2).fill(['1', new URL(origin).host, 'x']),
  );
  expect(JSON.stringify(web.log)).not.toContain('forged');
});

test('row 14: many at once, more than fits, and what never ends', async ({ page }) => {
  const { call, origin, web } = await granted(page);
  // The browser itself keeps one host from having more than six; only Cloche keeps three from having more together.
  const urls = [origin, web.origin('second'), web.origin('third')].map((one) => `${one}/slow`);
  const many = call('many', { urls, count: 100 });
  for (const url of urls.slice(1)) {
    await expect(question(page)).toContainText(new URL(url).origin);
    await answer(page, /visit/i);
  }
  expect(await json(many)).toBe(100);
  expect(web.maxSlow()).toBe(6);
  for (const tool of ['size', 'fetch']) {
    const big = await call(tool, { url: `${origin}/big?mb=1024` });
    expect([big.resultType, big.error]).toEqual(['failure', expect.stringContaining('limit')]);
  }
  const impatient = await call('impatient', { url: `${origin}/silent` });
  expect([impatient.resultType, impatient.error]).toEqual([
    'failure',
    expect.stringMatching(/time/i),
  ]);
  const drip = await call('size_soon', { url: `${origin}/drip` });
  expect(drip.error).toBe('timeout');
  await expect.poll(() => web.open()).toEqual([]);
});
