/** The limit on questions about new subjects, and the answer that refuses all of them. */

import { expect, test } from 'vitest';
import type { Caller } from '../spec/call.ts';
import { FakeGrants, origin } from './grants.fixture.ts';
import type { NewQuestion } from './questions.ts';

const never = new AbortController().signal;

function question(callId: string): NewQuestion {
  return {
    kind: 'approve',
    question: 'Sure?',
    details: null,
    tool: 't:f',
    file: 't.py',
    callId,
    caller: 'user',
  };
}

const site = (port: number): NewQuestion => ({
  kind: 'site',
  origin: `https://host.example:${port}`,
  tool: '',
  file: '',
  callId: `site ${port}`,
  caller: 'http',
});

for (const [what, ask, max] of [
  ['sites', site, 4],
  [
    'plans of extensions',
    (n: number): NewQuestion => ({
      kind: 'plan',
      tool: 't',
      file: '',
      callId: `p${n}`,
      caller: 'extension',
      plan: { goal: '', tasks: [] },
      needs: { models: [], tools: [], files: [], tests: [], calls: [] },
    }),
    4,
  ],
  [
    'hosts',
    (n: number) =>
      ({
        ...question(`c${n}`),
        kind: 'network',
        origin: `https://h${n}.example`,
        method: 'GET',
        url: '',
      }) as NewQuestion,
    8,
  ],
  [
    'folders’ packages',
    (n: number) =>
      ({ ...question(`f${n}`), kind: 'packages', wanted: [], index: '' }) as NewQuestion,
    8,
  ],
  [
    'extensions',
    (n: number) =>
      ({ ...question(`e${n}`), kind: 'powers', wanted: [], changed: false }) as NewQuestion,
    12,
  ],
] as const) {
  test(`a total of questions about ${what} is asked, until one is allowed`, async () => {
    const { questions } = new FakeGrants();
    const asked = Array.from({ length: 24 }, (_, n) => questions.ask(never, ask(n)));
    expect(questions.list()).toHaveLength(max);
    for (const { id } of questions.list()) questions.answer(id, 'no');
    // The limit also holds for questions that come one after the other.
    expect(await questions.ask(never, ask(30))).toEqual({ reply: null, why: 'too-many' });
    const answers = await Promise.all(asked);
    expect(answers.filter(({ reply }) => reply === 'no')).toHaveLength(max);
    // Other kinds of questions are not affected.
    void questions.ask(never, question('other'));
    expect(questions.list()).toHaveLength(1);
  });

  test(`“Never for all of these” ends questions about ${what}`, async () => {
    const { questions } = new FakeGrants();
    const first = questions.ask(never, ask(1));
    expect(questions.isRepeated(questions.list()[0]!)).toBe(false);
    const second = questions.ask(never, ask(2));
    expect(questions.isRepeated(questions.list()[0]!)).toBe(true);
    questions.refuseAll(questions.list()[0]!.id);
    const refused = { reply: 'never', reason: '', ofAll: true };
    expect(await Promise.all([first, second])).toEqual([refused, refused]);
    expect(questions.list()).toEqual([]);
    if (what !== 'sites')
      expect(await questions.ask(never, ask(3))).toEqual({ reply: null, why: 'never-again' });
  });
}

test('an allowance resets the number of refused questions', async () => {
  const { questions } = new FakeGrants();
  for (const [port, reply] of [
    [1, 'no'],
    [2, 'no'],
    [3, 'always'],
    [4, 'no'],
    [5, 'never'],
    [6, 'no'],
  ] as const) {
    const asked = questions.ask(never, site(port));
    questions.answer(questions.list()[0]!.id, reply);
    expect(await asked).toMatchObject({ reply });
  }
});

test('calls that ask about one host do not use up the questions about hosts', () => {
  const { questions } = new FakeGrants();
  for (let n = 0; n < 20; n += 1)
    void questions.ask(never, {
      kind: 'network',
      origin,
      method: 'GET',
      url: origin,
      tool: 't:f',
      file: 't.py',
      callId: `c${n}`,
      caller: 'model' as Caller,
    });
  expect(questions.list()).toHaveLength(20);
});
