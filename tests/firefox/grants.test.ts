/** threats.md rows 11 to 14 and 30 in the real Firefox: what is granted is reached, and nothing else, as the server's log has it. */

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ApiResult } from '../support/app.ts';
import { startWeb, type Web } from '../support/web.ts';
import { click, dropFiles, invoke, useFirefox } from './firefox.ts';

const names = [
  'api1',
  'api2',
  'api3',
  'api4',
  'api5',
  'api6',
  'api7',
  'api8',
  'other',
  'elsewhere',
];
const firefox = useFirefox(names.map((name) => `${name}.glass.example`));

let web: Web;
let origin = '';
let named = 0;

beforeAll(async () => {
  web = await startWeb();
  const folder = new URL('../grants/', import.meta.url);
  const files = ['net.py', 'ask.py'];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
  await dropFiles(
    firefox().page,
    Object.fromEntries(files.map((file, n) => [file, texts[n] ?? ''])),
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

const call = (tool: string, args: Record<string, unknown> = {}): Promise<ApiResult> =>
  invoke(firefox().page, `net:${tool}`, args);
const ask = (tool: string, args: Record<string, unknown> = {}): Promise<ApiResult> =>
  invoke(firefox().page, `ask:${tool}`, args);

async function json(result: Promise<ApiResult>): Promise<unknown> {
  const { resultType, textResultForLlm } = await result;
  expect(resultType, textResultForLlm).toBe('success');
  return JSON.parse(textResultForLlm);
}

const patience = { timeout: 60_000, interval: 100 };

function asked(): Promise<string> {
  return firefox().page.evaluate(
    () => document.querySelector<HTMLDialogElement>('dialog[open]')?.innerText ?? '',
  );
}

/** Waits for a question with these words, and presses a button of it, as soon as that may be pressed. */
async function answer(words: string, button: string): Promise<void> {
  await vi.waitFor(async () => {
    expect(await asked()).toContain(words);
    const pressed = await firefox().page.evaluate((label) => {
      const all = [...document.querySelectorAll<HTMLButtonElement>('dialog[open] button')];
      const found = all.find(({ innerText }) => innerText.trim() === label);
      if (found === undefined || found.ariaDisabled === 'true') return false;
      found.click();
      return true;
    }, button);
    expect(pressed).toBe(true);
  }, patience);
}

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

test('what is granted is reached by plain and by asynchronous handlers, another origin is not', async () => {
  const first = call('get', { url: `${origin}/a?b=c` });
  await answer(origin, 'Allow for this visit');
  expect(await json(first)).toMatchObject({ method: 'GET', url: '/a?b=c' });
  expect(await json(call('fetch', { url: `${origin}/status?code=404` }))).toEqual([
    404,
    'as wanted',
  ]);
  expect(await json(call('plain', { url: `${origin}/put` }))).toEqual([200, 'OK', 'ab']);
  expect(await json(call('size', { url: `${origin}/big?mb=5` }))).toBe(5 * 2 ** 20);
  const other = call('get', { url: `${web.origin('other')}/x` });
  await answer('other.glass.example', 'Not now');
  const { resultType, error = '' } = await other;
  expect([resultType, error]).toEqual(['failure', expect.stringContaining('other.glass.example')]);
  // What is no simple request is asked for first.
  const made = web.log.filter(({ method }) => method !== 'OPTIONS');
  expect(made.map(({ url }) => url)).toEqual(['/a?b=c', '/status?code=404', '/put', '/big?mb=5']);
  for (const { headers } of web.log)
    expect([headers.cookie, headers.referer]).toEqual([undefined, undefined]);
});

test('a withdrawn grant ends with the next request', async () => {
  const first = call('get', { url: `${origin}/n` });
  await answer(origin, 'Allow for this visit');
  await json(first);
  await goTo('#/policy');
  await click(firefox().page, 'button', `Withdraw ${origin}`);
  const second = call('get', { url: `${origin}/n` });
  await answer(origin, 'Not now');
  expect((await second).error).toContain(origin);
  expect(web.log).toHaveLength(1);
  await goTo('#/');
});

test('row 11: a redirect is never followed, and is called one', async () => {
  const first = call('refused', { url: `${origin}/redirect?to=${web.origin('elsewhere')}/stolen` });
  await answer(origin, 'Allow for this visit');
  expect(await json(first)).toEqual([
    'URLError',
    expect.any(String),
    expect.stringContaining('redirect'),
  ]);
  const home = encodeURIComponent(`${firefox().url}api/tools`);
  await json(call('refused', { url: `${origin}/redirect?to=${home}` }));
  expect(web.log.map(({ url }) => url.slice(0, 9))).toEqual(['/redirect', '/redirect']);
});

test('row 12: no address but an exact, granted one', async () => {
  const first = call('get', { url: `${origin}/ok` });
  await answer(origin, 'Allow for this visit');
  await first;
  web.log.length = 0;
  const host = new URL(origin).host;
  for (const url of [
    `${firefox().url}api/tools`,
    `http://user:secret@${host}/`,
    `http://api4.glass.example.:${web.port}/`,
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
      // Python answers this one by itself.
      url.startsWith('data:') ? 'success' : 'failure',
    ]);
  }
  expect(await asked()).toBe('');
  for (const url of [`http://${new URL(origin).hostname}:1/`, 'http://аpi4.glass.example/']) {
    const elsewhere = call('fetch', { url });
    await answer(new URL(url).origin, 'Not now');
    await elsewhere;
  }
  expect(web.log).toEqual([]);
});

test('row 13: headers and methods that are not the tool’s to set do not arrive', async () => {
  const first = call('post', {
    url: `${origin}/h`,
    body: 'x',
    headers: { Host: 'evil.example', Cookie: 'a=b', 'Sec-Fetch-Site': 'none', 'Proxy-X': '1' },
  });
  await answer(origin, 'Allow for this visit');
  const { headers } = (await json(first)) as { headers: Record<string, string> };
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

test('row 14: many at once, more than fits, and what never ends', async () => {
  const first = call('many', { url: `${origin}/m`, count: 100 });
  await answer(origin, 'Allow for this visit');
  expect(await json(first)).toBe(100);
  const big = await call('size', { url: `${origin}/big?mb=200` });
  expect([big.resultType, big.error]).toEqual(['failure', expect.stringContaining('limit')]);
  const impatient = await call('impatient', { url: `${origin}/silent` });
  expect(impatient.error).toMatch(/time/i);
  expect((await call('size', { url: `${origin}/drip` })).error).toBe('timeout');
  await vi.waitFor(() => {
    // Firefox notices that a request was given up when something arrives: docs/decisions/network.md.
    expect(web.open().filter((url) => url !== '/silent')).toEqual([]);
  }, patience);
});

test('row 30: a plain handler waits for the answer; who insists, or asks a thousand times, is bounded', async () => {
  const plain = ask('plain');
  await answer('Delete everything?', 'Approve');
  expect((await plain).textResultForLlm).toBe('true');
  const insists = ask('insists');
  for (let n = 0; n < 3; n += 1) await answer(`Really? (${n})`, 'Deny');
  expect(JSON.parse((await insists).textResultForLlm)).toEqual(Array(8).fill(false));
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

test('row 30: questions of several calls stand in line, and a call that requires approval waits among them', async () => {
  const strict = ask('strict', { value: 7 });
  await vi.waitFor(async () => {
    expect(await asked()).toContain('ask:strict');
  }, patience);
  const second = ask('depends', { value: 30 });
  await answer('ask:strict', 'Allow this call');
  expect((await strict).textResultForLlm).toBe('7');
  await answer('ask:depends', 'Deny');
  expect((await second).error).toBe('approval_required');
  await nothingAsked();
});
