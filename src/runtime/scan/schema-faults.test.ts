/** The check of schemas gives the verdict of ajv's meta-schema in every draft, for valid and for spoiled schemas. */

import { Ajv, type Options, type ValidateFunction } from 'ajv';
import Ajv04Module from 'ajv-draft-04';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPacer } from '../async/pace.ts';
import type { Json, JsonObject } from '../spec/json.ts';
import type { SchemaDraft } from '../spec/schema-walk.ts';
import { metaFaults } from './schema-faults.ts';

const options: Options = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
  logger: false,
};
// Node returns the module's exports as its default export.
const Ajv04 = 'default' in Ajv04Module ? (Ajv04Module.default as typeof Ajv04Module) : Ajv04Module;
const draft6 = JSON.parse(
  readFileSync('node_modules/ajv/dist/refs/json-schema-draft-06.json', 'utf8'),
) as JsonObject;

/** The verdict of the meta-schema alone, which validates the schema as a value. */
const drafts: readonly { draft: SchemaDraft; address: string; accepts: ValidateFunction }[] = [
  ...(
    [
      [4, 'http://json-schema.org/draft-04/schema#', new Ajv04(options)],
      [6, 'http://json-schema.org/draft-06/schema#', new Ajv(options).addMetaSchema(draft6)],
      [7, 'http://json-schema.org/draft-07/schema#', new Ajv(options)],
      [2019, 'https://json-schema.org/draft/2019-09/schema', new Ajv2019(options)],
      [2020, 'https://json-schema.org/draft/2020-12/schema', new Ajv2020(options)],
    ] as const
  ).map(([draft, address, ajv]) => {
    const accepts = ajv.getSchema(address);
    if (accepts === undefined) throw new Error(`ajv has no ${address}`);
    return { draft, address, accepts };
  }),
];

/** Typical values of a keyword in the different drafts. Each keyword also gets values of the other keywords. */
const likely: Readonly<Record<string, readonly Json[]>> = {
  $id: ['https://e.org/a', '#a', 'a#b', 'a#'],
  id: ['https://e.org/a'],
  $ref: ['#', '#/$defs/a', 'https://e.org/b'],
  $anchor: ['a', 'a:b', '_a', '1a', '#a'],
  $dynamicAnchor: ['a', 'a:b', '_a', '1a'],
  $dynamicRef: ['#a'],
  $recursiveRef: ['#'],
  $recursiveAnchor: [true, false, 'a'],
  $vocabulary: [{ 'https://e.org/v': true }, { a: 'b' }],
  $comment: ['a'],
  title: ['a'],
  description: ['a'],
  default: [0],
  const: [[]],
  deprecated: [true],
  readOnly: [true],
  writeOnly: [false],
  type: ['string', 'str', ['string', 'null'], ['string', 'string'], ['str'], []],
  enum: [
    ['a', 'b'],
    [
      { a: 1, b: [2] },
      { b: [2], a: 2 },
    ],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [1, true, null, '1', 0],
    ['a', 'a'],
    [[1], [1]],
    [
      [1, 2],
      [2, 1],
    ],
    [0, -0],
    [{}],
    [],
  ],
  examples: [[], ['a', 'a']],
  required: [['a', 'b'], ['a', 'a'], ['a', 1], []],
  dependentRequired: [{ a: ['b'] }, { a: ['b', 'b'] }, { a: [] }],
  multipleOf: [0.5, 0, -1],
  minimum: [0, 1.5],
  maximum: [9, -1],
  exclusiveMinimum: [0, true, false],
  exclusiveMaximum: [9.5, true, false],
  minLength: [0, 1.5, -1],
  maxLength: [3],
  minItems: [1],
  maxItems: [2],
  uniqueItems: [true],
  minContains: [1, -1],
  maxContains: [2],
  minProperties: [1],
  maxProperties: [2],
  pattern: ['^a$'],
  format: ['date'],
  contentMediaType: ['text/html'],
  contentEncoding: ['base64'],
};
const subschemas = {
  one: [
    'additionalItems',
    'additionalProperties',
    'contains',
    'contentSchema',
    'else',
    'if',
  ].concat(['items', 'not', 'propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties']),
  list: ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'],
  map: ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties'].concat([
    'properties',
    'dependencies',
  ]),
};
const keywords = [
  ...Object.keys(likely),
  ...Object.values(subschemas).flat(),
  'unknown',
  '__proto__',
];
const names = ['a', 'b', '__proto__', 'items'];

type Generated = Record<string, unknown>;

const { schema } = fc.letrec<{ schema: Generated; any: unknown; entry: [string, unknown] }>(
  (tie) => ({
    entry: fc.oneof(
      { weight: 12, arbitrary: oneOfTheLikely() },
      {
        weight: 4,
        arbitrary: pair(subschemas.one, fc.oneof(tie('schema'), tie('schema'), fc.boolean())),
      },
      {
        weight: 3,
        arbitrary: pair(subschemas.list, fc.array(tie('schema'), { minLength: 1, maxLength: 3 })),
      },
      { weight: 3, arbitrary: pair(subschemas.map, named(tie('schema'))) },
      {
        weight: 1,
        arbitrary: pair(['dependencies'], named(fc.constantFrom(['a'], ['a', 'a'], [], [1]))),
      },
      { weight: 1, arbitrary: pair(keywords, tie('any')) },
    ),
    any: fc.oneof(
      fc.constantFrom<Json>(0, 1, -1, 1.5, null, true, false, 'a', 'string', 'str'),
      fc.constantFrom(...Object.values(likely).flat()),
      fc.array(fc.oneof(tie('schema'), fc.constantFrom<Json>('a', 1, true)), { maxLength: 2 }),
      tie('schema'),
      named(fc.oneof(tie('schema'), fc.constantFrom<Json>('a', 1, true, ['a']))),
    ),
    schema: fc.array(tie('entry'), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  }),
);

function oneOfTheLikely(): fc.Arbitrary<[string, unknown]> {
  return fc.constantFrom(
    ...Object.entries(likely).flatMap(([keyword, values]) =>
      values.map((value): [string, unknown] => [keyword, value]),
    ),
  );
}

function pair(
  keys: readonly string[],
  value: fc.Arbitrary<unknown>,
): fc.Arbitrary<[string, unknown]> {
  return fc.tuple(fc.constantFrom(...keys), value);
}

function named(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 2 })
    .map((entries) => Object.fromEntries(entries));
}

async function isValid(given: Generated): Promise<boolean> {
  return (await metaFaults(given as JsonObject, 1, createPacer())).length === 0;
}

function ajvAccepts({ accepts }: (typeof drafts)[number], given: Generated): boolean {
  return accepts(JSON.parse(JSON.stringify(given)));
}

test.each(drafts)('the verdict is that of ajv in draft $draft', async (one) => {
  const seen = { valid: 0, invalid: 0 };
  await fc.assert(
    fc.asyncProperty(schema, async (given) => {
      const { $schema: _, ...rest } = given;
      const named = { $schema: one.address, ...rest };
      const expected = ajvAccepts(one, named);
      seen[expected ? 'valid' : 'invalid'] += 1;
      expect(await isValid(named)).toBe(expected);
    }),
    { numRuns: 4_000 },
  );
  expect(Math.min(seen.valid, seen.invalid), JSON.stringify(seen)).toBeGreaterThan(800);
});

test('a schema without a draft is valid where 2020-12, 7 or, with its flags, 4 accepts it', async () => {
  const [four, , seven, , latest] = drafts;
  if (four === undefined || seven === undefined || latest === undefined)
    throw new Error('no draft');
  const flat = fc
    .array(oneOfTheLikely(), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));
  const seen = { valid: 0, invalid: 0 };
  await fc.assert(
    fc.asyncProperty(flat, async (given) => {
      const hasFlag = [given.exclusiveMinimum, given.exclusiveMaximum].some(
        (value) => typeof value === 'boolean',
      );
      const readings = hasFlag ? [four] : [seven, latest];
      const expected = readings.some((one) => ajvAccepts(one, given));
      seen[expected ? 'valid' : 'invalid'] += 1;
      expect(await isValid(given)).toBe(expected);
    }),
    { numRuns: 4_000 },
  );
  expect(Math.min(seen.valid, seen.invalid), JSON.stringify(seen)).toBeGreaterThan(800);
});

test.each<[string, JsonObject]>([
  ['a tuple and an enumeration', { items: [{ type: 'string' }], not: { enum: ['x', 'y'] } }],
  [
    'flags of draft 4 and an enumeration',
    { properties: { n: { minimum: 0, exclusiveMinimum: true }, a: { enum: ['x'] } } },
  ],
  [
    'flags of draft 4 and what it rejects',
    { properties: { n: { minimum: 0, exclusiveMinimum: true }, a: true }, required: [] },
  ],
  [
    'a tuple and newer keywords',
    { properties: { a: { items: [{}] }, b: { prefixItems: [{}], items: false } } },
  ],
  ['an address of no draft', { $schema: 'https://e.org/mine', enum: [], not: { items: [{}] } }],
])('a schema that names no draft may have %s', async (_name, given) => {
  expect(await isValid(given)).toBe(true);
});

test.each<[string, JsonObject, string]>([
  ['an empty enumeration', { enum: [] }, 'enum: must not be empty'],
  ['a repeated value', { enum: ['a', 'b', 'a'] }, 'enum/2: repeats an earlier item'],
  [
    'a type of Python in a list',
    { type: ['null', 'str'] },
    'type/1: “str” is not a JSON Schema type',
  ],
  [
    'an invalid value between schemas',
    { anyOf: [{}, 5] },
    'anyOf/1: must be a schema: an object, true or false',
  ],
])('%s is reported at its place', async (_name, given, expected) => {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  const faults = await metaFaults({ $schema, ...given }, 5, createPacer());
  expect(faults.map(({ path, message }) => `${path.join('/')}: ${message}`)).toEqual([expected]);
});
