import { expect, test } from 'vitest';
import type { RunStore } from '../runner/event-log.ts';
import type { Evaluation } from '../../runtime/spec/evaluation.ts';
import { writeCompileOnly } from '../saved-tests/judged-outcome.ts';
import type { EvalFact, EvalLimits } from './eval-record.ts';
import { EvalRuns, type EvalRunsDeps } from './eval-runs.ts';
import { figuresOf } from './figures.ts';
import type { Trials } from './trial-sessions.ts';

const evaluation: Evaluation = {
  name: 'a',
  parallel: 2,
  steps: 3,
  prompts: [
    { text: 'one', expect: { answer: { includes: 'one' } } },
    { text: 'two', expect: { answer: { includes: 'no' } } },
  ],
};
const plenty: EvalLimits = { requests: 1_000, tokens: 1_000_000, cost: null };

function fakeStore(): RunStore & { readonly runs: Map<string, string[]> } {
  const runs = new Map<string, string[]>();
  return {
    runs,
    load: () => Promise.resolve(runs),
    read: (run, from) => Promise.resolve((runs.get(run) ?? []).slice(from)),
    append: (run, n, event) => {
      const events = runs.get(run) ?? [];
      expect(n).toBe(events.length);
      runs.set(run, [...events, event]);
      return Promise.resolve();
    },
    remove: (run) => {
      runs.delete(run);
      return Promise.resolve();
    },
  };
}

/** @param answer what the model says to a message; it may ask more than once */
function setup(
  store: RunStore,
  answer: (message: string, request: () => void) => Promise<string>,
  more: Partial<Trials> = {},
  page: Partial<EvalRunsDeps> = {},
) {
  let ids = 0;
  const dropped: string[] = [];
  const deps: EvalRunsDeps = {
    store,
    openTrials: () =>
      Promise.resolve({
        begin: (_, onRequest, onUsage) => {
          const session = `s${(ids += 1)}`;
          let text = '';
          let tokens = 0;
          return Promise.resolve({
            session,
            get usage() {
              return { calls: 0, tokens, cost: null };
            },
            calls: [],
            get answer() {
              return text;
            },
            work: async (signal: AbortSignal, message: string) => {
              const stopped = new Promise<never>((_, reject) => {
                signal.addEventListener('abort', () => {
                  reject(new Error('stopped'));
                });
              });
              stopped.catch(() => undefined);
              text = await Promise.race([
                stopped,
                answer(message, () => {
                  onRequest();
                  tokens += 10;
                  onUsage();
                }),
              ]);
              return { end: 'idle' as const };
            },
            close: () => undefined,
          });
        },
        drop: (session) => {
          dropped.push(session);
          return Promise.resolve({ requests: 1, calls: 0, tokens: 10, cost: null });
        },
        compare: () => Promise.resolve([]),
        ask: () => Promise.reject(new Error('no judge')),
        close: () => undefined,
        ...more,
      }),
    hold: () => Promise.resolve(() => undefined),
    isEvaluation: () => true,
    newId: () => 'run',
    announce: () => undefined,
    observeOthers: () => undefined,
    removeSession: () => undefined,
    after: () => () => undefined,
    now: () => 0,
    report: (thrown) => {
      throw thrown;
    },
    ...page,
  };
  return { runs: new EvalRuns(deps), dropped };
}

function fact(limits: EvalLimits = plenty, repeats = 3): Extract<EvalFact, { type: 'created' }> {
  return {
    type: 'created',
    evaluation,
    file: 'evals/a.yaml',
    fileHash: 'f',
    toolsHash: 't',
    folder: 'x',
    folderId: '',
    repeats,
    limits,
    approvals: 'ask',
    models: [{ ref: { provider: 'p', model: 'm' }, name: 'P/m' }],
  };
}

async function ended(runs: EvalRuns): Promise<void> {
  await expect.poll(() => runs.isActive('run')).toBe(false);
}

const echo = (message: string, request: () => void): Promise<string> => {
  request();
  return Promise.resolve(message);
};

test('all prompts are tried as often as wanted, and judged', async () => {
  const { runs } = setup(fakeStore(), echo);
  await runs.start(fact());
  await ended(runs);
  const run = runs.get('run');
  expect(run?.phase).toBe('done');
  expect(figuresOf(run?.trials.values() ?? [])).toMatchObject({
    passed: 3,
    failed: 3,
    errors: 0,
    waiting: 0,
    usage: { requests: 6, tokens: 60 },
  });
});

test('a run stops before the request that would exceed its limit, and continues with a higher limit', async () => {
  const store = fakeStore();
  let asked = 0;
  const { runs } = setup(store, (message, request) => {
    const answer = echo(message, request);
    asked += 1;
    return answer;
  });
  await runs.start(fact({ ...plenty, requests: 4 }));
  await ended(runs);
  expect(asked).toBe(4);
  expect(runs.get('run')).toMatchObject({
    phase: 'stopped',
    reason: 'The limit of 4 requests is reached.',
  });
  await runs.resume('run', plenty);
  await ended(runs);
  expect(runs.get('run')?.phase).toBe('done');
  expect(asked).toBe(6);
});

test('a run with an expression that is not valid Python asks no model, and says where it is', async () => {
  const asked: string[] = [];
  let reasons: readonly string[] = [
    'expression: __import__("re").compile(…) raised PatternError: missing ), where result is ""',
  ];
  const compare = (_: AbortSignal, expect: string): Promise<readonly string[]> => {
    asked.push(expect);
    return Promise.resolve(expect.includes('compile') ? reasons : []);
  };
  let requests = 0;
  const count = (message: string): Promise<string> => {
    requests += 1;
    return Promise.resolve(message);
  };
  const { runs } = setup(fakeStore(), count, { compare });
  const answer = { expression: 'len(text) > 1 # some', regex: '(' };
  const prompts = [...evaluation.prompts, { text: 'three', expect: { answer } }];
  await runs.start({ ...fact(plenty, 1), evaluation: { ...evaluation, prompts } });
  await ended(runs);
  expect(runs.get('run')).toMatchObject({
    phase: 'stopped',
    reason:
      'prompts.2.expect.answer.regex is not valid: PatternError: missing ). Correct it, then start a new run. No model was asked.',
  });
  expect([requests, asked.length]).toEqual([0, 1]);
  reasons = [];
  await runs.resume('run', plenty);
  await ended(runs);
  expect([requests, runs.get('run')?.phase]).toEqual([3, 'done']);
  // The expression is compiled without being evaluated.
  expect(JSON.parse(asked[2] ?? '')).toEqual({
    expression: writeCompileOnly('len(text) > 1 # some'),
  });
});

test('a trial that was interrupted begins anew after a reload, and what it used counts', async () => {
  const store = fakeStore();
  const first = setup(store, (message, request) =>
    message === 'two' ? new Promise(() => undefined) : echo(message, request),
  );
  await first.runs.start(fact(plenty, 1));
  await expect.poll(() => first.runs.get('run')?.trials.get('0.0.0')?.phase).toBe('passed');
  const again = setup(store, echo);
  await again.runs.loaded;
  expect(again.runs.get('run')).toMatchObject({ phase: 'running' });
  await again.runs.resume('run', plenty);
  await ended(again.runs);
  expect(again.dropped).toHaveLength(1);
  expect(again.runs.get('run')).toMatchObject({ phase: 'done', dropped: { requests: 1 } });
  expect(again.runs.usage('run')).toMatchObject({ requests: 3, tokens: 30 });
});

test('a model that asks too often fails its trial, and one that does not answer is an error', async () => {
  const { runs } = setup(fakeStore(), (message, request) => {
    if (message === 'one') for (;;) request();
    return Promise.reject(new Error('The model does not answer.'));
  });
  await runs.start(fact(plenty, 1));
  await ended(runs);
  expect(runs.get('run')?.trials.get('0.0.0')).toMatchObject({
    phase: 'failed',
    usage: { requests: 3 },
    reasons: [{ text: 'The model needed more than 3 requests.', judged: false }],
  });
  expect(runs.get('run')?.trials.get('1.0.0')).toMatchObject({
    phase: 'error',
    reasons: [{ text: 'The model does not answer.', judged: false }],
  });
});

/** Locks that the pages of one browser share. */
function sharedLocks(): EvalRunsDeps['hold'] {
  const held = new Set<string>();
  return (run) => {
    if (held.has(run)) return Promise.resolve(null);
    held.add(run);
    return Promise.resolve(() => void held.delete(run));
  };
}

test('a run that another tab carries out is deleted only once it is stopped there, with its sessions', async () => {
  const store = fakeStore();
  const hold = sharedLocks();
  const removed: string[] = [];
  const here = setup(store, () => new Promise(() => undefined), {}, { hold });
  await here.runs.start(fact(plenty, 1));
  const other = setup(store, echo, {}, { hold, removeSession: (id) => void removed.push(id) });
  await other.runs.loaded;
  await expect(other.runs.remove('run')).rejects.toMatchObject({
    message: 'Another tab controls this run.',
    hint: 'Stop it in that tab.',
  });
  expect(store.runs.get('run')?.[0]).toContain('"created"');
  expect(other.runs.get('run')).toBeDefined();
  expect(removed).toEqual([]);

  await expect.poll(() => store.runs.get('run')?.length).toBe(3);
  here.runs.stop('run');
  await ended(here.runs);
  await other.runs.remove('run');
  expect(store.runs.size).toBe(0);
  expect(other.runs.list()).toEqual([]);
  expect(removed).toEqual(['s1', 's2']);
  // Nothing is appended to a record that is gone.
  await expect(here.runs.resume('run', plenty)).rejects.toMatchObject({ code: 'not-found' });
  expect(store.runs.size).toBe(0);
  // The right to carry it out was given back.
  expect(await hold('run')).not.toBeNull();
});

test('a run that this tab carries out is stopped, then deleted', async () => {
  const store = fakeStore();
  const { runs } = setup(store, () => new Promise(() => undefined), {}, { hold: sharedLocks() });
  await runs.start(fact(plenty, 1));
  await expect.poll(() => store.runs.get('run')?.length).toBe(3);
  await runs.remove('run');
  expect(store.runs.size).toBe(0);
  expect(runs.list()).toEqual([]);
});

test('a record that does not begin with what the run is about is reported once, and can be deleted', async () => {
  const store = fakeStore();
  store.runs.set('run', [
    JSON.stringify({ n: 5, at: 0, type: 'trial-began', trial: '0.0.0', session: 's9' }),
  ]);
  const reports: unknown[] = [];
  const removed: string[] = [];
  let follow: (run: string) => void = () => undefined;
  const page: Partial<EvalRunsDeps> = {
    report: (thrown) => void reports.push(thrown),
    removeSession: (id) => void removed.push(id),
    observeOthers: (listener) => (follow = listener),
  };
  const { runs } = setup(store, echo, {}, page);
  await runs.loaded;
  expect(runs.damaged()).toEqual(['run']);
  expect(runs.list()).toEqual([]);
  follow('run');
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(reports.map(String)).toEqual([
    expect.stringContaining('The stored run run is damaged') as unknown,
  ]);
  await runs.remove('run');
  expect(store.runs.size).toBe(0);
  expect(runs.damaged()).toEqual([]);
  expect(removed).toEqual(['s9']);

  // The same if another tab stores such a record later.
  store.runs.set('later', ['{}']);
  follow('later');
  await expect.poll(() => runs.damaged()).toEqual(['later']);
  expect(reports).toHaveLength(2);
  await runs.remove('later');
  expect(store.runs.size).toBe(0);
});
