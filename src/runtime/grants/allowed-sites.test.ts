/** The user decides about each origin once; "Not now" lasts for half a minute, and other decisions until they are revoked. */

import { expect, test } from 'vitest';
import { AllowedSites } from './allowed-sites.ts';
import { Questions, type Reply } from './questions.ts';

const docs = 'https://docs.example';
const { signal } = new AbortController();

function setUp(stored = new Map<string, string>()) {
  const report = (thrown: unknown): void => {
    throw thrown;
  };
  let now = 0;
  const questions = new Questions({
    whyUnaskable: () => null,
    after: () => () => undefined,
    report,
  });
  const memory = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const open = () => new AllowedSites({ memory, base: '/app/', questions, now: () => now, report });
  return {
    stored,
    questions,
    open,
    sites: open(),
    pass: (ms: number) => (now += ms),
    answer: (reply: Reply) => {
      questions.answer(questions.list()[0]?.id ?? 0, reply);
    },
  };
}

test('an origin is asked for once, and the stored answer counts in other pages too', async () => {
  const { sites, questions, answer, open, stored } = setUp();
  const asking = [sites.ask(signal, docs), sites.ask(signal, docs)];
  expect(questions.list()).toMatchObject([{ kind: 'site', origin: docs }]);
  answer('always');
  expect(await Promise.all(asking)).toEqual([true, true]);
  expect([await sites.ask(signal, docs), open().isAllowed(docs)]).toEqual([true, true]);
  expect(open().isAllowed(`${docs}:8443`)).toBe(false);
  expect([...stored.keys()]).toEqual(['cloche:sites:/app/']);
  expect(questions.list()).toEqual([]);
});

test('an answer for the visit is not stored; a blocked origin is not asked for again', async () => {
  const { sites, answer, open, questions } = setUp();
  const visit = sites.ask(signal, docs);
  answer('visit');
  expect([await visit, sites.isAllowed(docs), open().isAllowed(docs)]).toEqual([true, true, false]);
  const blocked = sites.ask(signal, 'https://bad.example');
  answer('never');
  expect(await blocked).toBe(false);
  expect(await open().ask(signal, 'https://bad.example')).toBe(false);
  expect(questions.list()).toEqual([]);
  expect(sites.list()).toMatchObject([
    { origin: 'https://bad.example', allowed: false, stored: true },
    { origin: docs, allowed: true, stored: false },
  ]);
});

test('after "Not now", and if the question is withdrawn, nothing is asked for half a minute', async () => {
  const { sites, answer, pass, questions } = setUp();
  const first = sites.ask(signal, docs);
  answer('no');
  expect([await first, await sites.ask(signal, docs)]).toEqual([false, false]);
  expect(questions.list()).toEqual([]);
  pass(30_000);
  const again = sites.ask(signal, docs);
  expect(questions.list()).toHaveLength(1);
  answer('always');
  expect(await again).toBe(true);
});

test('a page that asks and goes away cannot withdraw the question', async () => {
  const { sites, questions, answer } = setUp();
  const gone = new AbortController();
  const asking = sites.ask(gone.signal, docs);
  gone.abort();
  await Promise.resolve();
  expect(questions.list()).toHaveLength(1);
  answer('no');
  expect(await asking).toBe(false);
});

test('a revoked origin is asked for again, and listeners are notified', async () => {
  const { sites, answer, questions } = setUp();
  let changes = 0;
  sites.observe(() => (changes += 1));
  const allowed = sites.ask(signal, docs);
  answer('always');
  await allowed;
  sites.revoke(docs);
  expect([sites.isAllowed(docs), sites.list(), changes]).toEqual([false, [], 2]);
  void sites.ask(signal, docs);
  expect(questions.list()).toHaveLength(1);
});

test('a decision of another tab is followed', async () => {
  const { sites, answer, open } = setUp();
  const allowed = sites.ask(signal, docs);
  answer('always');
  await allowed;
  const seen: boolean[] = [];
  sites.observe(() => seen.push(sites.isAllowed(docs)));
  open().revoke(docs);
  sites.changedElsewhere('another');
  sites.changedElsewhere('cloche:sites:/app/');
  expect(seen).toEqual([false]);
});

test.each(['', 'x', '{}', '[1, {"origin": 1}]', '[{"origin": "https://docs.example"}]'])(
  'stored text %j allows nothing',
  (text) => {
    const { sites } = setUp(new Map([['cloche:sites:/app/', text]]));
    expect([sites.isAllowed(docs), sites.list()]).toEqual([false, []]);
  },
);

test('without storage, decisions last for the visit', async () => {
  const { questions, answer } = setUp();
  const report = (): void => undefined;
  const sites = new AllowedSites({ memory: null, base: '/', questions, now: () => 0, report });
  const asking = sites.ask(signal, docs);
  answer('always');
  expect([await asking, sites.isAllowed(docs)]).toEqual([true, true]);
});

test('after “Never for all of these”, no further site is asked for until that is revoked', async () => {
  const { sites, open, questions } = setUp();
  const asking = [1, 2, 3].map((port) => sites.ask(signal, `${docs}:${port}`));
  questions.refuseAll(questions.list()[0]!.id);
  expect(await Promise.all(asking)).toEqual([false, false, false]);
  for (const list of [sites, open()])
    expect(await list.ask(signal, 'https://other.example')).toBe(false);
  expect(questions.list()).toEqual([]);
  expect(sites.list()).toContainEqual({ origin: '*', allowed: false, stored: true, since: 0 });
  sites.revoke('*');
  void sites.ask(signal, 'https://other.example');
  expect(questions.list()).toMatchObject([{ origin: 'https://other.example' }]);
});

test('an allowed site keeps its access after “Never for all of these”', () => {
  const stored = new Map([
    [
      'cloche:sites:/app/',
      JSON.stringify([
        { origin: docs, allowed: true, since: 0 },
        { origin: '*', allowed: true, since: 0 },
      ]),
    ],
  ]);
  const { sites } = setUp(stored);
  // A stored entry can block all origins, but never allow them.
  expect([sites.isAllowed(docs), sites.isAllowed('https://other.example')]).toEqual([true, false]);
});
