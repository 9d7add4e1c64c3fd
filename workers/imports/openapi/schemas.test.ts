import { expect, test } from 'vitest';
import { Schemas } from './schemas.ts';

function converted(schema: unknown, document: unknown = {}, maxText = 1_000) {
  const notes = new Set<string>();
  const schemas = new Schemas(document, notes, maxText);
  return { schema: schemas.convert(schema), definitions: schemas.definitions, notes: [...notes] };
}

test('what OpenAPI 3.0 says in its own way becomes JSON Schema', () => {
  expect(
    converted({ type: 'string', nullable: true, enum: ['a'], example: 'a', xml: {} }).schema,
  ).toEqual({
    type: ['string', 'null'],
    enum: ['a', null],
    examples: ['a'],
  });
  expect(
    converted({ type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9 }).schema,
  ).toEqual({
    type: 'integer',
    exclusiveMinimum: 0,
    maximum: 9,
  });
  expect(converted({ nullable: true, allOf: [{ type: 'object' }] }).schema).toEqual({
    anyOf: [{ allOf: [{ type: 'object' }] }, { type: 'null' }],
  });
  expect(converted({ type: 'file' }).schema).toEqual({ type: 'string' });
  expect(converted({ oneOf: [{ type: 'string' }], discriminator: {}, 'x-more': 1 }).schema).toEqual(
    {
      oneOf: [{ type: 'string' }],
    },
  );
});

test('a nullable schema allows null, whatever else it says', () => {
  const named = { components: { schemas: { Pet: { type: 'object' } } } };
  const pet = { $ref: '#/components/schemas/Pet' };
  const toPet = { $ref: '#/$defs/Pet' };
  const none = { type: 'null' };
  const cases: readonly (readonly [object, object])[] = [
    [
      { ...pet, description: 'The owner’s' },
      { description: 'The owner’s', anyOf: [toPet, none] },
    ],
    [
      { allOf: [pet], title: 'Pet' },
      { title: 'Pet', anyOf: [{ allOf: [toPet] }, none] },
    ],
    [{ type: 'object', allOf: [pet] }, { anyOf: [{ type: 'object', allOf: [toPet] }, none] }],
    [{ oneOf: [pet, none] }, { anyOf: [{ oneOf: [toPet, none] }, none] }],
    [{ anyOf: [pet, { type: 'string' }] }, { anyOf: [toPet, { type: 'string' }, none] }],
    [{ type: ['string', 'integer'] }, { type: ['string', 'integer', 'null'] }],
    [{ enum: ['a', null] }, { enum: ['a', null] }],
    [{ const: 'a' }, { anyOf: [{ const: 'a' }, none] }],
    [{ description: 'Anything' }, { description: 'Anything' }],
  ];
  for (const [schema, wanted] of cases)
    for (const key of ['nullable', 'x-nullable']) {
      expect(converted({ ...schema, [key]: true }, named).schema).toEqual(wanted);
      expect(JSON.stringify(converted({ ...schema, [key]: false }, named).schema)).toBe(
        JSON.stringify(converted(schema, named).schema),
      );
    }
});

test('keywords beside a reference count since 3.1; before, only those that describe it do', () => {
  const beside = { $ref: '#/a', description: 'A', default: 'x', maxLength: 3 };
  const of = (openapi: unknown) => converted(beside, { openapi, a: { type: 'string' } }).schema;
  const described = { $ref: '#/$defs/a', description: 'A', default: 'x' };
  expect(of('3.0.3')).toEqual(described);
  expect(of(3)).toEqual(described);
  expect(of('3.1.0')).toEqual({ ...described, maxLength: 3 });
});

test('read-only properties are neither sent nor required, even if another member of allOf requires them', () => {
  const document = {
    openapi: '3.0.0',
    components: {
      schemas: {
        Base: {
          type: 'object',
          required: ['id', 'name'],
          properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
        },
        Id: { type: 'string', readOnly: true },
      },
    },
  };
  const schema = {
    type: 'array',
    items: {
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { required: ['id', 'etag', 'tag'], properties: { tag: {} } },
      ],
      properties: { etag: { $ref: '#/components/schemas/Id' } },
    },
  };
  expect(converted(schema, document)).toEqual({
    schema: {
      type: 'array',
      items: {
        allOf: [{ $ref: '#/$defs/Base' }, { required: ['tag'], properties: { tag: {} } }],
        properties: {},
      },
    },
    definitions: {
      Base: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
    notes: [],
  });
  // In other documents, readOnly is only an annotation.
  const plain = { required: ['id'], properties: { id: { readOnly: true } } };
  expect(converted(plain).schema).toEqual(plain);
});

test('examples are kept if they are short, unless descriptions are shortened', () => {
  const long = 'x'.repeat(2_000);
  expect(converted({ example: 'a', examples: ['b', long, { c: [1] }] }).schema).toEqual({
    examples: ['b', { c: [1] }],
  });
  expect(converted({ example: long }).schema).toEqual({});
  expect(converted({ type: 'string', example: 'a' }, {}, 150).schema).toEqual({ type: 'string' });
});

test('a large allOf is searched for read-only properties only in part', () => {
  let deep: object = { properties: { id: { readOnly: true } } };
  for (let n = 0; n < 8; n += 1) deep = { allOf: Array.from({ length: 500 }, () => deep) };
  expect(converted(deep, { openapi: '3.0.0' }).notes).toEqual([
    'A part of its schema is left out, because the schema is too large.',
  ]);
});

test('keywords with values that are not allowed are left out', () => {
  const bad = {
    type: 'any',
    required: true,
    enum: [],
    minimum: '0',
    minLength: -1,
    multipleOf: 0,
    items: [{ type: 'string' }],
    allOf: {},
    properties: [],
    description: 5,
  };
  expect(converted(bad).schema).toEqual({});
  const { schema, notes } = converted({ type: 'string', pattern: '(?i)[' });
  expect(schema).toEqual({ type: 'string' });
  expect(notes).toEqual([
    'The pattern (?i)[ is left out, because it is not a JavaScript regular expression.',
  ]);
});

test('references stay, also recursive ones, and their targets become definitions', () => {
  const document = {
    components: {
      schemas: {
        Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } },
        'a/b': { type: 'string' },
      },
    },
    definitions: { Node: { type: 'integer' } },
  };
  expect(
    converted(
      {
        type: 'array',
        prefixItems: [
          { $ref: '#/components/schemas/Node', description: 'The first' },
          { $ref: '#/components/schemas/a~1b' },
          { $ref: '#/definitions/Node' },
        ],
      },
      document,
    ),
  ).toEqual({
    schema: {
      type: 'array',
      prefixItems: [
        { $ref: '#/$defs/Node', description: 'The first' },
        { $ref: '#/$defs/a_1b' },
        { $ref: '#/$defs/Node_2' },
      ],
    },
    definitions: {
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } },
      a_1b: { type: 'string' },
      Node_2: { type: 'integer' },
    },
    notes: [],
  });
  expect(converted({ $ref: 'other.json#/A' })).toEqual({
    schema: {},
    definitions: {},
    notes: ['A schema refers to other.json#/A, another document. Every value is accepted there.'],
  });
  expect(converted({ $ref: '#/nowhere' }).notes).toEqual([
    'A schema refers to #/nowhere, which the document does not have. Every value is accepted there.',
  ]);
});

test('a schema that is too deep or too large ends, with a note', () => {
  let deep: object = { type: 'string' };
  for (let n = 0; n < 150; n += 1) deep = { type: 'array', items: deep };
  const wide = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`p${n}`, {}])),
  };
  const note = 'A part of its schema is left out, because the schema is too large.';
  for (const schema of [deep, wide]) expect(converted(schema).notes).toEqual([note]);
  // Aliases of YAML can make a short document stand for a long one.
  let bomb: object = { type: 'string' };
  for (let n = 0; n < 30; n += 1) bomb = { anyOf: [bomb, bomb] };
  expect(converted(bomb).notes).toEqual([note]);
  expect(
    JSON.stringify(
      converted({
        const: '__proto__',
        properties: JSON.parse('{"__proto__":{"type":"null"}}') as unknown,
      }).schema,
    ),
  ).toBe('{"const":"__proto__","properties":{"__proto__":{"type":"null"}}}');
});

test('choices that are too many are left out as a whole, since some of them would refuse the others', () => {
  const choices = (count: number) => Array.from({ length: count }, (_, n) => `v${n}`);
  expect(converted({ type: 'string', enum: choices(30_000) })).toEqual({
    schema: { type: 'string' },
    definitions: {},
    notes: ['A part of its schema is left out, because the schema is too large.'],
  });
  expect(converted({ enum: choices(5_000) })).toMatchObject({
    schema: { enum: choices(5_000) },
    notes: [],
  });
});

test('references that lead only to each other accept every value, with a note', () => {
  const document = { a: { $ref: '#/b' }, b: { $ref: '#/a' } };
  expect(converted({ $ref: '#/a' }, document)).toEqual({
    schema: {},
    definitions: {},
    notes: ['A schema refers to #/a, which refers only to itself. Every value is accepted there.'],
  });
});
