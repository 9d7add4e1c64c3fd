import { expect, test } from 'vitest';
import { MessageDescriber } from './message-description.ts';

const describe = (message: unknown) => new MessageDescriber().describe(message);

test('a message is described by its type or operation, its size, and its content', () => {
  expect(describe({ type: 'cancel', id: 3 })).toEqual({
    kind: 'cancel',
    bytes: 'typecancelid3'.length,
    preview: '{"type": "cancel", "id": 3}',
  });
  expect(describe({ op: 'call', id: 1, on: true, nothing: null }).preview).toBe(
    '{"op": "call", "id": 1, "on": true, "nothing": null}',
  );
});

test('buffers and files count by their size, and their content is left out', () => {
  const message = {
    op: 'files',
    a: new Uint8Array(1_000),
    b: new Blob(['12345']),
    c: new ArrayBuffer(7),
  };
  const { bytes, preview } = describe(message);
  expect(bytes).toBe('opfilesabc'.length + 1_012);
  expect(preview).toBe('{"op": "files", "a": <1,000 bytes>, "b": <5 bytes>, "c": <7 bytes>}');
});

test('a message of the tool worker is named by its header', () => {
  const text = '=' + JSON.stringify({ t: 'stream', id: 4 }) + '\n{"updates":[]}';
  expect(describe(text)).toMatchObject({ kind: 'stream', bytes: text.length, preview: text });
  expect(describe('a later piece')).toMatchObject({ kind: 'text' });
});

test('a Comlink answer is named after its request, once', () => {
  const describer = new MessageDescriber();
  const question = {
    id: 'a',
    type: 'APPLY',
    path: ['start'],
    argumentList: [{ type: 'RAW', value: 5 }],
  };
  expect(describer.describe(question)).toMatchObject({ kind: 'start', preview: '[5]' });
  const answer = { id: 'a', type: 'RAW', value: { ok: true } };
  expect(describer.describe(answer)).toMatchObject({
    kind: 'start answer',
    preview: '{"ok": true}',
  });
  expect(describer.describe(answer)).toMatchObject({ kind: 'RAW' });
});

test('keys, secrets and the values of settings are not described', () => {
  const ask = (method: string, ...values: unknown[]) =>
    describe({
      id: 1,
      type: 'APPLY',
      path: [method],
      argumentList: values.map((value) => ({ type: 'RAW', value })),
    }).preview;
  expect(ask('list', 1, { access: { key: 'sk-1' }, limits: {} })).toBe(
    '[1, {"access": [not shown], "limits": {}}]',
  );
  expect(ask('open', 1, { url: 'u', headers: [['x', 'short']], secrets: ['short'] })).toBe(
    '[1, {"url": "u", "headers": [not shown], "secrets": [not shown]}]',
  );
  expect(ask('setSettings', 1, '{"token":"t"}')).toBe('[not shown]');
  expect(describe({ op: 'settings', id: 1, values: '{"token":"t"}' }).preview).toBe('[not shown]');
});

test('descriptions of long, wide and deep messages have a limited length', () => {
  expect(describe('x'.repeat(10_000_000)).preview).toHaveLength(4_000);
  expect(describe({ list: Array.from({ length: 1_000_000 }, () => 'y') }).preview).toHaveLength(
    4_000,
  );
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(describe(deep).preview).toContain('…');
  expect(describe({ n: 1n << 4_000_000n }).preview).toBe('{"n": <integer>}');
  const path = Array.from({ length: 1_000_000 }, () => 'y');
  expect(describe({ path, id: 1 }).kind).toBe('y.y.y.y.y.y.y.y.y.y');
  // An object without a prototype cannot be joined.
  expect(describe({ path: [Object.create(null), 'a'], id: 1 }).kind).toBe('a');
  let reads = 0;
  const long = new Proxy(new Array<number>(1_000_000).fill(1), {
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  describe({ long });
  expect(reads).toBeLessThan(50_000);
});
