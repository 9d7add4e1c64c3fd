/** The checks of a tool's schemas. The quick check never accepts what the full check finds fault with. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../spec/json.ts';
import { checkTool, isPlainSchema, patternFaults } from './check-tool.ts';
import { createPacer, type Pacer } from '../async/pace.ts';
import { metaFaults, referenceFaults } from './schema-faults.ts';
import { ambiguous, referenceCases } from '../spec/schema-references.fixture.ts';
import { fakeTool } from './tool.fixture.ts';

async function reported(
  parameters: JsonObject,
  returns: JsonObject | null = null,
): Promise<string[]> {
  const problems = await checkTool(fakeTool('m:f', { parameters, returns }), createPacer());
  return problems.map((problem) => `${problem.severity} ${problem.code} ${problem.message}`);
}

function withProperty(schema: JsonObject): JsonObject {
  return { type: 'object', properties: { city: schema } };
}

test.each<[string, JsonObject]>([
  ['ordinary', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
  [
    '2020-12',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', $defs: { a: {} } },
  ],
  [
    'draft 7',
    { $schema: 'http://json-schema.org/draft-07/schema#', ...withProperty({ items: [{}] }) },
  ],
  ['draft 7 unsaid', withProperty({ type: 'array', items: [{ type: 'string' }, {}] })],
  [
    'draft 4',
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...withProperty({ type: 'number', minimum: 0, exclusiveMinimum: true }),
    },
  ],
  ['recursive', { type: 'object', properties: { next: { $ref: '#' } } }],
  [
    'with definitions',
    { type: 'object', definitions: { a: {} }, properties: { a: { $ref: '#/definitions/a' } } },
  ],
  [
    'with anchors',
    { type: 'object', $defs: { a: { $anchor: 'x' } }, properties: { a: { $ref: '#x' } } },
  ],
  [
    'with ids',
    {
      $id: 'https://e.org/r',
      type: 'object',
      $defs: { a: { $id: 'i' } },
      properties: { a: { $ref: 'i' } },
    },
  ],
  [
    'escaped pointer',
    {
      type: 'object',
      $defs: { 'a/b~c d': {} },
      properties: { a: { $ref: '#/$defs/a~1b~0c%20d' } },
    },
  ],
  ['unknown keywords', withProperty({ 'x-note': 1, format: 'city', nullable: true })],
  [
    'names like keywords',
    {
      type: 'object',
      properties: {
        type: { type: 'string' },
        pattern: { type: 'string' },
        $ref: { type: 'string' },
      },
    },
  ],
])('%s is accepted', async (_name, schema) => {
  expect(await reported(schema)).toEqual([]);
});

test('a Python type instead of a JSON Schema type is reported with the right one', async () => {
  const [problem] = await checkTool(
    fakeTool('m:f', { parameters: withProperty({ type: 'str' }) }),
    createPacer(),
  );
  expect(problem).toEqual({
    severity: 'error',
    code: 'bad-schema',
    file: 'm.py',
    line: 10,
    column: 5,
    message: 'm:f: parameters.properties.city.type: “str” is not a JSON Schema type.',
    expected: 'a valid JSON Schema',
    hint: 'Write "type": "string".',
    tool: 'm:f',
  });
});

test.each<[string, JsonObject, string[]]>([
  [
    'an unknown type',
    withProperty({ type: 'any' }),
    ['error bad-schema m:f: parameters.properties.city.type: “any” is not a JSON Schema type.'],
  ],
  [
    'required inside a property',
    withProperty({ type: 'string', required: true }),
    [
      'error bad-schema m:f: parameters.properties.city.required: “required” must be a list of names.',
    ],
  ],
  [
    'a property that is no schema',
    { type: 'object', properties: { 'a b': 'string' } },
    [
      'error bad-schema m:f: parameters.properties["a b"]: must be a schema: an object, true or false.',
    ],
  ],
  [
    'a negative length, deep inside',
    withProperty({ anyOf: [{ type: 'string', maxLength: -1 }] }),
    [
      'error bad-schema m:f: parameters.properties.city.anyOf[0].maxLength: must be an integer, at least 0.',
    ],
  ],
  [
    'a reference that leads nowhere',
    withProperty({ $ref: '#/$defs/missing' }),
    ['error bad-reference m:f: parameters.properties.city.$ref: “#/$defs/missing” leads nowhere.'],
  ],
  [
    'a reference through the prototype',
    withProperty({ $ref: '#/constructor/prototype' }),
    [
      'error bad-reference m:f: parameters.properties.city.$ref: “#/constructor/prototype” leads nowhere.',
    ],
  ],
  [
    'references in a circle',
    { type: 'object', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    [
      'error bad-reference m:f: parameters.$defs.a.$ref: “#/$defs/b” leads back to itself.',
      'error bad-reference m:f: parameters.$defs.b.$ref: “#/$defs/a” leads back to itself.',
    ],
  ],
  [
    'a remote reference',
    withProperty({ $ref: 'https://example.org/city.json' }),
    [
      'warning remote-reference m:f: parameters.properties.city.$ref points outside the schema, to “https://example.org/city.json”: not checked.',
    ],
  ],
  [
    'a pattern of Python',
    withProperty({ type: 'string', pattern: '(?P<year>\\d+)' }),
    [
      'warning pattern m:f: parameters.properties.city.pattern: “(?P<year>\\d+)” is not a JavaScript regular expression: not checked.',
    ],
  ],
  [
    'a bad name of patternProperties',
    withProperty({ patternProperties: { '[': {} } }),
    [
      'warning pattern m:f: parameters.properties.city.patternProperties["["]: “[” is not a JavaScript regular expression: not checked.',
    ],
  ],
])('%s is reported', async (_name, schema, expected) => {
  expect(await reported(schema)).toEqual(expected);
});

test.each(Object.entries(referenceCases))('no fault in a reference: %s', async (_name, [given]) => {
  expect(await reported({ type: 'object', ...given })).toEqual([]);
});

test('a dynamic reference is reported where it cannot be followed', async () => {
  expect(await reported(ambiguous)).toEqual([
    'warning dynamic-reference m:f: parameters.$defs.list.items.$dynamicRef: “#T” leads to a different schema on each path to it, so it is not checked.',
  ]);
  const $defs = { a: { $dynamicRef: '#missing' }, b: { $dynamicAnchor: 'b', $dynamicRef: '#b' } };
  expect(await reported({ type: 'object', $defs })).toEqual([
    'error bad-reference m:f: parameters.$defs.a.$dynamicRef: “#missing” leads nowhere.',
    'error bad-reference m:f: parameters.$defs.b.$dynamicRef: “#b” leads back to itself.',
  ]);
});

test('the schema of the result is checked too', async () => {
  expect(await reported({ type: 'object' }, { type: 'float' })).toEqual([
    'error bad-schema m:f: returns.type: “float” is not a JSON Schema type.',
  ]);
});

test('a schema is checked by the draft that it names', async () => {
  const tuple = withProperty({ items: [{}] });
  const named = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...tuple };
  expect(await reported(named)).toEqual([
    'error bad-schema m:f: parameters.properties.city.items: must be a schema: an object, true or false.',
  ]);
});

test('only the first few of many mistakes are reported', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [`p${n}`, { type: 'str', pattern: '(', $ref: '#/no' }]),
  );
  expect(await reported({ type: 'object', properties })).toHaveLength(15);
});

test('a schema that is nested too deeply is refused, not followed', async () => {
  let schema: JsonObject = {};
  for (let n = 0; n < 20_000; n += 1) schema = { items: schema };
  expect(await reported(schema)).toEqual([
    'error schema-too-deep m:f: parameters is nested more than 100 levels deep.',
  ]);
});

test('the check can pause after each subschema', async () => {
  let rests = 0;
  const restless: Pacer = {
    mustRest: () => true,
    rest() {
      rests += 1;
      return Promise.resolve();
    },
  };
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`p${n}`, {}]));
  // The format keeps the schema from being recognized as plain.
  const parameters = { type: 'object', format: 'any', properties };
  await checkTool(fakeTool('m:f', { parameters }), restless);
  expect(rests).toBe(303);
});

test('lists that would take minutes to compare are not compared', async () => {
  const names = Array.from({ length: 60_000 }, (_, n) => `t${n}`);
  const $schema = 'http://json-schema.org/draft-07/schema#';
  expect(
    await reported({ $schema, type: names, enum: names.map((name) => ({ name })) }),
  ).toHaveLength(5);
});

test('long chains of references are followed to their end', async () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, n) => [`t${n}`, { $ref: `#/$defs/t${n + 1}` }]),
  );
  expect(await reported({ type: 'object', $defs })).toEqual([
    'error bad-reference m:f: parameters.$defs.t2999.$ref: “#/$defs/t3000” leads nowhere.',
  ]);
});

const keywords = [
  'type',
  'title',
  'description',
  'default',
  'const',
  'enum',
  'examples',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
  'format',
  '$ref',
  '$id',
  '$schema',
  '$defs',
  '__proto__',
];
const words = ['string', 'integer', 'str', 'a', '(', '#/a', 'object', ''];

const { schema } = fc.letrec<{ schema: JsonObject; value: unknown }>((tie) => ({
  value: fc.oneof(
    fc.constantFrom(...words, 0, 1, -1, 1.5, null, true, false),
    fc.uniqueArray(fc.constantFrom(...words), { maxLength: 3 }),
    fc.array(fc.constantFrom(...words, 1), { maxLength: 3 }),
    tie('schema'),
    fc.array(tie('schema'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...words, 'b'), tie('schema'), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  ),
  schema: fc.dictionary(fc.constantFrom(...keywords), tie('value'), {
    maxKeys: 3,
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>,
}));

async function faults(given: JsonObject): Promise<number> {
  const pacer = createPacer();
  const found = await Promise.all([
    metaFaults(given, 5, pacer),
    referenceFaults(given, 5, pacer),
    patternFaults(given, 5, pacer),
  ]);
  return found.flat().length;
}

test('a plain schema has no fault', async () => {
  const seen = { plain: 0, faulty: 0 };
  await fc.assert(
    fc.asyncProperty(schema, async (given) => {
      const isPlain = isPlainSchema(given);
      const found = await faults(given);
      if (isPlain) seen.plain += 1;
      if (found > 0) seen.faulty += 1;
      expect(isPlain && found > 0).toBe(false);
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(seen.plain, seen.faulty)).toBeGreaterThan(200);
});

test('a usual schema is plain', () => {
  const properties = {
    city: { type: 'string', description: 'A name', minLength: 1, default: 'Oslo' },
    days: { type: 'integer', minimum: 1, maximum: 10, examples: [3] },
    kind: { enum: ['a', 'b', null], title: 'Kind' },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 5 },
    unit: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    more: { type: 'object', additionalProperties: { type: 'number' } },
  };
  const usual = { type: 'object', properties, required: ['city'], additionalProperties: false };
  expect(isPlainSchema(usual)).toBe(true);
  expect(isPlainSchema({ ...usual, required: ['city', 'city'] })).toBe(false);
  expect(isPlainSchema({ ...usual, properties: { ...properties, odd: { type: 'str' } } })).toBe(
    false,
  );
});

test('a huge schema is left to the check that pauses', () => {
  const properties = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`p${n}`, {}]));
  expect(isPlainSchema({ properties })).toBe(false);
});
