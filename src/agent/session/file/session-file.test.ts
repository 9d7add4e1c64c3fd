/** Exporting and importing sessions. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ToolError } from '../../../runtime/spec/error.ts';
import { wireName } from '../../../runtime/registry/provider-names.ts';
import type { SessionEvent, SessionFact } from '../../../runtime/spec/session.ts';
import { idsOf, readSessionFile, sessionFile } from './session-file.ts';
import { created, factOf, lastKind, model, stamped, wholeTurn } from '../session.fixture.ts';
import { fitTitle } from '../session-head.ts';

const names = {
  nameOf: (id: string) => (id === 'mine' ? 'My provider' : id),
  idOf: (name: string) => (name === 'My provider' ? 'mine' : undefined),
};
const MB = 1024 * 1024;

function read(content: BlobPart, maxBytes = MB): Promise<SessionEvent[]> {
  return readSessionFile(new Blob([content]), names, maxBytes);
}

async function refusal(content: BlobPart, maxBytes = MB): Promise<string> {
  const thrown: unknown = await read(content, maxBytes).catch((error: unknown) => error);
  if (!(thrown instanceof ToolError)) throw new Error('It was not refused.');
  expect([thrown.code, typeof thrown.hint]).toEqual(['bad-input', 'string']);
  return thrown.message;
}

function file(events: readonly unknown[], more: object = {}): string {
  return JSON.stringify({ format: 'cloche-session', version: 1, events, ...more });
}

test('a file names its providers, and has no folder ids and no opaque data', async () => {
  const text = await (await sessionFile(stamped(wholeTurn), names)).text();
  const { format, version, events } = JSON.parse(text) as {
    format: string;
    version: number;
    events: readonly SessionEvent[];
  };
  expect([format, version, events.length, events[0], events[1]]).toEqual([
    'cloche-session',
    1,
    wholeTurn.length,
    { n: 0, at: 1_000, ...created, folderId: '' },
    { n: 1, at: 1_001, type: 'model', model: { ...model, provider: 'My provider' } },
  ]);
  expect(text).not.toMatch(/opaque|signature|folder-1|"mine"/);
});

test('any session is read as it was written, except for the parts that are left out', async () => {
  const facts = fc.array(fc.tuple(fc.integer({ min: 1, max: lastKind }), fc.nat(3), fc.nat(4)));
  await fc.assert(
    fc.asyncProperty(facts, async (choices) => {
      const seen = new Set<string>();
      const facts = choices
        .map(factOf)
        .filter((fact) =>
          idsOf({ n: 0, at: 0, ...fact }).every((id) => !seen.has(id) && seen.add(id)),
        );
      const events = stamped([created, ...facts]);
      const back = await readSessionFile(await sessionFile(events, names), names, MB);
      const expected = events.map((event) => {
        if (event.type === 'created') return { ...event, folderId: '' };
        if (event.type !== 'call-answered') return event;
        const isMore = event.approval === 'session' || event.approval === 'always';
        return isMore ? { ...event, approval: 'once' } : event;
      });
      expect(back).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test('a file with a repeated id is refused', async () => {
  const twice = [...wholeTurn.slice(0, 8), ...wholeTurn.slice(6, 8)];
  await expect(read(file(stamped(twice)))).rejects.toThrow(
    'The file is not a session: Entry 9 has the step step-1 twice.',
  );
});

test('the id of a folder that was opened later is left out as well', async () => {
  const selected = { type: 'selected', tools: [], names: [], folder: 'b', folderId: 'secret' };
  const text = await (await sessionFile(stamped([created, selected as never]), names)).text();
  expect(text).not.toContain('secret');
});

test('a folder id in a file is ignored', async () => {
  const [first] = await read(file(stamped([{ ...created, folderId: 'folder-1' } as SessionFact])));
  expect(first).toMatchObject({ type: 'created', folderId: '' });
});

test('titles and folder names of a file are limited like others', async () => {
  const long = '\u{1f600} x\n'.repeat(300_000);
  const [first, ...rest] = await read(
    file(
      stamped([
        { ...created, folder: long } as SessionFact,
        { type: 'titled', title: long, by: 'user' },
        { type: 'selected', tools: [], names: [], folder: long, folderId: 'theirs' },
        { type: 'titled', title: 'Weather', by: 'user' },
      ]),
    ),
    10 * MB,
  );
  const fit = fitTitle(long);
  expect(fit.length).toBeLessThan(400);
  expect([first, ...rest]).toMatchObject([
    { type: 'created', folder: fit },
    { type: 'titled', title: fit },
    { type: 'selected', folder: fit, folderId: '' },
    { type: 'titled', title: 'Weather' },
  ]);
});

test('a wire name that the registry would not make is dropped', async () => {
  const selected: SessionFact = {
    type: 'selected',
    tools: [
      { name: 'files:delete_all', description: 'Reads', parameters: {}, deferred: false },
      { name: 'notes:read', description: 'Reads', parameters: {}, deferred: false },
    ],
    names: [
      ['files:delete_all', 'notes__read'],
      ['notes:write', 'notes__write'],
      ['notes:a b', await wireName('notes:a b')],
      ['notes:c d', await wireName('notes:a b c')],
    ],
  };
  const [, taken] = await read(file(stamped([created, selected])));
  expect(taken).toEqual({
    n: 1,
    at: 1_001,
    ...selected,
    names: [
      ['notes:write', 'notes__write'],
      ['notes:a b', await wireName('notes:a b')],
    ],
  });
});

test('an unknown provider keeps its name', async () => {
  const [first] = stamped([created]);
  const other = { n: 1, at: 1, type: 'model', model: { provider: 'Theirs', model: 'm' } };
  expect((await read(file([first, other])))[1]).toEqual(other);
});

const [first, second] = stamped(wholeTurn);

test.each([
  ['no JSON', 'hello', /^The file is not a session: It is damaged or incomplete\.$/],
  ['nothing', '', /^The file is not a session: It is damaged or incomplete\.$/],
  ['null', 'null', 'The file is not a session: It is not marked as a session.'],
  ['a list', '[]', 'The file is not a session: It is not marked as a session.'],
  [
    'a format by way of the prototype',
    '{"__proto__":{"format":"cloche-session","version":1,"events":[]}}',
    'The file is not a session: It is not marked as a session.',
  ],
  [
    'another version',
    file([first], { version: 2 }),
    'The file has version 2; this version of Cloche reads version 1.',
  ],
  [
    'a version that is none',
    file([first], { version: { a: 'x'.repeat(100) } }),
    'The file has version {"a":"xxxxxxxxxxxxxx; this version of Cloche reads version 1.',
  ],
  [
    'no version',
    '{"format":"cloche-session"}',
    'The file has version null; this version of Cloche reads version 1.',
  ],
  ['no list', file([], { events: {} }), 'The file is not a session: It has no list of entries.'],
  ['an empty list', file([]), 'The file is not a session: It has no entries.'],
  [
    'a wrong number',
    file([first, { ...second, n: 7 }]),
    'The file is not a session: Entry 2 is not valid: Its number is 7, not 1.',
  ],
  [
    'another beginning',
    file([{ ...second, n: 0 }]),
    'The file is not a session: Only its first entry may say how the session was created.',
  ],
  [
    'two beginnings',
    file([first, { ...first, n: 1 }]),
    'The file is not a session: Only its first entry may say how the session was created.',
  ],
  [
    'an entry that is none',
    file([first, null]),
    'The file is not a session: Entry 2 is not valid: It must be object.',
  ],
  [
    'deep nesting',
    `{"format":"cloche-session","version":1,"events":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`,
    'The file is not a session: Entry 1 is not valid: It is nested more than 200 levels deep.',
  ],
  [
    'a huge list',
    file(new Array(90_000).fill(0)),
    'The file is not a session: Entry 1 is not valid: It must be object.',
  ],
  [
    'too many entries',
    file(new Array(100_001).fill(0)),
    'The file is not imported: It has more than 100000 entries.',
  ],
  [
    'too many values in an entry',
    file([first, { ...first, deep: new Array(200_001).fill([]) }]),
    'The file is not imported: Its entry 2 has more than 200000 values.',
  ],
  [
    'keys of a prototype',
    file([{ ...first, ['__proto__x']: 1 }]).replace('__proto__x', '__proto__'),
    'The file is not a session: Entry 1 is not valid: It has the unknown key “__proto__”, perhaps from a newer version of Cloche.',
  ],
])('a file with %s is refused', async (_, content, message) => {
  const reported = await refusal(content);
  if (typeof message === 'string') expect(reported).toBe(message);
  else expect(reported).toMatch(message);
});

test('a file that is too large is not even read', async () => {
  const large = { size: 2 * MB, text: () => Promise.reject(new Error('read')) } as Blob;
  await expect(readSessionFile(large, names, MB)).rejects.toMatchObject({
    code: 'bad-input',
    message: 'The file is larger than 1 MB, which is more than Cloche can import.',
  });
});

test('a million random bytes are refused', async () => {
  let seed = 7;
  const bytes = Uint8Array.from({ length: 1_000_000 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed >> 16;
  });
  expect(await refusal(bytes)).toMatch(
    /^The file is not a session: It is damaged or incomplete\.$/,
  );
});

test('a corrupted file is refused, or its events are valid and in order', async () => {
  const whole = file(stamped(wholeTurn));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length),
      fc.nat(20),
      fc.oneof(fc.string(), fc.json(), fc.constantFrom('"__proto__":', '[', '1e999', '\ud800')),
      async (at, length, text) => {
        const spoiled = whole.slice(0, at) + text + whole.slice(at + length);
        const events = await read(spoiled).catch((error: unknown) => error);
        if (events instanceof ToolError) expect(events.code).toBe('bad-input');
        else
          expect((events as SessionEvent[]).map(({ n }) => n)).toEqual(wholeTurn.map((_, n) => n));
        expect(({} as Record<string, unknown>).polluted).toBe(undefined);
      },
    ),
    { numRuns: 300 },
  );
});
