import { expect, test, afterEach, vi } from 'vitest';
import { fakeResult } from './api-deps.fixture.ts';
import { resultPieces, writeRunningText, jsonString, createPacedBody } from './http-form.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';

function written(result: ToolResult, cut = false): string {
  return [...resultPieces('c1', result, cut)].join('');
}

function parsed(result: ToolResult, cut = false): unknown {
  return JSON.parse(written(result, cut));
}

test('a success as JSON', () => {
  expect(parsed(fakeResult('Oslo'))).toEqual({
    callId: 'c1',
    state: 'ended',
    resultType: 'success',
    textResultForLlm: 'Oslo',
    content: [{ type: 'text', text: 'Oslo' }],
    metadata: {},
    stdout: '',
    stderr: '',
    isError: false,
    recoverable: false,
    durationMs: 1.5,
    stateLost: false,
    interpreter: 'shared',
  });
});

test('a failure as JSON, with every optional member', () => {
  const result = fakeResult('', {
    resultType: 'failure',
    error: 'ValueError: "no"',
    traceback: 'File "a.py"\n',
    content: [
      { type: 'json', text: '[NaN, 1.0]' },
      { type: 'image', mediaType: 'image/png', data: 'iVBO' },
    ],
    isError: true,
    recoverable: true,
    updates: [{ n: 0, json: '{"done": 12345678901234567890}' }],
    updatesDropped: 3,
    log: [{ level: 'info', message: 'hm' }],
    stdout: 'out\n',
    stderr: 'err',
    outputDropped: 7,
    stateLost: true,
  });
  expect(parsed(result, true)).toEqual({
    callId: 'c1',
    state: 'ended',
    resultType: 'failure',
    textResultForLlm: '',
    error: 'ValueError: "no"',
    traceback: 'File "a.py"\n',
    content: [
      { type: 'json', text: '[NaN, 1.0]' },
      { type: 'image', mediaType: 'image/png', data: 'iVBO' },
    ],
    metadata: {},
    stdout: 'out\n',
    stderr: 'err',
    isError: true,
    recoverable: true,
    durationMs: 1.5,
    stateLost: true,
    interpreter: 'shared',
    outputDropped: 7,
    updatesDropped: 3,
    updates: [{ n: 0, json: '{"done": 12345678901234567890}' }],
    log: [{ level: 'info', message: 'hm' }],
    cut: true,
  });
});

test('numbers in metadata stay exact', () => {
  expect(written(fakeResult('', { metadata: '{"n": 12345678901234567890, "f": 3.0}' }))).toContain(
    '"metadata":{"n": 12345678901234567890, "f": 3.0},',
  );
});

test('NaN and infinities become null, but not inside strings', () => {
  const metadata = String.raw`{"a": NaN, "b": [-Infinity, Infinity], "NaN": "Infinity \" NaN"}`;
  expect(parsed(fakeResult('', { metadata }))).toMatchObject({
    metadata: { a: null, b: [null, null], NaN: 'Infinity " NaN' },
  });
});

test.each(['', 'nope', '[]', '{}, "resultType": "success"', '{"a": 1'])(
  'metadata %j, which is not an object, is replaced by {}',
  (metadata) => {
    expect(parsed(fakeResult('', { metadata, resultType: 'failure' }))).toMatchObject({
      metadata: {},
      resultType: 'failure',
    });
  },
);

test('a running call says where its result will be', () => {
  expect(JSON.parse(writeRunningText('c1'))).toEqual({
    callId: 'c1',
    state: 'running',
    rest: 'api/calls/c1',
  });
});

afterEach(() => vi.restoreAllMocks());

function body(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  return createPacedBody([pieces]);
}

test('small pieces share a chunk', async () => {
  const chunks: string[] = [];
  for await (const chunk of body(['{', '"a"', ':', 'é}']))
    chunks.push(new TextDecoder().decode(chunk));
  expect(chunks).toEqual(['{"a":é}']);
});

test('a part is sent as soon as it is written, before the next ones exist', async () => {
  let next: (part: string[]) => void = () => {};
  const second = new Promise<string[]>((resolve) => (next = resolve));
  const parts = (async function* () {
    yield ['a', 'b'];
    yield await second;
  })();
  const reader = createPacedBody(parts).getReader();
  expect((await reader.read()).value).toEqual(new TextEncoder().encode('ab'));
  next(['c']);
  expect((await reader.read()).value).toEqual(new TextEncoder().encode('c'));
  expect((await reader.read()).done).toBe(true);
});

test('no parts make an empty body', async () => {
  expect(await new Response(body([])).text()).toBe('');
});

test('long text comes in chunks, and other tasks run between time slices', async () => {
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  function* slow(): Generator<string> {
    for (let piece = 0; piece < 10; piece += 1) {
      time += 5;
      yield 'x'.repeat(60_000);
    }
  }
  let turns = 0;
  // Counts turns of the event loop, however short.
  let other = setImmediate(function again() {
    turns += 1;
    other = setImmediate(again);
  });
  const sizes: number[] = [];
  for await (const chunk of body(slow())) sizes.push(chunk.byteLength);
  clearImmediate(other);
  expect(sizes).toEqual([120_000, 120_000, 120_000, 120_000, 120_000]);
  expect(turns).toBeGreaterThan(0);
});

test('time spent waiting for the first piece does not count as work', async () => {
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const { port1, port2 } = new MessageChannel();
  let turns = 0;
  port1.onmessage = () => (turns += 1);
  const waiting = createPacedBody(
    (async function* () {
      time += 1_000;
      port2.postMessage(null);
      yield await Promise.resolve(['{}']);
    })(),
  );
  expect([await new Response(waiting).text(), turns]).toEqual(['{}', 0]);
  port1.close();
});

test('an error in the pieces reaches the reader', async () => {
  function* broken(): Generator<string> {
    yield '{';
    throw new Error('no more');
  }
  await expect(new Response(body(broken())).text()).rejects.toThrow('no more');
});

test('a reader that disconnects is reported', async () => {
  let gone = 0;
  const never = (async function* () {
    yield await new Promise<string[]>(() => {});
  })();
  const stream = createPacedBody(never, () => (gone += 1));
  await stream.cancel();
  expect(gone).toBe(1);
});

test.each([
  '',
  'plain',
  '"\\\n\u2028',
  '\ud800 alone',
  '\u{1f514}'.repeat(70_000),
  `${'a'.repeat(65_535)}\u{1f514}b`,
])('a string written in pieces is the same JSON as JSON.stringify', (text) => {
  expect([...jsonString(text)].join('')).toBe(JSON.stringify(text));
});
