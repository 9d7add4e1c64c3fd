import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { inferSchema } from './inferred-schema.ts';

const code = 'return {"city": city, "days": [{"low": 1, "high": 2}], "note": None, "found": {}}';

function schemaOf(values: readonly Json[], args: Json = {}, source = code) {
  const run = (value: Json) => ({
    arguments: JSON.stringify(args),
    value: JSON.stringify(value),
  });
  return inferSchema(values.map(run), source);
}

test('names and types are kept, and no value', () => {
  const days = [{ low: 1, high: 2.5 }, { low: 3 }];
  expect(schemaOf([{ city: 'Oslo', days, note: null }])).toEqual({
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: {
        type: 'array',
        items: {
          type: 'object',
          properties: { low: { type: 'integer' }, high: { type: 'number' } },
        },
      },
      note: { type: 'null' },
    },
  });
});

test('members that three results have are required, and types are joined', () => {
  const results = [{ city: 'a', note: null }, { city: 'b', note: 'x' }, { city: 'c' }];
  expect(schemaOf(results)).toEqual({
    type: 'object',
    properties: { city: { type: 'string' }, note: { type: ['null', 'string'] } },
    required: ['city'],
  });
});

const maps: readonly [string, readonly Json[], Json?][] = [
  ['keys that the code does not have', [{ alice: 3, bob: 5 }]],
  ['one such key', [{ alice: 3 }]],
  ['keys that are not identifiers', [{ 'a@example.org': 'x', '2024-01-01': 3 }]],
  ['keys that differ between runs', [{ alice: 1, tags: [] }, { bob: 2 }]],
  ['keys from the arguments', [{ alice: 1, tags: [] }], { names: ['alice', 'tags'] }],
  [
    'more keys than a record has',
    [Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`k${n}`, n % 2 ? n : 'x']))],
  ],
];

for (const [what, values, args] of maps)
  test(`an object is a map if it has ${what}`, () => {
    const schema = schemaOf(values, args);
    expect(schema).toHaveProperty('additionalProperties');
    expect(schema).not.toHaveProperty('properties');
    expect(JSON.stringify(schema)).not.toMatch(/alice|bob|example|2024|k1/);
  });

test('an object may have names and data as keys', () => {
  expect(schemaOf([{ city: 'Oslo', alice: { low: 1 }, bob: { low: 2 } }])).toEqual({
    type: 'object',
    properties: { city: { type: 'string' } },
    additionalProperties: { type: 'object', properties: { low: { type: 'integer' } } },
  });
});

test('names that the code only passes on are kept if they always occur, with different types', () => {
  const results = [
    { id: 1, title: 'x', done: true },
    { id: 2, title: 'y', done: false },
  ];
  expect(schemaOf(results)).toMatchObject({
    properties: { id: {}, title: {}, done: {} },
  });
});

test('results that are neither lists nor objects say nothing', () => {
  expect(schemaOf(['text', 3])).toBeNull();
  expect(inferSchema([{ arguments: '{}', value: '{"a": NaN}' }], code)).toBeNull();
});

test('hostile results are bounded', () => {
  let deep: Json = [];
  for (let level = 0; level < 5_000; level += 1) deep = [deep];
  const wide = Array.from({ length: 20_000 }, (_, n) => ({ [`k${n}`]: n }));
  const names = Array.from({ length: 40 }, (_, n) => `n${n}`);
  const nested = (depth: number): Json =>
    depth === 0 ? 1 : Object.fromEntries(names.map((name) => [name, nested(depth - 1)]));
  const schemas = [deep, wide, nested(2)].map((value) => schemaOf([value], {}, names.join(' ')));
  for (const schema of schemas) expect(JSON.stringify(schema).length).toBeLessThan(20_000);
  expect(JSON.stringify(schemas[0]).split('items')).toHaveLength(7);
});

test('keys of prototypes are ordinary data', () => {
  const value = JSON.parse('{"__proto__": 1, "constructor": 2}') as Json;
  expect(schemaOf([value])).toEqual({ type: 'object', additionalProperties: { type: 'integer' } });
});
