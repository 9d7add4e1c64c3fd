import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type JsonNode,
  nodesIn,
  replaceTokens,
  rootNode,
  scalarEnd,
  tokenEnd,
} from './json-tokens.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

function tokens(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = tokenEnd(text, at);
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

test('signs, strings, runs of spaces and runs of other characters are tokens', () => {
  expect(tokens('{"a\\"}":\n  -1.0e5,[NaN\u00a0] "\\\\""open')).toEqual([
    '{',
    '"a\\"}"',
    ':',
    '\n  ',
    '-1.0e5',
    ',',
    '[',
    'NaN\u00a0',
    ']',
    ' ',
    '"\\\\"',
    '"open',
  ]);
});

test('the tokens join to the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('{}[]:,"\\ \n1-ax')) }), (text) => {
      expect(tokens(text).join('')).toBe(text);
      expect(replaceTokens(text, () => undefined)).toBe(text);
    }),
  );
});

test('tokens are replaced one by one', () => {
  const text = '{"NaN": NaN, "b": [NaN]}';
  const replaced = replaceTokens(text, (start, end) =>
    text.slice(start, end) === 'NaN' ? 'null' : undefined,
  );
  expect(replaced).toBe('{"NaN": null, "b": [null]}');
});

test.each(['01', '1.', '+1', '-', '1e', 'nul', 'nulls', 'NaN', '1x'])('%s is no scalar', (text) => {
  expect(scalarEnd(text, 0)).toBe(-1);
});

test('an unclosed string of escaped quotes is read in linear time', () => {
  const text = `{"a": "${'\\"'.repeat(2_000_000)}`;
  const started = threadMs();
  expect(tokens(text).length).toBe(5);
  expect(threadMs() - started).toBeLessThan(2_000);
});

function level(text: string, max = 100): [JsonNode['key'], string, string][] {
  return nodesIn(text, rootNode(text), max).nodes.map(({ key, kind, start, end }) => [
    key,
    kind,
    text.slice(start, end),
  ]);
}

test('members keep their order and their spelling', () => {
  const text = ' { "10": 12345678901234567890, "2" :3.0 ,"a\\"b": [1, {"x": "]"}], "t": true } ';
  expect(level(text)).toEqual([
    ['10', 'number', '12345678901234567890'],
    ['2', 'number', '3.0'],
    ['a"b', 'array', '[1, {"x": "]"}]'],
    ['t', 'word', 'true'],
  ]);
});

test('items are numbered from 0', () => {
  expect(level('["a\\\\", null, {}]')).toEqual([
    [0, 'string', '"a\\\\"'],
    [1, 'word', 'null'],
    [2, 'object', '{}'],
  ]);
});

test('no more members are read than requested', () => {
  const text = JSON.stringify(Array.from({ length: 500 }, (_, i) => i));
  const { nodes, more } = nodesIn(text, rootNode(text), 10);
  expect([nodes.length, more]).toEqual([10, true]);
  expect(nodesIn('[1, 2]', rootNode('[1, 2]'), 2).more).toBe(false);
});

test('a value without members has none, and invalid JSON ends', () => {
  expect(level('"text"')).toEqual([]);
  expect(level('{}')).toEqual([]);
  for (const broken of ['', '{', '[,,]', '{"a"', '{"a": }', '[1 2', '"']) level(broken);
});

/** Parses a value by walking it. */
function read(text: string, node: JsonNode): unknown {
  if (node.kind !== 'object' && node.kind !== 'array')
    return JSON.parse(text.slice(node.start, node.end)) as unknown;
  const { nodes } = nodesIn(text, node, 1e6);
  if (node.kind === 'array') return nodes.map((each) => read(text, each));
  return Object.fromEntries(nodes.map((each) => [String(each.key), read(text, each)]));
}

test('walking any JSON gives the same value', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      expect(read(spaced, rootNode(spaced))).toEqual(JSON.parse(spaced));
    }),
  );
});
