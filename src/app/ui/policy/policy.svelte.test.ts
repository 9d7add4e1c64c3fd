import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AllowedSites } from '../../../runtime/grants/allowed-sites.ts';
import { Policies } from '../../../runtime/grants/policies.ts';
import { Questions, type NewQuestion } from '../../../runtime/grants/questions.ts';
import { RequestLog } from '../../../runtime/grants/request-log.ts';
import { PolicyState } from './policy.svelte.ts';

// The state is observed from its first reading, as when a page shows it.
vi.mock(import('svelte/reactivity'), async (original) => ({
  ...(await original()),
  createSubscriber(start) {
    let begun = false;
    return () => {
      if (begun) return;
      begun = true;
      start(() => undefined);
    };
  },
}));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const a = 'https://a.example';
const asked: NewQuestion = {
  kind: 'network',
  origin: a,
  method: 'GET',
  url: `${a}/x`,
  tool: 't:f',
  file: 't.py',
  callId: 'c',
  caller: 'user',
};

const request = {
  at: 0,
  tool: 't:f',
  callId: 'c',
  origin: a,
  method: 'GET',
  url: `${a}/x`,
  sentBytes: 0,
  receivedBytes: 0,
  durationMs: null,
  status: null,
  fault: '',
};

/** Stored policies by folder. */
async function opened(stored: Record<string, unknown> = {}) {
  const report = (thrown: unknown): void => {
    throw thrown;
  };
  const kept: unknown[] = [];
  const policies = new Policies({
    store: {
      get: (id) => Promise.resolve(stored[id]),
      put: (policy) => Promise.resolve(void kept.push(policy)),
      observe: () => undefined,
    },
    isLocked: false,
    onStorageFailure: report,
    report,
  });
  const questions = new Questions({
    whyUnaskable: () => null,
    after: () => () => undefined,
    report,
  });
  const requests = new RequestLog(report);
  const sites = new AllowedSites({ memory: null, base: '/', questions, report, now: () => 0 });
  const control = { policies, sites, questions, requests, renewPackages: () => Promise.resolve() };
  const state = new PolicyState(Promise.resolve(control));
  const ask = (over: Partial<NewQuestion> = {}, stop = new AbortController()) =>
    questions.ask(stop.signal, { ...asked, ...over } as NewQuestion);
  await vi.advanceTimersByTimeAsync(0);
  return { policies, questions, requests, control, state, kept, ask };
}

test('nothing is granted before grants have loaded, and methods do nothing', () => {
  const state = new PolicyState(new Promise(() => undefined));
  state.grant(a);
  state.answer(1, 'always');
  expect([state.view, state.questions, state.requests, state.isTemporary]).toMatchObject([
    { grants: [], secrets: [], local: false },
    [],
    [],
    true,
  ]);
});

test('the policy of the open folder is shown, and changes are stored', async () => {
  const stored = { id: 'w', grants: [{ origin: a, allowed: false }], secrets: [], local: false };
  const { policies, state, kept } = await opened({ w: stored });
  policies.follow('folder-1', 'w');
  expect(state.isTemporary).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect([state.view.grants, state.isTemporary]).toEqual([
    [{ origin: a, allowed: false, visit: false }],
    false,
  ]);
  state.policy?.revoke(a);
  state.grant('https://b.example');
  state.policy?.allowLocal(true);
  state.policy?.addSecret({ origin: a, header: 'Authorization', value: 'Bearer x' });
  state.policy?.addSecret({ origin: a, header: 'X-Key', value: 'y' });
  state.policy?.forgetSecret({ origin: a, header: 'x-key' });
  expect(state.view).toMatchObject({
    grants: [{ origin: 'https://b.example', allowed: true, visit: false }],
    secrets: [{ origin: a, header: 'Authorization' }],
    local: true,
  });
  expect(kept.at(-1)).toMatchObject({
    id: 'w',
    grants: [{ origin: 'https://b.example', allowed: true }],
    secrets: [{ origin: a, header: 'Authorization', value: 'Bearer x' }],
    local: true,
  });
  policies.follow('folder-2', undefined);
  expect([state.view, state.isTemporary]).toMatchObject([
    { grants: [], secrets: [], local: false },
    true,
  ]);
});

test('questions queue, are answered by number, and disappear when they are cancelled', async () => {
  const { state, ask } = await opened();
  const stop = new AbortController();
  const first = ask({}, stop);
  const second = ask({ kind: 'approve', callId: 'd', question: 'Sure?', details: null });
  const third = ask({
    kind: 'call',
    callId: 'e',
    arguments: '{}',
    inSession: false,
    sessionId: '',
  });
  expect(state.questions.map(({ id, kind }) => [id, kind])).toEqual([
    [1, 'network'],
    [2, 'approve'],
    [3, 'call'],
  ]);
  stop.abort();
  expect(state.questions.map(({ id }) => id)).toEqual([2, 3]);
  state.answer(2, 'no', ' because ');
  state.answer(3, 'once');
  state.answer(3, 'always');
  expect([await first, await second, await third, state.questions]).toEqual([
    { reply: null, why: 'given-up' },
    { reply: 'no', reason: 'because' },
    { reply: 'once', reason: '' },
    [],
  ]);
});

test('an origin that is granted by hand is not asked about again', async () => {
  const { state, ask } = await opened();
  const waits = ask();
  state.grant(a);
  expect(await waits).toEqual({ reply: 'always', reason: '' });
  expect([state.view.grants, state.questions]).toEqual([
    [{ origin: a, allowed: true, visit: true }],
    [],
  ]);
});

test('requests are listed, drawn at intervals, and cleared', async () => {
  const { requests, state } = await opened();
  expect(state.requests).toEqual([]);
  for (let n = 0; n < 50; n += 1) requests.add(request);
  expect(state.requests.length).toBeLessThan(50);
  vi.advanceTimersByTime(200);
  expect(state.requests.length).toBe(50);
  state.control?.requests.clear();
  vi.advanceTimersByTime(200);
  expect(state.requests).toEqual([]);
});

test('questions and requests from before it loaded are shown', async () => {
  const { policies, requests, control, ask } = await opened();
  policies.current.grant(a, 'visit');
  void ask();
  requests.add({ ...request, tool: 't:g' });
  const late = new PolicyState(Promise.resolve(control));
  await vi.advanceTimersByTimeAsync(0);
  expect([late.view.grants, late.questions.length, late.requests.map(({ tool }) => tool)]).toEqual([
    [{ origin: a, allowed: true, visit: true }],
    1,
    ['t:g'],
  ]);
});
