/** Requests of a call: who decides, what is sent, and how each ends. */

import { expect, test, vi } from 'vitest';
import { toolCall } from '../spec/call.fixture.ts';
import { FakeGrants, get, origin, response } from './grants.fixture.ts';
import type { Sent } from './network-sender.ts';

const url = `${origin}/a`;
const head = {
  answer: 'response',
  status: 200,
  statusText: 'OK',
  headers: [['content-type', 'text/plain']],
  url,
};

test('granted requests are sent and logged, and their bodies arrive in pieces', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  const host = grants.host();
  expect(host.network).toEqual([origin]);
  expect(await host.answer(1, get(url))).toEqual(head);
  expect(await host.answer(2, { ask: 'read', request: 1 })).toEqual({
    answer: 'bytes',
    bytes: new TextEncoder().encode('hello'),
  });
  expect(await host.answer(3, { ask: 'read', request: 1 })).toEqual({ answer: 'end' });
  expect(grants.sent).toEqual([{ url, method: 'GET', headers: [], body: null, secrets: [] }]);
  expect(grants.log.list()).toMatchObject([
    { tool: 't:f', origin, method: 'GET', url, receivedBytes: 5, status: 200, fault: '' },
  ]);
  expect(await host.answer(4, { ask: 'read', request: 1 })).toMatchObject({ answer: 'refused' });
});

test('keys of settings are masked in the addresses of the log, in questions and in responses', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  grants.policy.setSettings('a.py', {}, { Valves: { key: 'sk-12345678' } });
  await grants.host().answer(1, get(`${url}?key=sk-12345678&unit=km`));
  expect(grants.log.list()).toMatchObject([{ url: `${url}?key=***********&unit=km` }]);
  expect(grants.sent).toMatchObject([
    { url: `${url}?key=sk-12345678&unit=km`, secrets: ['sk-12345678'] },
  ]);
  const host = grants.host();
  void host.answer(2, get('https://other.example/?key=sk-12345678'));
  void host.answer(3, {
    ask: 'approve',
    question: 'Use sk-12345678?',
    details: '{"key": "sk-12345678"}',
  });
  expect(grants.questions.list()).toMatchObject([
    { kind: 'network', url: 'https://other.example/?key=***********' },
    { kind: 'approve', question: 'Use ***********?', details: '{"key": "***********"}' },
  ]);
});

test.each([
  ['once', 'ask'],
  ['visit', 'allow'],
  ['always', 'allow'],
] as const)('the user can allow it: %s', async (reply, after) => {
  const grants = new FakeGrants();
  const host = grants.host();
  const asked = host.answer(1, get(url));
  await grants.reply(reply);
  expect(await asked).toMatchObject({ answer: 'response' });
  expect(await host.answer(2, get(url))).toMatchObject({ answer: 'response' });
  expect(grants.policy.decide(origin)).toBe(after);
  expect(grants.clocked).toEqual(['pause', 'resume']);
});

test.each([
  ['no', 'ask'],
  ['never', 'deny'],
] as const)('the user can refuse it: %s; the call does not ask twice', async (reply, after) => {
  const grants = new FakeGrants();
  const host = grants.host();
  const asked = host.answer(1, get(url));
  await grants.reply(reply);
  const refusal = { answer: 'refused', error: 'PermissionError' };
  expect(await asked).toMatchObject(refusal);
  expect(await host.answer(2, get(url))).toMatchObject({
    ...refusal,
    message: expect.stringContaining(origin) as string,
  });
  expect(grants.policy.decide(origin)).toBe(after);
  expect(grants.sent).toEqual([]);
});

test('one answer serves all requests to the same origin', async () => {
  const grants = new FakeGrants();
  const asked = [
    grants.host().answer(1, get(url)),
    grants.host(toolCall('c2')).answer(1, get(url)),
  ];
  await grants.reply('visit');
  expect(await Promise.all(asked)).toEqual([head, head]);
});

test('a program waits a minute for the user, and is refused immediately in a frame', async () => {
  const grants = new FakeGrants();
  const asked = grants.host(toolCall('c1', { caller: 'http' })).answer(1, get(url));
  await vi.waitFor(() => {
    expect(grants.timers).toHaveLength(1);
  });
  grants.timers[0]?.();
  expect(await asked).toMatchObject({ message: expect.stringContaining('in time') as string });
  grants.whyUnaskable = 'framed';
  expect(await grants.host().answer(1, get(url))).toMatchObject({
    message: expect.stringContaining('own window') as string,
  });
});

test('local addresses need a separate setting, and then a grant', async () => {
  const grants = new FakeGrants();
  const local = 'http://127.0.0.1:8000/';
  grants.policy.grant('http://127.0.0.1:8000', 'visit');
  expect(await grants.host().answer(1, get(local))).toMatchObject({ error: 'PermissionError' });
  grants.policy.allowLocal(true);
  expect(await grants.host().answer(1, get(local))).toMatchObject({ answer: 'response' });
});

test('secrets are added by the page, and requests that cannot be sent are refused', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  grants.policy.addSecret({ origin, header: 'Authorization', value: 'Bearer kept' });
  grants.policy.addSecret({ origin: 'https://b.example', header: 'X', value: 'of another host' });
  const host = grants.host();
  await host.answer(1, get(url, { method: 'post', body: btoa('x'), headers: [['X', '1']] }));
  expect(grants.sent).toEqual([
    {
      url,
      method: 'POST',
      headers: [
        ['Authorization', 'Bearer kept'],
        ['X', '1'],
      ],
      body: new TextEncoder().encode('x'),
      secrets: ['of another host', 'another host', 'Bearer kept'],
    },
  ]);
  for (const bad of [
    get(url, { method: 'TRACE' }),
    get(url, { method: 'CONNECT' }),
    get(url, { body: btoa('x') }),
    get(url, { method: 'POST', body: '!' }),
    get(url, { headers: [['X', 'a\nb']] }),
    get('https://cloche.example/api/tools'),
  ])
    expect(await host.answer(2, bad)).toMatchObject({ answer: 'refused' });
  expect(grants.sent).toHaveLength(1);
});

test('revoking a grant ends running and queued requests', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  const host = grants.host();
  await host.answer(1, get(url));
  await host.answer(2, get(url));
  const waits = host.answer(3, get(url));
  await Promise.resolve();
  grants.policy.revoke(origin);
  expect(await waits).toMatchObject({ error: 'PermissionError' });
  expect(await host.answer(4, { ask: 'read', request: 1 })).toMatchObject({ answer: 'refused' });
  expect(grants.sent).toHaveLength(2);
});

test('a response that arrives after the grant was revoked is not passed on', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  const cancel = vi.fn();
  const late = { ...response(['secret']), cancel };
  let arrive: (sent: Sent) => void = () => undefined;
  grants.respond = () => new Promise((resolve) => (arrive = resolve));
  const asked = grants.host().answer(1, get(url));
  await vi.waitFor(() => {
    expect(grants.sent).toHaveLength(1);
  });
  grants.policy.revoke(origin);
  arrive(late);
  expect(await asked).toMatchObject({ error: 'PermissionError' });
  expect(cancel).toHaveBeenCalled();
});

test('failures say what to do: redirect, missing CORS, no network', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  const host = grants.host();
  grants.respond = () => Promise.resolve({ failed: 'redirect', why: '' });
  expect(await host.answer(1, get(url))).toMatchObject({
    error: 'ConnectionError',
    message: expect.stringContaining('redirect') as string,
  });
  grants.respond = () => Promise.resolve({ failed: 'network', why: 'Failed to fetch' });
  expect(await host.answer(2, get(url))).toMatchObject({
    message: expect.stringContaining('CORS') as string,
  });
  grants.online = false;
  expect(await host.answer(3, get(url))).toMatchObject({
    message: expect.stringContaining('offline') as string,
  });
});

test('a response over the limit is cut off, and says so', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  grants.respond = () => Promise.resolve(response(['12345678', '12345678']));
  const host = grants.host();
  await host.answer(1, get(url));
  expect(await host.answer(2, { ask: 'read', request: 1 })).toMatchObject({ answer: 'bytes' });
  expect(await host.answer(3, { ask: 'read', request: 1 })).toMatchObject({
    message: expect.stringContaining('limit') as string,
  });
});

test('too many requests are queued, and then refused', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  grants.respond = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve({ failed: 'network', why: 'aborted' });
      });
    });
  const host = grants.host();
  const asked = [1, 2, 3, 4, 5].map((n) => host.answer(n, get(url)));
  expect(await asked[4]).toMatchObject({
    message: expect.stringContaining('Too many') as string,
  });
  expect(grants.sent).toHaveLength(2);
  host.end();
  expect((await Promise.all(asked)).map(({ answer }) => answer)).toEqual(Array(5).fill('refused'));
  expect(await host.answer(6, get(url))).toMatchObject({ answer: 'refused' });
  expect(grants.sent).toHaveLength(2);
});

test('after several refused origins, the user is not asked again in that call', async () => {
  const grants = new FakeGrants();
  const host = grants.host();
  for (let n = 0; n < 5; n += 1) {
    const asked = host.answer(n, get(`https://api${n}.example.com/`));
    await grants.reply('no');
    expect(await asked).toMatchObject({ error: 'PermissionError' });
  }
  expect(await host.answer(9, get(url))).toMatchObject({ error: 'PermissionError' });
  expect(grants.questions.list()).toEqual([]);
});

test('a tool’s own timeout is a timeout error', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  grants.respond = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve({ failed: 'network', why: 'aborted' });
      });
    });
  const asked = grants.host().answer(1, get(url, { timeoutMs: 10 }));
  expect(await asked).toMatchObject({ error: 'TimeoutError' });
});
