import { afterEach, expect, test, vi } from 'vitest';
import { jsonString, pacedBody } from './paced-body.ts';

afterEach(() => vi.restoreAllMocks());

function body(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  return pacedBody([pieces]);
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
  const reader = pacedBody(parts).getReader();
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
  const waiting = pacedBody(
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
  const stream = pacedBody(never, () => (gone += 1));
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
