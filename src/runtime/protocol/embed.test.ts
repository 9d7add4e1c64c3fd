import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  embedLimits,
  MessageRate,
  readFromPlayground,
  readSetup,
  readToPlayground,
  requestNumber,
  type PlaygroundSetup,
} from './embed.ts';

const setup: PlaygroundSetup = {
  page: 'a1-b2',
  files: [{ path: 'example.py', text: 'x = 1' }],
  packages: ['numpy'],
  tool: 'example:f',
  arguments: '{"a": 1.0}',
  view: 'form',
  autorun: true,
  readonly: false,
  recording: '',
  look: { scheme: 'dark', values: { accent: 'red' }, labels: { run: 'Los' } },
};

test('a setup is read as it was sent, without what does not belong to it', () => {
  expect(readSetup(setup)).toEqual(setup);
  const more = {
    ...setup,
    extra: 1,
    look: { ...setup.look, values: { accent: 'red', other: 'x' } },
  };
  expect(readSetup(more)).toEqual(setup);
});

test.each([
  ['no object', null],
  ['a page that is no name', { ...setup, page: '../other' }],
  ['an unknown view', { ...setup, view: 'wide' }],
  ['no list of files', { ...setup, files: {} }],
  ['a file without a path', { ...setup, files: [{ path: '', text: '' }] }],
  ['a file whose text is no text', { ...setup, files: [{ path: 'a.py', text: 1 }] }],
  [
    'too many files',
    { ...setup, files: Array.from({ length: 51 }, (_, n) => ({ path: `${n}.py`, text: '' })) },
  ],
  ['the same file twice', { ...setup, files: [setup.files[0], setup.files[0]] }],
  [
    'files that are too long together',
    { ...setup, files: [1, 2].map((n) => ({ path: `${n}`, text: 'x'.repeat(600_000) })) },
  ],
  ['arguments that are too long', { ...setup, arguments: 'x'.repeat(200_001) }],
  ['too many packages', { ...setup, packages: Array.from({ length: 21 }, () => 'a') }],
  ['an unknown scheme', { ...setup, look: { ...setup.look, scheme: 'blue' } }],
  ['a flag that is no flag', { ...setup, autorun: 'yes' }],
])('a setup with %s is refused', (_, value) => {
  expect(readSetup(value)).toBeNull();
});

test('labels and colours that are too long are left out, and the rest stays', () => {
  const look = {
    scheme: 'light',
    values: { accent: 'x'.repeat(301) },
    labels: { run: 'x'.repeat(61), stop: 'Halt' },
  };
  expect(readSetup({ ...setup, look })?.look).toEqual({
    scheme: 'light',
    values: {},
    labels: { stop: 'Halt' },
  });
});

test.each([
  { type: 'run', id: 1 },
  { type: 'cancel' },
  { type: 'files', id: 2, files: setup.files },
  { type: 'arguments', id: 3, arguments: '{}' },
  { type: 'look', look: setup.look },
])('a message of the page is read: $type', (message) => {
  expect(readToPlayground({ ...message, extra: true })).toEqual(message);
});

const result = {
  callId: 'c',
  tool: 't',
  resultType: 'success',
  text: '6',
  error: '',
  durationMs: 1.5,
} as const;

test.each([
  { type: 'ready' },
  { type: 'height', height: 300 },
  { type: 'change', files: setup.files, tool: 't', arguments: '{}' },
  { type: 'call', callId: 'c', tool: 't', arguments: '{}' },
  { type: 'result', ...result },
  { type: 'error', code: 'x', message: 'y', hint: '' },
  { type: 'answer', id: 4, result, failed: null },
  { type: 'answer', id: 4, result: null, failed: 'no' },
])('a message of the frame is read: $type', (message) => {
  expect(readFromPlayground({ ...message, extra: true })).toEqual(message);
});

test.each([
  { type: 'height', height: NaN },
  { type: 'height', height: -1 },
  { type: 'height', height: embedLimits.height + 1 },
  { type: 'height', height: '3' },
  { type: 'result', ...result, resultType: 'odd' },
  { type: 'answer', id: -1, result: null, failed: null },
  { type: 'navigate', url: 'https://example.org' },
  { type: '__proto__' },
])('a message of the frame is dropped: %j', (message) => {
  expect(readFromPlayground(message)).toBeNull();
});

test('nothing that is sent makes a reader throw, or gets more than it may hold', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
      for (const read of [readSetup, readToPlayground, readFromPlayground]) read(value);
      const nested = { ...setup, look: value, files: value, type: 'files', id: value };
      expect(readSetup(nested)?.files.length ?? 0).toBeLessThanOrEqual(embedLimits.files);
      readToPlayground(nested);
    }),
  );
});

test('messages above the rate are not read until the next second, and a flood is detected', () => {
  const rate = new MessageRate();
  const all = Array.from({ length: embedLimits.floodPerSecond + 1 }, () => rate.count(5_100));
  const count = (wanted: string): number => all.filter((each) => each === wanted).length;
  expect([count('read'), count('flood')]).toEqual([embedLimits.messagesPerSecond, 1]);
  expect(all.at(-2)).toBe('many');
  expect(rate.count(6_000)).toBe('read');
});

test.each([
  [{ type: 'run', id: 3 }, 3],
  [{ type: 'cancel' }, null],
  [{ id: -1 }, null],
  ['run', null],
])('the number of a refused request: %j', (message, expected) => {
  expect(requestNumber(message)).toBe(expected);
});
