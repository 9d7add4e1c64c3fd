/** Searching sessions for words. */

import { expect, test } from 'vitest';
import type { SessionFact } from '../../runtime/spec/session.ts';
import { replaySession } from './reduce.ts';
import { searchSessions, type SearchDeps } from './search-sessions.ts';
import { created, message, stamped, wholeTurn } from './session.fixture.ts';

const { signal } = new AbortController();

function parts(
  sessions: Readonly<Record<string, readonly SessionFact[]>>,
  more: Partial<SearchDeps> = {},
): SearchDeps {
  return {
    heads: Object.entries(sessions).map(([id, facts]) => replaySession(id, stamped(facts)).head),
    store: {
      events: (id, from, max) => {
        const texts = stamped(sessions[id] ?? []).map((event) => JSON.stringify(event));
        return Promise.resolve(texts.slice(from, from + max));
      },
    },
    eventsOf: () => undefined,
    max: 10,
    ...more,
  };
}

async function find(text: string, searched: SearchDeps): Promise<string[]> {
  return (await searchSessions(signal, text, searched)).map(({ head }) => head.id);
}

const long = [created, ...Array.from({ length: 60 }, () => message('x')), message('needle')];
const sessions = {
  weather: wholeTurn,
  trains: [created, message('When does the train to Oslo leave?')],
  long,
};

test.each([
  ['oslo', ['weather', 'trains']],
  ['OSLO train', ['trains']],
  ['weather knows', ['weather']],
  ['needle', ['long']],
  ['hm', []],
  ['tools', []],
  ['', ['weather', 'trains', 'long']],
])('“%s” is found in %j', async (text, found) => {
  expect(await find(text, parts(sessions))).toEqual(found);
});

test('words are found in the title and in messages of both sides', async () => {
  const titled = [...wholeTurn, { type: 'titled', title: 'Norway', by: 'user' } as const];
  expect(await find('norway oslo nobody', parts({ titled }))).toEqual(['titled']);
});

test('the number of results is limited', async () => {
  expect(await find('oslo', parts(sessions, { max: 1 }))).toEqual(['weather']);
});

test('an open session is searched in memory, and a damaged one as far as it can be read', async () => {
  const now = stamped([created, message('only in memory')]);
  const searched = parts(sessions, {
    eventsOf: (id) => (id === 'trains' ? now : undefined),
    store: {
      events: (id) =>
        id === 'weather'
          ? Promise.reject(new Error('broken'))
          : Promise.resolve([
              '{"type":"message"',
              7,
              JSON.stringify(stamped([message('needle')], 2)[0]),
            ]),
    },
  });
  expect([await find('memory', searched), await find('needle', searched)]).toEqual([
    ['trains'],
    ['long'],
  ]);
  expect(await find('weather', searched)).toEqual(['weather']);
});

test('a search can be aborted', async () => {
  const stop = new AbortController();
  const searched = parts(sessions, {
    store: {
      events: () => {
        stop.abort(new Error('enough'));
        return Promise.resolve(new Array(25).fill(''));
      },
    },
  });
  await expect(searchSessions(stop.signal, 'nowhere', searched)).rejects.toThrow('enough');
});

test('a result has the line around the first word that was found in a message, and where that is', async () => {
  const facts = [
    created,
    message(`One\nline. ${'x '.repeat(40)}The NEEDLE is here. ${'y '.repeat(90)}`),
  ];
  const [found] = await searchSessions(signal, 'needle', parts({ facts }));
  const { n = -1, text = '', from = 0, to = 0 } = found?.excerpt ?? {};
  expect([n, text.slice(from, to), text.startsWith('…'), text.endsWith('…')]).toEqual([
    1,
    'NEEDLE',
    true,
    true,
  ]);
  expect(text).toContain('The NEEDLE is here.');
  expect(text.length).toBeLessThan(140);
});

test('the excerpt of an answer names its step, and a title needs none', async () => {
  const [answer] = await searchSessions(signal, 'knows', parts({ wholeTurn }));
  const began = stamped(wholeTurn).findLast(({ type }) => type === 'step-began');
  expect(answer?.excerpt?.n).toBe(began?.n);
  const titled = [...wholeTurn, { type: 'titled', title: 'Norway', by: 'user' } as const];
  const [byTitle] = await searchSessions(signal, 'norway', parts({ titled }));
  expect(byTitle?.excerpt).toBe(null);
});

test.each([
  ['needle', 'Needle'],
  ['i̇stanbul', 'İstanbul'],
  ['👍', '👍'],
])('“%s” is marked in a text that is longer in lower case', async (word, marked) => {
  const text = 'İİ: İstanbul, the Needle 👍 and more';
  const [found] = await searchSessions(signal, word, parts({ facts: [created, message(text)] }));
  const { text: line = '', from = 0, to = 0 } = found?.excerpt ?? {};
  expect([line, line.slice(from, to)]).toEqual([text, marked]);
});
