/** Tests of finding the subschemas of a schema. */

import { expect, test } from 'vitest';
import type { JsonObject } from '../spec/json.ts';
import { schemaNodes, withoutSubschemas } from './schema-nodes.ts';

function paths(schema: JsonObject): string[] {
  return [...schemaNodes(schema)].map((node) => node.path.join('/'));
}

test('finds subschemas under every keyword that holds them, level by level', () => {
  const schema: JsonObject = {
    properties: { a: { items: { not: {} } }, b: true },
    patternProperties: { '^x': {} },
    additionalProperties: { type: 'string' },
    anyOf: [{}, false, { if: {}, then: {}, else: {} }],
    items: [{}],
    $defs: { d: { dependentSchemas: { k: {} } } },
    dependencies: { names: ['a'], schema: {} },
  };
  expect(paths(schema)).toEqual([
    '',
    'properties/a',
    'patternProperties/^x',
    'additionalProperties',
    'anyOf/0',
    'anyOf/2',
    'items/0',
    '$defs/d',
    'dependencies/schema',
    'properties/a/items',
    'anyOf/2/if',
    'anyOf/2/then',
    'anyOf/2/else',
    '$defs/d/dependentSchemas/k',
    'properties/a/items/not',
  ]);
});

test('takes values for values, even where they look like schemas', () => {
  const schema: JsonObject = {
    default: { properties: { a: {} } },
    enum: [{ items: {} }],
    const: { not: {} },
    examples: [{ anyOf: [{}] }],
    properties: { properties: { type: 'object' }, default: {} },
  };
  expect(paths(schema)).toEqual(['', 'properties/properties', 'properties/default']);
});

test('knows the address that references start from', () => {
  const schema: JsonObject = {
    $id: 'https://example.org/a/root.json',
    $defs: { inner: { $id: 'inner.json', items: {} }, anchor: { $id: '#name' } },
  };
  expect([...schemaNodes(schema)].map((node) => node.base)).toEqual([
    'https://example.org/a/root.json',
    'https://example.org/a/inner.json',
    'https://example.org/a/root.json',
    'https://example.org/a/inner.json',
  ]);
});

test('empties a schema of its subschemas and keeps the rest', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"b":5,"c":false},"items":{"a":1},"anyOf":[{},"x",{},"y"],"oneOf":[{},{}],"allOf":[],"not":true,"enum":[{"items":{}}],"required":["b"]}',
  ) as JsonObject;
  expect(JSON.stringify(withoutSubschemas(schema))).toBe(
    '{"type":"object","properties":{"b":5},"items":true,"anyOf":[true,"x"],"oneOf":[true],"allOf":[],"not":true,"enum":[{"items":{}}],"required":["b"]}',
  );
});
