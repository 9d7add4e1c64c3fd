/** Validation of events, drafts and heads. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaySession } from '../reduce.ts';
import { checkEvent, readEvent, readDelta, readHead } from './event-format.ts';
import { askedCall, factOf, lastKind, opaque, stamped, wholeTurn } from '../session.fixture.ts';

test('every event is read as it was written', () => {
  fc.assert(
    fc.property(fc.nat(lastKind), fc.nat(3), fc.nat(4), (kind, id, way) => {
      const [event] = stamped([factOf([kind, id, way])], 7);
      expect(readEvent(JSON.stringify(event), 7)).toEqual({ event });
    }),
  );
});

const [first] = stamped(wholeTurn);

test.each([
  ['no text', first, 'It is not JSON.'],
  ['no JSON', '{"n":', 'It is not JSON.'],
  ['an array', '[]', 'It must be object.'],
  [
    'of no kind',
    '{"n":0,"at":1,"type":"__proto__"}',
    'It has the unknown type “__proto__”, perhaps from a newer version of Cloche.',
  ],
  ['without a kind', '{"n":0,"at":1}', 'It has no type, or one that is not text.'],
  [
    'of a kind that is no text',
    '{"n":0,"at":1,"type":{}}',
    'It has no type, or one that is not text.',
  ],
  [
    'a part without a kind',
    '{"n":0,"at":1,"type":"message","id":"m","turnId":"t","steering":false,"parts":[{"text":"a"}]}',
    '/parts/0 has no type, or one that is not text.',
  ],
  [
    'a message of nobody known',
    '{"n":0,"at":1,"type":"compacted","before":0,"messages":[{"role":"judge","parts":[]}]}',
    '/messages/0 has the unknown role “judge”, perhaps from a newer version of Cloche.',
  ],
  [
    'a lack',
    '{"n":0,"at":1,"type":"created","folder":""}',
    "It must have required property 'folderId'.",
  ],
  [
    'too much',
    '{"n":0,"at":1,"type":"turn-began","turnId":"t","__proto__":{"a":1}}',
    'It has the unknown key “__proto__”, perhaps from a newer version of Cloche.',
  ],
  [
    'a part that is none',
    '{"n":0,"at":1,"type":"message","id":"m","turnId":"t","steering":false,"parts":[{"type":"video"}]}',
    '/parts/0 has the unknown type “video”, perhaps from a newer version of Cloche.',
  ],
  [
    'a time without end',
    '{"n":0,"at":1e999,"type":"turn-began","turnId":"t"}',
    '/at must be number.',
  ],
  ['another’s place', '{"n":3,"at":1,"type":"turn-began","turnId":"t"}', 'Its number is 3, not 0.'],
  [
    'a deep one',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    'It is nested more than 200 levels deep.',
  ],
])('%s is refused, and says why', (_, text, wrong) => {
  expect(readEvent(text, 0)).toEqual({ wrong });
});

test('keys such as __proto__ stay keys', () => {
  const text = JSON.stringify(stamped(wholeTurn)[2]).replace(
    '{"type":"object"}',
    '{"__proto__":{"polluted":true},"constructor":{}}',
  );
  const { event } = readEvent(text, 2);
  expect(JSON.stringify(event)).toBe(text);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('any JSON is an event or refused without an exception', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, n) => {
      const { event, wrong } = checkEvent(value as never, n);
      expect(event === undefined).toBe(typeof wrong === 'string');
    }),
  );
});

test('titles that earlier versions stored as given by a person are the user’s', () => {
  const event = { n: 3, at: 1, type: 'titled', title: 'Mine', by: 'person' };
  expect(readEvent(JSON.stringify(event), 3)).toEqual({ event: { ...event, by: 'user' } });
  const { head } = replaySession('s', stamped(wholeTurn));
  const stored = JSON.stringify({ ...head, titled: 'by-person' });
  expect(readHead(stored)).toEqual({ ...head, titled: 'by-user' });
});

test('drafts and heads are read as they were written, and anything else is refused', () => {
  const grown = [
    { part: 0, type: 'text', text: 'a', opaque },
    { part: 1, type: 'writing-call', wire: 'w', arguments: '{' },
    { part: 1, type: 'call', call: askedCall('c') },
  ];
  const { head } = replaySession('s', stamped(wholeTurn));
  expect([readDelta(JSON.stringify(grown)), readHead(JSON.stringify(head))]).toEqual([grown, head]);
  expect([
    readDelta('[{"part":-1,"type":"text","text":""}]'),
    readDelta('[{"part":0,"type":"call","call":{}}]'),
    readDelta(grown),
    readHead('{}'),
    readHead(JSON.stringify({ ...head, extra: 1 })),
    readHead(undefined),
  ]).toEqual([null, null, null, null, null, null]);
});
