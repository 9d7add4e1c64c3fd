import { expect, test } from 'vitest';
import type { JsonObject } from '../../../spec/json.ts';
import { argumentTemplate } from './argument-template.ts';

const template = (parameters: JsonObject, examples: JsonObject[] = []): unknown =>
  JSON.parse(argumentTemplate({ parameters, examples }));

test('the first example is used', () => {
  expect(template({ type: 'object', required: ['a'] }, [{ location: 'Oslo' }, {}])).toEqual({
    location: 'Oslo',
  });
});

test('required properties and those with defaults are included, in order', () => {
  const text = argumentTemplate({
    examples: [],
    parameters: {
      type: 'object',
      required: ['location', 'days', 'unit', 'tags', 'where'],
      properties: {
        location: { type: 'string' },
        note: { type: 'string' },
        days: { type: 'integer', minimum: 3 },
        unit: { enum: ['c', 'f'] },
        limit: { type: 'integer', default: 10 },
        tags: { type: 'array' },
        where: {
          type: 'object',
          required: ['exact'],
          properties: { exact: { type: ['boolean', 'null'] } },
        },
      },
    },
  });
  expect(text).toBe(
    JSON.stringify(
      { location: '', days: 3, unit: 'c', limit: 10, tags: [], where: { exact: false } },
      null,
      2,
    ),
  );
});

test('local references are followed, and endless ones end', () => {
  expect(
    template({
      $defs: {
        node: {
          type: 'object',
          required: ['next'],
          properties: { next: { $ref: '#/$defs/node' } },
        },
      },
      required: ['node', 'lost', 'self'],
      properties: {
        node: { $ref: '#/$defs/node' },
        lost: { $ref: 'https://example.org/x' },
        self: { $ref: '#/properties/self' },
      },
    }),
  ).toEqual({ node: { next: { next: { next: { next: { next: {} } } } } }, lost: '', self: '' });
});

test('an array with required items contains them, and another is empty', () => {
  const pair = { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] };
  const loop = { type: 'array', minItems: 1e9, items: { $ref: '#/properties/loop' } };
  const filled = template({
    required: ['pair', 'free', 'names', 'open', 'loop'],
    properties: {
      pair: { ...pair, minItems: 2, maxItems: 2 },
      free: pair,
      names: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 3 },
      open: { type: 'array', minItems: 2 },
      loop,
    },
  }) as Record<string, unknown>;
  expect(filled).toMatchObject({ pair: [0, ''], free: [], names: ['a', 'a', 'a'], open: [] });
  expect(JSON.stringify(filled.loop).length).toBeLessThan(2_000);
});

test('a hostile schema neither throws nor pollutes prototypes', () => {
  const parameters = JSON.parse(
    '{"type": "object", "required": ["__proto__", 7, "toString"], "properties": {"__proto__": {"type": "integer"}, "toString": null}}',
  ) as JsonObject;
  expect(argumentTemplate({ parameters, examples: [] })).toBe(
    '{\n  "__proto__": 0,\n  "toString": ""\n}',
  );
  expect(template({ properties: 'no' })).toEqual({});
});
