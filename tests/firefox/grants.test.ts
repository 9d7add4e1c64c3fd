/** docs/decisions/attacks.md rows 4, 11 to 14, 30 and 48 in the real Firefox: the server's log shows that only granted origins are reached. */

import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import type { ApiResult } from '../support/app.ts';
import {
  forgedHeaders,
  neighbours,
  refusedAddresses,
  refusedRequests,
  unclearAddresses,
} from '../support/refused-requests.ts';
import { startWeb, type Web } from '../support/web.ts';
import {
  answer as answerQuestion,
  asked as shownQuestion,
  cannotWait,
  click,
  dropFiles,
  hasStackSwitching,
  invoke,
  isFull,
  useFirefox,
} from './firefox.ts';

const patience = { timeout: 60_000, interval: 100 };

const firefox = useFirefox();

let web: Web;
/** Whether synchronous handlers can wait in this browser, which is Firefox, or WebKit with the same tests. */
let waits = true;
let origin = '';
let named = 0;

beforeAll(async () => {
  web = await startWeb();
  waits = await hasStackSwitching(firefox().page);
  const folder = new URL('../grants/', import.meta.url);
  const files = ['net.py', 'ask.py'];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
  const dropped = Object.fromEntries(files.map((file, n) => [file, texts[n] ?? '']));
  // On a busy machine, the import of net.py may take WebKit longer than a tool file may take.
  await vi.waitFor(
    async () => {
      const { tools } = await dropFiles(firefox().page, dropped);
      const found = new Set(tools.map(({ source }) => source.file));
      expect([...found].sort()).toEqual([...files].sort());
    },
    { timeout: 200_000 },
  );
});
afterAll(() => web.close());
beforeEach(() => {
  // Each test has an origin that no earlier one has granted.
  origin = web.origin(`api${(named += 1)}`);
  web.log.length = 0;
  const { trouble } = firefox();
  trouble.expect(/foreign request: \S+ http:\/\/[a-z0-9]+\.glass\.example/);
  trouble.expect(/CORS|Cross-Origin|NetworkError/);
});
// A question that a failed test has left would stand before the questions of the next tests.
afterEach(() => firefox().page.evaluate(refuseQuestions));

/** Runs in the page. */
async function refuseQuestions(): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    const buttons = document.querySelectorAll<HTMLButtonElement>('dialog[open] button');
    const refuse = [...buttons].find(({ innerText }) => /^(Not now|Deny)$/.test(innerText.trim()));
    if (refuse === undefined) return;
    refuse.click();
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

const call = (tool: string, args: Record<string, unknown> = {}): Promise<ApiResult> =>
  invoke(firefox().page, `net:${tool}`, args);
const ask = (tool: string, args: Record<string, unknown> = {}): Promise<ApiResult> =>
  invoke(firefox().page, `ask:${tool}`, args);

async function json(result: Promise<ApiResult>): Promise<unknown> {
  const { resultType, textResultForLlm } = await result;
  expect(resultType, textResultForLlm).toBe('success');
  return JSON.parse(textResultForLlm);
}

/** Grants the test's origin as the user does, and removes the request that asked for it from the log. */
async function grant(): Promise<void> {
  const first = call('fetch', { url: `${origin}/ok` });
  await answer(origin, 'Allow for this visit');
  await json(first);
  expect(web.log).toHaveLength(1);
  web.log.length = 0;
}

const asked = (): Promise<string> => shownQuestion(firefox().page);
const answer = (words: string, button: string): Promise<void> =>
  answerQuestion(firefox().page, words, button);

async function nothingAsked(): Promise<void> {
  await vi.waitFor(async () => {
    expect(await asked()).toBe('');
  }, patience);
}

async function goTo(hash: string): Promise<void> {
  await firefox().page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

test('what is granted is reached, another origin is not', async () => {
  const first = call('fetch', { url: `${origin}/a?b=c` });
  await answer(origin, 'Allow for this visit');
  const [status, text] = (await json(first)) as [number, string];
  expect([status, JSON.parse(text)]).toMatchObject([200, { method: 'GET', url: '/a?b=c' }]);
  expect(await json(call('fetch', { url: `${origin}/status?code=404` }))).toEqual([
    404,
    'as wanted',
  ]);
  const other = call('fetch', { url: `${web.origin('other')}/x` });
  await answer('other.glass.example', 'Not now');
  const { resultType, error = '' } = await other;
  expect([resultType, error]).toEqual(['failure', expect.stringContaining('other.glass.example')]);
  expect(web.log.map(({ url }) => url)).toEqual(['/a?b=c', '/status?code=404']);
  for (const { headers } of web.log)
    expect([headers.cookie, headers.referer]).toEqual([undefined, undefined]);
});

test('plain handlers reach what is granted, or say that they cannot wait in this browser', async () => {
  await grant();
  const addresses = { get: '/a?b=c', plain: '/put', size: '/big?mb=5' };
  const found: unknown[] = [];
  for (const [tool, path] of Object.entries(addresses)) {
    const result = await call(tool, { url: `${origin}${path}` });
    found.push(
      result.resultType === 'success' ? JSON.parse(result.textResultForLlm) : result.error,
    );
  }
  // The browser sends OPTIONS before a request that is not simple.
  const made = web.log.filter(({ method }) => method !== 'OPTIONS');
  if (waits) {
    expect(found).toEqual([
      expect.objectContaining({ method: 'GET' }),
      [200, 'OK', 'ab'],
      5 * 2 ** 20,
    ]);
    expect(made.map(({ url }) => url)).toEqual(Object.values(addresses));
  } else {
    expect(found).toEqual(Array(3).fill(expect.stringContaining(cannotWait)));
    expect(made).toEqual([]);
  }
});

if (isFull)
  test('a revoked grant ends with the next request', async () => {
    const first = call('fetch', { url: `${origin}/n` });
    await answer(origin, 'Allow for this visit');
    await json(first);
    await goTo('#/policy/network');
    await click(firefox().page, 'button', `Revoke ${origin}`);
    const second = call('fetch', { url: `${origin}/n` });
    await answer(origin, 'Not now');
    expect((await second).error).toContain(origin);
    expect(web.log).toHaveLength(1);
    await goTo('#/');
  });

test('row 4: without a grant nothing arrives, and the refusal names the host', async () => {
  for (const tool of [...(waits ? ['get'] : []), 'fetch', 'js_fetch_refused']) {
    const refused = call(tool, { url: `${origin}/${tool}` });
    await answer(`net:${tool}`, 'Not now');
    expect((await refused).textResultForLlm).toContain(new URL(origin).host);
  }
  const origins = Array.from({ length: 7 }, (_, n) => web.origin(`unknown${n}`));
  const all = call('bridge', { requests: origins.map((url) => ({ url })) });
  for (const one of origins.slice(0, 5)) await answer(one, 'Not now');
  expect(await json(all)).toEqual(
    origins.map((one) => expect.stringContaining(`PermissionError: ${one}`) as string),
  );
  await nothingAsked();
  expect(web.log).toEqual([]);
});

test('row 11: a redirect is never followed, and is called one', async () => {
  const { page, url: app, tellsRequests } = firefox();
  const seen: string[] = [];
  page.on('request', (request) => seen.push(new URL(request.url()).pathname));
  await grant();
  const targets = [`${web.origin('elsewhere')}/stolen`, `${app}stolen`, `${origin}/stolen`];
  const urls = targets.map((to) => `${origin}/redirect?to=${encodeURIComponent(to)}`);
  for (const url of urls) {
    const text = expect.stringContaining('redirect') as string;
    const plain = await call('refused', { url });
    if (waits)
      expect(JSON.parse(plain.textResultForLlm)).toEqual(['URLError', 'ConnectionError', text]);
    else expect(plain.error).toContain(cannotWait);
    expect((await call('fetch_refused', { url })).textResultForLlm).toContain('redirect');
  }
  const requests = [301, 303, 307, 308].flatMap((status) =>
    urls.map((url) => ({ url: `${url}&status=${status}`, method: 'POST', body: btoa('secret') })),
  );
  expect(await json(call('bridge', { requests }))).toEqual(
    requests.map(() => expect.stringMatching(/^ConnectionError: .*redirect/) as string),
  );
  // One request for each call of `refused`, which does nothing if it cannot wait, and of `fetch_refused`.
  const expected = (waits ? 2 : 1) * urls.length + requests.length;
  expect(web.log.map(({ url }) => url.slice(0, 9))).toEqual(Array(expected).fill('/redirect'));
  expect([seen.includes('/redirect'), seen.includes('/stolen')]).toEqual([tellsRequests, false]);
});

test('row 12: no address but an exact, granted one', async () => {
  await grant();
  const addresses = refusedAddresses(firefox().url, origin);
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
  await nothingAsked();
  const near = neighbours(origin);
  const refusals = call('bridge', { requests: near.map((url) => ({ url })) });
  // A look-alike shows its true letters.
  for (const url of near) await answer(new URL(url).origin, 'Not now');
  const reported = (await json(refusals)) as string[];
  expect(near.filter((_, n) => !reported[n]?.startsWith('PermissionError: '))).toEqual([]);
  expect(web.log).toEqual([]);
});

test('row 13: headers and methods that are not the tool’s to set do not arrive', async () => {
  await grant();
  const url = `${origin}/h`;
  const bad = refusedRequests(url);
  const answers = (await json(call('bridge', { requests: bad }))) as unknown[];
  expect(bad.filter((_, n) => !/^(Permission|Value)Error: /.test(String(answers[n])))).toEqual([]);
  expect(web.log).toEqual([]);
  const headers = [...forgedHeaders(), ['X-Own', '1']];
  const sent = { url, method: 'POST', body: btoa('x'), headers };
  expect(await json(call('bridge', { requests: [sent] }))).toEqual([200]);
  const posts = web.log.filter(({ method }) => method === 'POST');
  expect(posts.map((post) => [post.headers['x-own'], post.headers.host, post.body])).toEqual([
    ['1', new URL(origin).host, 'x'],
  ]);
  expect(JSON.stringify(web.log)).not.toContain('forged');
});

// WebKit reaches these hosts through a proxy, which has limits of its own.
const isDirect = inject('firefox').tellsRequests;
if (isDirect)
  test('row 14: many at once, more than fits, and what never ends', async () => {
    firefox().trouble.expect(/larger than the limit/);
    await grant();
    // The browser itself keeps one host from having more than six; only Cloche keeps three from having more together.
    const more = (): string => web.origin(`api${(named += 1)}`);
    const origins = [origin, more(), more()];
    const many = call('many', { urls: origins.map((one) => `${one}/slow`), count: 100 });
    for (const one of origins.slice(1)) await answer(one, 'Allow for this visit');
    expect(await json(many)).toBe(100);
    expect(web.maxSlow()).toBe(6);
    const big = await call('fetch', { url: `${origin}/big?mb=1024` });
    expect([big.resultType, big.error]).toEqual(['failure', expect.stringContaining('limit')]);
    const impatient = await call('impatient', { url: `${origin}/silent` });
    const soon = await call('size_soon', { url: `${origin}/drip` });
    if (waits)
      expect([impatient.error, soon.error]).toEqual([expect.stringMatching(/time/i), 'timeout']);
    else for (const { error } of [impatient, soon]) expect(error).toContain(cannotWait);
    await vi.waitFor(() => {
      // Firefox notices that a request was given up when something arrives: docs/decisions/network.md.
      expect(web.open().filter((url) => url !== '/silent')).toEqual([]);
    }, patience);
  });

test('row 30: a handler waits for the answer; who insists, or asks a thousand times, is bounded', async () => {
  const later = ask('later');
  await answer('Delete everything?', 'Approve');
  expect((await later).textResultForLlm).toBe('true');
  if (waits) {
    const plain = ask('plain');
    await answer('Delete everything?', 'Approve');
    expect((await plain).textResultForLlm).toBe('true');
    const insists = ask('insists');
    for (let n = 0; n < 3; n += 1) await answer(`Really? (${n})`, 'Deny');
    expect(JSON.parse((await insists).textResultForLlm)).toEqual(Array(8).fill(false));
  } else
    for (const tool of ['plain', 'insists']) expect((await ask(tool)).error).toContain(cannotWait);
  const many = ask('at_once');
  for (let n = 0; n < 3; n += 1) {
    await vi.waitFor(async () => {
      expect(await asked()).toContain('ask:at_once');
    }, patience);
    await answer(`Sure? (${n})`, 'Approve');
  }
  const answers = JSON.parse((await many).textResultForLlm) as boolean[];
  expect(answers.filter(Boolean).length).toBeLessThanOrEqual(3);
  await nothingAsked();
});

if (isFull)
  test('row 30: questions of several calls stand in line, and a call that requires approval waits among them', async () => {
    const strict = ask('strict', { value: 7 });
    await vi.waitFor(async () => {
      expect(await asked()).toContain('ask:strict');
    }, patience);
    const second = ask('depends', { value: 30 });
    await answer('ask:strict', 'Allow once');
    expect((await strict).textResultForLlm).toBe('7');
    await answer('ask:depends', 'Deny');
    expect((await second).error).toBe('approval_required');
    await nothingAsked();
  });

// This test is the last of the file, since the page then asks nothing about hosts. It takes more than 10 s in WebKit.
if (isDirect || isFull)
  test('row 48: of many hosts that a tool tries, eight are asked about, and none after “Never for all of these”', async () => {
    // Allowing a host restarts the count.
    await grant();
    const names = Array.from({ length: 7 }, (_, n) => `unknown${n}`);
    const hosts = [...names, 'other', 'elsewhere', 'second'].map((name) => web.origin(name));
    const tried = async (host: string): Promise<string> => {
      const { resultType, textResultForLlm } = await call('fetch', { url: `${host}/tried` });
      return resultType === 'success' ? 'reached' : textResultForLlm;
    };
    for (const host of hosts.slice(0, 8)) {
      const refused = tried(host);
      await answer(host, 'Not now');
      expect(await refused).toContain('has not granted access');
    }
    const ninth = hosts[8]!;
    expect(await tried(ninth)).toContain('Too many questions');
    expect(await asked()).toBe('');
    expect(web.log).toEqual([]);
    // Control: once the user allows one of the eight, the ninth is asked about, and reached.
    for (const host of [hosts[0]!, ninth]) {
      const reached = tried(host);
      await answer(host, 'Allow for this visit');
      expect(await reached).toBe('reached');
    }
    expect(web.log).toHaveLength(2);
    web.log.length = 0;

    const several = hosts.slice(1, 4).map(tried);
    await answer('1 of 3', 'Never for all of these');
    for (const one of several) expect(await one).toContain('has not granted access');
    expect(await tried(hosts[9]!)).toContain('turned off such questions');
    expect(await asked()).toBe('');
    expect(web.log).toEqual([]);
  });
