import { expect, test } from 'vitest';
import { parseExact } from '../../../../runtime/spec/exact-json.ts';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { argumentTemplate } from './argument-template.ts';

const template = (parameters: JsonObject, examples: JsonObject[] = []): unknown =>
  JSON.parse(argumentTemplate({ parameters, examples }));

test('the first example is used', () => {
  expect(template({ type: 'object', required: ['a'] }, [{ location: 'Oslo' }, {}])).toEqual({
    location: 'Oslo',
  });
});

test('the numbers of an example keep their spelling', () => {
  const examples = [
    parseExact('{"n": 3.0, "big": 12345678901234567890, "in": [1e5]}') as JsonObject,
  ];
  expect(argumentTemplate({ parameters: {}, examples })).toBe(
    '{\n  "n": 3.0,\n  "big": 12345678901234567890,\n  "in": [\n    1e5\n  ]\n}',
  );
});

test('defaults and constants are included in order, and no value is made up', () => {
  const text = argumentTemplate({
    examples: [],
    parameters: {
      type: 'object',
      required: ['location', 'days', 'unit', 'tags', 'where', 'sure', 'maybe', 'kind', 'free'],
      properties: {
        location: { type: 'string' },
        note: { type: 'string' },
        days: { type: 'integer', minimum: 3 },
        unit: { enum: ['c', 'f'] },
        limit: { type: 'integer', default: 10 },
        tags: { type: 'array' },
        sure: { type: 'boolean' },
        maybe: { type: ['string', 'null'] },
        kind: { const: 'trip' },
        nothing: { type: 'null' },
        free: { type: 'object', properties: { note: { type: 'string' } } },
        where: {
          type: 'object',
          required: ['exact'],
          properties: { exact: { type: ['boolean', 'null'] } },
        },
      },
    },
  });
  // An object whose members are asked for shows their fields.
  expect(text).toBe(JSON.stringify({ limit: 10, kind: 'trip', where: {} }, null, 2));
});

test('defaults keep their spelling, and those that the schema refuses are left out', () => {
  const parameters = parseExact(`{
    "type": "object",
    "required": ["owner", "wrong"],
    "properties": {
      "ratio": {"type": "number", "default": 0.0},
      "big": {"type": "integer", "default": 10000000000000000000000000000000000000000},
      "limits": {"type": "array", "default": [1.0, 2e5]},
      "place": {"anyOf": [{"type": "object", "required": ["x"], "properties": {"x": {"type": "string"}}}, {"type": "null"}], "default": null},
      "owner": {"anyOf": [{"type": "object", "required": ["x"], "properties": {"x": {"type": "string"}}}, {"type": "null"}]},
      "text": {"type": "string", "default": null},
      "wrong": {"type": "integer", "default": "three"},
      "unit": {"enum": ["c"], "default": "k"},
      "extra": {"type": "object", "properties": {"x": {"type": "string"}}}
    }
  }`) as JsonObject;
  const text = argumentTemplate({ parameters, examples: [] });
  expect(text.replace(/\s+/g, '')).toBe(
    `{"ratio":0.0,"big":1${'0'.repeat(40)},"limits":[1.0,2e5],"place":null}`,
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
  ).toEqual({ node: { next: { next: { next: { next: { next: {} } } } } } });
});

test('the default of a condition follows the defaults that it depends on', () => {
  const parameters = {
    properties: { unit: { type: 'string', default: 'c' } },
    if: { properties: { unit: { const: 'c' } }, required: ['unit'] },
    then: { properties: { low: { type: 'integer', default: -40 }, other: { type: 'string' } } },
    else: { properties: { kelvin: { type: 'integer', default: 0 } } },
  };
  expect(template(parameters)).toEqual({ unit: 'c', low: -40 });
});

test('a hostile schema neither throws nor pollutes prototypes', () => {
  const parameters = JSON.parse(
    '{"type": "object", "required": ["__proto__", 7, "toString"], "properties": {"__proto__": {"const": 7}, "toString": null}}',
  ) as JsonObject;
  expect(argumentTemplate({ parameters, examples: [] })).toBe('{\n  "__proto__": 7\n}');
  expect(template({ properties: 'no' })).toEqual({});
});

test('objects that require each other many times are written up to a limit', () => {
  const names = Array.from({ length: 20 }, (_, n) => `p${String(n)}`);
  const level = (next: number): JsonObject => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/$defs/${String(next)}` }]),
    ),
  });
  const $defs: JsonObject = { 9: { default: 'x' } };
  for (let n = 0; n < 9; n += 1) $defs[n] = level(n + 1);
  const text = argumentTemplate({ parameters: { ...level(0), $defs }, examples: [] });
  const { length } = text.match(/"p\d+"/g) ?? [];
  expect([length > 1_500, length <= 2_000]).toEqual([true, true]);
  // A large value that many properties share is written only once.
  const shared = { ...level(0), $defs: { 1: { default: 'x'.repeat(250_000) } } };
  expect(argumentTemplate({ parameters: shared, examples: [] }).length).toBeLessThan(6_000_000);
});
