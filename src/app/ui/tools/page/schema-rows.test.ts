import { expect, test } from 'vitest';
import { parseExact } from '../../../../runtime/spec/exact-json.ts';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { schemaTable } from './schema-rows.ts';

const short = (schema: JsonObject, limit = 100): string[] =>
  schemaTable(schema, limit).rows.map((row) =>
    [
      ' '.repeat(row.depth) + row.name,
      row.type,
      row.required ? 'required' : '',
      ...row.demands,
    ].join('|'),
  );

test('each property is a row with its type and constraints', () => {
  expect(
    short({
      type: 'object',
      required: ['unit'],
      properties: {
        unit: { enum: ['c', 'f'], default: 'c' },
        days: { type: ['integer', 'null'], minimum: 1, maximum: 7 },
        when: { type: 'string', format: 'date', pattern: '^2' },
        tags: {
          type: 'array',
          items: { type: 'array', items: { type: 'number' } },
          uniqueItems: true,
        },
        either: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'string' }] },
        anything: {},
      },
    }),
  ).toEqual([
    'unit|string|required|one of "c", "f"|default "c"',
    'days|integer or null||at least 1|at most 7',
    'when|string||format date|matches ^2',
    'tags|array of array of number||unique items',
    'either|string or integer|',
    'anything|any|',
  ]);
});

test('arrays describe their items, one by one or in general', () => {
  expect(
    short({
      $defs: { color: { enum: ['red', 'blue'] } },
      properties: {
        pair: {
          type: 'array',
          prefixItems: [{ type: 'integer' }, { type: 'string' }],
          minItems: 2,
          maxItems: 2,
        },
        log: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
        colors: { type: 'array', items: { $ref: '#/$defs/color' } },
        closed: { type: 'array', prefixItems: [{ type: 'null' }], items: false },
        plain: { type: 'array' },
        mixed: { enum: ['a', 1, 1.5, null] },
        none: { enum: [] },
      },
    }),
  ).toEqual([
    'pair|array of integer, string||at least 2 items|at most 2 items',
    'log|array of string, then number|',
    'colors|array of string||each one of "red", "blue"',
    'closed|array of null|',
    'plain|array|',
    'mixed|string or integer or number or null||one of "a", 1, 1.5, null',
    'none|any||one of ',
  ]);
});

test('nested objects and lists of objects follow their property, also through references', () => {
  expect(
    short({
      $defs: { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
      properties: {
        at: { $ref: '#/$defs/point' },
        path: { type: 'array', items: { $ref: '#/$defs/point' } },
      },
    }),
  ).toEqual(['at|object|', ' x|number|required', 'path|array of object|', ' x|number|required']);
});

test('a recursive schema and 100,000 properties are cut, and marked as such', () => {
  const node: JsonObject = { type: 'object', properties: { next: { $ref: '#' } } };
  expect(schemaTable(node, 100)).toMatchObject({ cut: 'deeper' });
  const wide = {
    properties: Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`p${String(i)}`, {}]),
    ),
  };
  const table = schemaTable(wide, 200);
  expect(table.cut).toBe('budget');
  const some = { properties: Object.fromEntries(Object.entries(wide.properties).slice(0, 500)) };
  const shown = schemaTable(some, 200);
  expect([shown.rows.length, shown.cut]).toEqual([200, 'more']);
});

test('recursive lists end, and long enumerations are counted', () => {
  const loop: JsonObject = { type: 'array', items: { $ref: '#/properties/a' } };
  const many: JsonObject = { enum: Array.from({ length: 30 }, (_, i) => i) };
  expect(short({ properties: { a: loop, b: { const: 'x'.repeat(1000) }, c: many } })).toEqual([
    'a|array of array of array of array of array|',
    `b|constant||always "${'x'.repeat(159)}…`,
    `c|integer||one of ${Array.from({ length: 24 }, (_, i) => String(i)).join(', ')} and 6 more`,
  ]);
});

test('a schema with members of the wrong type still gives rows', () => {
  expect(short({ properties: { a: true, b: { type: 3, enum: 'x', items: 5 } } })).toEqual([
    'a|any|',
    'b|any|',
  ]);
  expect(schemaTable({ properties: [] }, 5)).toEqual({ rows: [], cut: null });
});

test('alternatives that refer to the same schemas do not multiply, and all others are counted', () => {
  const refs = (level: number): JsonObject[] =>
    Array.from({ length: 12 }, (_, n) => ({ $ref: `#/$defs/${String(level)}`, title: String(n) }));
  const $defs: Record<string, JsonObject> = { 6: { type: 'string' } };
  for (let level = 0; level < 6; level += 1)
    $defs[level] = {
      anyOf: [...refs(level + 1), ...refs(level + 1)],
      items: refs(level + 1)[0] ?? null,
    };
  const properties = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`p${String(n)}`, { $ref: '#/$defs/3' }]),
  );
  const table = schemaTable({ $defs, properties }, 100);
  expect([table.rows.length, table.cut]).toEqual([100, null]);
  expect(table.rows[99]?.type).toBe('string or others');
});

test('a schema whose types are too many is described as far as the budget goes', () => {
  const wide = (from: number): JsonObject => ({
    anyOf: Array.from({ length: 12 }, (_, n) => ({ enum: Array(1_000).fill(from + n) })),
  });
  const properties = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`p${String(n)}`, wide(n)]),
  );
  const table = schemaTable({ properties }, 100);
  expect(table.cut).toBe('budget');
  expect(table.rows[0]?.type).toBe('integer');
});

test('numbers are shown as the schema writes them', () => {
  const schema = parseExact(
    '{"properties": {"a": {"default": 3.0, "maximum": 1e400, "enum": [1.0, 12345678901234567890]}, "b": {"default": {"n": [2.50]}}}}',
  );
  const { rows } = schemaTable(schema as JsonObject, 10);
  expect(rows.map(({ demands }) => demands)).toEqual([
    ['one of 1.0, 12345678901234567890', 'default 3.0', 'at most 1e400'],
    ['default {"n": [2.50]}'],
  ]);
});
