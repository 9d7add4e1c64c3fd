import { expect, test } from 'vitest';
import type { JsonObject } from './json.ts';
import { mapSchemas, pointerKeys, schemaNodes, valueAt } from './schema-walk.ts';

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

test('does not treat values as schemas, even if they look like some', () => {
  const schema: JsonObject = {
    default: { properties: { a: {} } },
    enum: [{ items: {} }],
    const: { not: {} },
    examples: [{ anyOf: [{}] }],
    properties: { properties: { type: 'object' }, default: {} },
  };
  expect(paths(schema)).toEqual(['', 'properties/properties', 'properties/default']);
});

test('knows the base address of references', () => {
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

test('changes each schema, the innermost first, and no values', () => {
  const schema: JsonObject = {
    title: 'root',
    properties: { a: { title: 'a', items: [{ title: 'b' }, true] }, title: { title: 'c' } },
    not: { title: 'd' },
    enum: [{ title: 'value' }],
  };
  const seen: string[] = [];
  const changed = mapSchemas(schema, ({ title, ...rest }) => {
    seen.push(JSON.stringify(title));
    return { ...rest, seen: seen.length };
  });
  expect(seen).toEqual(['"b"', '"a"', '"c"', '"d"', '"root"']);
  expect(changed).toEqual({
    properties: { a: { items: [{ seen: 1 }, true], seen: 2 }, title: { seen: 3 } },
    not: { seen: 4 },
    enum: [{ title: 'value' }],
    seen: 5,
  });
});

test('a deep schema does not overflow the stack', () => {
  let schema: JsonObject = { title: 'innermost' };
  for (let level = 0; level < 100_000; level += 1) schema = { not: schema };
  let changes = 0;
  mapSchemas(schema, (own) => {
    changes += 1;
    return own;
  });
  expect(changes).toBe(100_001);
});

test('follows pointers through own properties alone', () => {
  const root = { $defs: { 'a/b~': [{ type: 'string' }] } };
  expect(valueAt(root, pointerKeys('/$defs/a~1b~0/0/type'))).toBe('string');
  expect(valueAt(root, pointerKeys('/$defs/toString'))).toBeUndefined();
  expect(valueAt(root, pointerKeys('/$defs/a~1b~0/length'))).toBeUndefined();
  expect(valueAt(root, pointerKeys(''))).toBe(root);
});
