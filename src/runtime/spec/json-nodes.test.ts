import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodesIn, rootNode, type JsonNode } from './json-nodes.ts';

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
