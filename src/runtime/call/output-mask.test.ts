/** Tests that keys are masked if a tool returns, prints, logs or raises them. */

import { expect, test } from 'vitest';
import { toBase64 } from '../spec/bytes.ts';
import type { Stream, ToolResult } from '../spec/result.ts';
import { outputMask } from './output-mask.ts';
import { failure, textResult } from './results.ts';

const key = 'sk-Kept/of+the_folder~7';
const mask = () => outputMask(() => [key]);

const hex = (text: string): string => Buffer.from(text).toString('hex');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  reversed: (text) => Array.from(text).toReversed().join(''),
  base64,
  'base64 in other text': (text) => base64(`x:${text}:y`),
  hexadecimal: hex,
  URL: encodeURIComponent,
  JSON: (text) => text.replaceAll('/', '\\/'),
  HTML: (text) => Array.from(Buffer.from(text), (code) => `&#${code};`).join(''),
};

/** Returns a result with the text in every member. */
function resultWith(text: string): ToolResult {
  const json = JSON.stringify({ a: text, n: 1 });
  return failure(`ValueError: ${text}`, `It failed: ${text}`, {
    traceback: `  line 1\nValueError: ${text}`,
    frames: [{ file: `<${text}>`, line: 1, name: text }],
    workspace: {
      name: 'work',
      entries: [{ path: `${text}.txt`, what: 'added', state: 'refused', reason: text }],
      more: 0,
      trouble: text,
    },
    content: [
      { type: 'text', text },
      { type: 'json', text: json },
      { type: 'binary', mediaType: 'text/plain', data: base64(text) },
    ],
    metadata: json,
    updates: [{ n: 0, json }],
    log: [{ level: 'info', message: text }],
    stdout: `${text}\n`,
    stderr: text,
    changes: [{ by: 'guard', what: 'arguments', before: text, after: json }],
  });
}

/** Returns a result as stored text, with its files decoded. */
function stored(result: ToolResult): string {
  const files = result.content.flatMap((part) => ('data' in part ? [atob(part.data)] : []));
  return JSON.stringify(result) + files.join('');
}

test.each(Object.entries(encodings))('a key is masked everywhere: %s', async (_, encode) => {
  const text = encode(key);
  const before = resultWith(text);
  const after = await mask().result(before);
  const runs = Array.from({ length: text.length - 9 }, (_, at) => text.slice(at, at + 10));
  const found = (text: string): string[] =>
    runs.filter((run) => /[a-z0-9]{2}/i.test(run) && text.includes(run));
  // The positive control: without the mask, the key is found.
  expect(found(stored(before))).not.toEqual([]);
  expect(found(stored(after))).toEqual([]);
  // Other text stays, and JSON stays JSON.
  expect(after.error).toMatch(/^ValueError: /);
  for (const json of [after.metadata, after.updates[0]?.json ?? ''])
    expect(JSON.parse(json)).toMatchObject({ n: 1 });
});

test('a result without a key stays as it is, even if it is not valid Unicode', async () => {
  const before = resultWith('nothing \ud800 secret');
  expect(await mask().result(before)).toEqual(before);
  const without = outputMask(() => []);
  expect(await without.result(before)).toBe(before);
});

test('JSON becomes a string if a number in it is masked, but not because of NaN', async () => {
  const digits = outputMask(() => ['12345678']);
  const json = async (text: string): Promise<unknown> => {
    const { content } = await digits.result({
      ...textResult(''),
      content: [{ type: 'json', text }],
      metadata: '{"pin": 12345678}',
    });
    return content[0];
  };
  expect(await json('{"pin": 12345678}')).toEqual({
    type: 'json',
    text: '"{\\"pin\\": ********}"',
  });
  expect(await json('{"pin": "12345678", "x": NaN, "y": -Infinity}')).toEqual({
    type: 'json',
    text: '{"pin": "********", "x": NaN, "y": -Infinity}',
  });
  expect((await digits.result({ ...textResult(''), metadata: '[12345678]' })).metadata).toBe('{}');
});

const stream: Stream = { updates: [], dropped: 0, out: '', err: '', log: [] };

test('a key that is printed in pieces is masked while the call runs', async () => {
  const streams: Stream[] = [];
  const ofCall = mask();
  const watch = ofCall.watch({ onStart: () => undefined, onStream: (one) => streams.push(one) });
  const middle = key.length / 2;
  watch.onStream({ ...stream, out: `key ${key.slice(0, middle)}` });
  watch.onStream({ ...stream, out: `${key.slice(middle)}.`, err: hex(key) });
  watch.onStream({
    ...stream,
    updates: [{ n: 0, json: JSON.stringify({ a: key }) }],
    log: [{ level: 'info', message: base64(key) }],
  });
  await ofCall.result(textResult(''));
  const shown = JSON.stringify(streams);
  expect(streams.map(({ out }) => out).join('')).toBe(`key ${'*'.repeat(key.length)}.`);
  expect(streams).toHaveLength(3);
  for (const text of [key, hex(key), base64(key), key.slice(0, middle)])
    expect(shown).not.toContain(text);
});

test('updates that are dropped because too much text waits are counted in the next message', async () => {
  const streams: Stream[] = [];
  const ofCall = mask();
  const watch = ofCall.watch({ onStart: () => undefined, onStream: (one) => streams.push(one) });
  watch.onStream({ ...stream, dropped: 1, out: 'x'.repeat(16 * 2 ** 20 - 2) });
  watch.onStream({ ...stream, dropped: 2, updates: [{ n: 3, json: '"long"' }] });
  watch.onStream({ ...stream, updates: [{ n: 4, json: '4' }] });
  await ofCall.result(textResult(''));
  expect(streams.map(({ dropped, updates }) => [dropped, updates.length])).toEqual([
    [1, 0],
    [3, 1],
  ]);
});

test('both the old and the new value of a changed key are masked', async () => {
  let keys = ['first-key-1'];
  const ofCall = outputMask(() => keys);
  keys = ['second-key-2'];
  const { stdout } = await ofCall.result({ ...textResult(''), stdout: 'first-key-1 second-key-2' });
  expect(stdout).toBe('*********** ************');
});

test('a long result is masked in steps, between which the page stays responsive', async () => {
  const filler = 'sk-Kept/of+the_fold '.repeat(300_000);
  const bytes = toBase64(new TextEncoder().encode(filler + key));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const after = await mask().result({
    ...textResult(filler + key),
    content: [{ type: 'binary', mediaType: 'text/plain', data: bytes }],
  });
  clearInterval(timer);
  expect(after.textResultForLlm).toBe(filler + '*'.repeat(key.length));
  expect(stored(after)).not.toContain(key);
  expect(turns).toBeGreaterThan(5);
});
