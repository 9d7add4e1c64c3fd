import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ArgumentCheck } from './check-arguments.ts';

function check(schema: object, args: unknown): string[] {
  const argumentCheck = new ArgumentCheck();
  argumentCheck.setSchema('t', JSON.stringify({ type: 'object', ...schema }));
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return argumentCheck.check('t', text).map(({ path, message }) => `${path}: ${message}`);
}

type TypeCase = readonly [type: string | readonly string[], value: string, message: string];
const typeCases = JSON.parse(
  readFileSync(new URL('tests/type-words.json', import.meta.url), 'utf8'),
) as TypeCase[];

// The same cases are those of workers/python/tests/test_judge.py.
it.each(typeCases)(
  'says in words what is expected and what is given: %j, %s',
  (type, value, message) => {
    expect(check({ properties: { a: { type } } }, `{"a": ${value}}`)).toEqual([`$.a: ${message}`]);
  },
);

describe('the argument check', () => {
  it('accepts arguments that match the schema', () => {
    expect(check({ properties: { a: { type: 'integer' } } }, '{"a":3.0}')).toEqual([]);
    expect(check({ properties: { a: { type: ['string', 'null'] } } }, { a: null })).toEqual([]);
    expect(check({}, '{"__proto__": 1, "constructor": 2}')).toEqual([]);
  });

  it('reports every invalid path', () => {
    const schema = {
      properties: {
        a: { type: 'integer' },
        b: { type: 'array', items: { type: 'object', properties: { c: { enum: ['x', 'y'] } } } },
        'odd name': { type: 'string', minLength: 3 },
      },
      required: ['a', 'missing'],
      additionalProperties: false,
    };
    expect(
      check(schema, { a: 'one', b: [{ c: 'x' }, { c: 'z' }], 'odd name': 'ab', more: 1 }),
    ).toEqual([
      '$.missing: is required',
      '$.a: must be an integer, but is a string',
      '$.b[1].c: does not match any of ["x","y"]',
      '$["odd name"]: is too short (2 < 3)',
      '$.more: is not a declared property',
    ]);
  });

  it('reports what each branch of a union expects', () => {
    const schema = { properties: { a: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } };
    expect(check(schema, { a: 'x' })).toEqual(['$.a: must be an integer or null, but is a string']);
    const one = { properties: { a: { oneOf: [{ minimum: 1 }, { minimum: 2 }] } } };
    expect(check(one, { a: 3 })).toEqual(['$.a: matches 2 alternatives, but may match only one']);
  });

  it('reports the errors of the alternative that is meant', () => {
    const shape = (kind: object, properties: object): object => ({
      type: 'object',
      required: ['kind', ...Object.keys(properties)],
      properties: { kind, ...properties },
    });
    const shapes = [
      shape({ const: 'circle' }, { r: { type: 'number' } }),
      shape({ enum: ['square'] }, { side: { type: 'number' }, colour: { enum: ['red', 'blue'] } }),
      { type: 'null' },
    ];
    for (const union of ['oneOf', 'anyOf']) {
      const one = { properties: { a: { [union]: shapes } } };
      expect(check(one, { a: { kind: 'circle', r: 'x' } })).toEqual([
        '$.a.r: must be a number, but is a string',
      ]);
      expect(check(one, { a: { kind: 'square', side: 1, colour: 'green' } })).toEqual([
        '$.a.colour: does not match any of ["red","blue"]',
      ]);
      // Without its constant, the closest one counts.
      expect(check(one, { a: { side: 1, colour: 'red' } })).toEqual(['$.a.kind: is required']);
      const many = { properties: { a: { type: 'array', items: { [union]: shapes } } } };
      expect(check(many, { a: [null, { kind: 'circle' }, { kind: 'square', side: 1 }] })).toEqual([
        '$.a[1].r: is required',
        '$.a[2].colour: is required',
      ]);
      const nested = { properties: { a: { [union]: [{ [union]: shapes }, { type: 'string' }] } } };
      expect(check(nested, { a: { kind: 'circle' } })).toEqual(['$.a.r: is required']);
    }
  });

  it('keeps the errors beside a union, and those of a union that matches too often apart', () => {
    const both = {
      properties: {
        a: { oneOf: [{ minimum: 1 }, { minimum: 2 }, { type: 'string' }], maximum: 2 },
      },
      required: ['b'],
    };
    expect(check(both, { a: 3 })).toEqual([
      '$.b: is required',
      '$.a: matches 2 alternatives, but may match only one, or 3 is greater than 2',
    ]);
  });

  it('names each place as a JSON Pointer', () => {
    const argumentCheck = new ArgumentCheck();
    const inner = { type: 'object', required: ['m~n'] };
    const schema = {
      properties: { 'a/b': { type: 'array', items: inner }, 'é %': { type: 'null' } },
    };
    argumentCheck.setSchema('t', JSON.stringify(schema));
    const errors = argumentCheck.check('t', '{"a/b": [{}], "é %": 1}');
    expect(errors.map(({ path, pointer }) => [path, pointer])).toEqual([
      ['$["a/b"][0]["m~n"]', '/a~1b/0/m~0n'],
      ['$["é %"]', '/é %'],
    ]);
  });

  it('names all properties of which one is required', () => {
    const byOne = { anyOf: [{ required: ['id'] }, { required: ['name'] }, { required: ['url'] }] };
    expect(check(byOne, {})).toEqual(['$: must have "id", "name" or "url"']);
    expect(check(byOne, { url: 1 })).toEqual([]);
    expect(check({ properties: { a: { type: 'object', ...byOne } } }, { a: {} })).toEqual([
      '$.a: must have "id", "name" or "url"',
    ]);
    // An alternative that needs less is closer.
    expect(check({ oneOf: [{ required: ['a', 'b'] }, { required: ['c'] }] }, {})).toEqual([
      '$.c: is required',
    ]);
  });

  it('names the pattern, also behind a reference and below a name with special characters', () => {
    const schema = {
      properties: { 'a/b é': { type: 'array', items: { $ref: '#/$defs/sku%20' } } },
      patternProperties: { '^x/': { pattern: '^p' } },
      $defs: { 'sku ': { pattern: '^[A-Z]{3}-\\d+$' } },
    };
    expect(check(schema, { 'a/b é': ['ABC-1', 'abc'], 'x/1': 'q' })).toEqual([
      '$["a/b é"][1]: does not match the pattern ^[A-Z]{3}-\\d+$',
      '$["x/1"]: does not match the pattern ^p',
    ]);
    const long = { properties: { a: { pattern: `^${'a'.repeat(999)}$` } } };
    expect(check(long, { a: 'b' })[0]).toHaveLength(333);
  });

  it('treats format as an annotation', () => {
    expect(check({ properties: { a: { type: 'string', format: 'email' } } }, { a: 'no' })).toEqual(
      [],
    );
  });

  it('ignores patterns that ECMAScript rejects, and only those', () => {
    const schema = {
      properties: {
        python: { type: 'string', pattern: '(?P<year>\\d+)' },
        pattern: { type: 'string', pattern: '^a+$' },
      },
    };
    expect(check(schema, { python: 'x', pattern: 'b' })).toEqual([
      '$.pattern: does not match the pattern ^a+$',
    ]);
  });

  it('interprets all patterns by ECMAScript or all by Python', () => {
    const property = (schema: object, value: string): string[] =>
      check({ properties: { a: schema } }, { a: value });
    expect(property({ pattern: '^[^\\W\\d_]+$' }, 'Åse')).toEqual([]);
    expect(property({ not: { pattern: '\\d' } }, '٣')).toEqual([]);
    expect(property({ not: { pattern: '\\d' } }, '3')).toHaveLength(1);
    const either = { oneOf: [{ pattern: '^[a-zA-Z]\\w*$' }, { pattern: '^[^a-zA-Z]' }] };
    expect(property(either, 'aé')).toEqual([]);
    expect(property(either, 'a-b')).toHaveLength(1);
    const both = {
      patternProperties: { '^\\w+$': { type: 'integer' } },
      additionalProperties: false,
    };
    expect(check(both, { für: 1 })).toEqual([]);
    expect(check(both, { für: 'x' })).toHaveLength(1);
  });

  it('rejects nothing because of a part that it ignores', () => {
    const python = { pattern: '(?i)^admin\\Z' };
    const remote = { $ref: 'https://example.org/x.json' };
    for (const unsure of [python, remote, { allOf: [remote] }, { $dynamicRef: '#node' }]) {
      const property = (schema: object, value: unknown = 'bob'): string[] =>
        check({ properties: { a: schema } }, { a: value });
      const what = JSON.stringify(unsure);
      expect(property({ not: unsure }), what).toEqual([]);
      expect(property({ oneOf: [unsure, unsure, { type: 'null' }] }), what).toEqual([]);
      expect(property({ oneOf: [{ type: 'null' }, { ...unsure, type: 'integer' }] })).not.toEqual(
        [],
      );
      expect(property({ allOf: [{ minLength: 9 }], oneOf: [unsure] })).toHaveLength(1);
      expect(property({ if: unsure, then: { type: 'null' } }), what).toEqual([]);
      expect(property({ contains: unsure, maxContains: 1 }, ['x', 'y']), what).toEqual([]);
      expect(property({ ...unsure, unevaluatedProperties: false }, { b: 1 }), what).toEqual([]);
      const $defs = { unsure };
      const behind = { not: { $ref: '#/$defs/unsure' } };
      expect(check({ $defs, properties: { a: behind } }, { a: 'bob' }), what).toEqual([]);
    }
    const named = { '(?i)^x-': { type: 'string' }, '^y$': { type: 'integer' } };
    expect(check({ patternProperties: named, additionalProperties: false }, { 'X-a': 1 })).toEqual(
      [],
    );
    expect(check({ patternProperties: named }, { y: 'x' })).toHaveLength(1);
  });

  it('follows references inside the schema, and leaves those to elsewhere alone', () => {
    const schema = {
      $defs: { name: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/name' }, b: { $ref: 'https://example.org/x.json' } },
    };
    expect(check(schema, { a: 1, b: 2 })).toEqual(['$.a: must be a string, but is a number']);
  });

  it('accepts arguments that the validator cannot check', () => {
    expect(check({ $ref: '#/nowhere' }, {})).toEqual([]);
    const tree = {
      $defs: { node: { properties: { c: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
      properties: { root: { $ref: '#/$defs/node' } },
    };
    const deep = `{"root": ${'{"c":['.repeat(3_000)}${']}'.repeat(3_000)}}`;
    expect(check(tree, deep)).toEqual([]);
    const texts = Array.from({ length: 200_000 }, (_, n) => `t${String(n)}`);
    const either = { anyOf: ['integer', 'string'].map((type) => ({ items: { type } })) };
    expect(check({ properties: { a: either } }, { a: texts })).toEqual([]);
    expect(check({ additionalProperties: { type: 'object' } }, '{"\\ud800": {"a": 1}}')).toEqual(
      [],
    );
  });

  it('does not treat an id or an example as an address', () => {
    for (const extra of [
      { id: 'x' },
      { $id: 'item' },
      { example: { id: 1 } },
      { 'x-ui': { id: 'f' } },
    ]) {
      const schema = {
        properties: { a: { type: 'string', ...extra }, b: { type: 'string', ...extra } },
      };
      expect(check(schema, { a: 'x', b: 'y' }), JSON.stringify(extra)).toEqual([]);
      expect(check(schema, { a: 1 }), JSON.stringify(extra)).toHaveLength(1);
    }
    const odd = { properties: { a: { $id: 'http://', example: { $ref: 'http://[' } } } };
    expect(check(odd, { a: 1 })).toEqual([]);
    const named = { properties: { id: { type: 'string' }, $id: { type: 'string' } } };
    expect(check(named, { id: 1, $id: 2 })).toHaveLength(2);
  });

  it('follows references into keywords that it does not know', () => {
    const schema = {
      components: { schemas: { name: { type: 'string' } } },
      properties: { a: { $ref: '#/components/schemas/name' } },
    };
    expect(check(schema, { a: 1 })).toEqual(['$.a: must be a string, but is a number']);
  });

  it('accepts integers that JavaScript rounds', () => {
    const property = (schema: object, value: string): string[] =>
      check({ properties: { a: schema } }, `{"a": ${value}}`);
    expect(property({ type: 'integer', multipleOf: 3 }, '9007199254740993')).toEqual([]);
    expect(property({ exclusiveMinimum: 9007199254740992 }, '9007199254740993')).toEqual([]);
    expect(property({ uniqueItems: true }, '[9007199254740992, 9007199254740993]')).toEqual([]);
    expect(property({ type: ['integer', 'null'] }, '1'.repeat(400))).toEqual([]);
    expect(property({ anyOf: [{ multipleOf: 3 }, { type: 'null' }] }, '9007199254740993')).toEqual(
      [],
    );
    expect(property({ type: 'string' }, '9007199254740993.5')).not.toEqual([]);
  });

  it('rejects arguments that cannot be parsed', () => {
    expect(check({}, '{"a":')[0]).toMatch(/^\$: cannot be checked/);
    expect(new ArgumentCheck().check('unknown', '{}')).toEqual([
      { path: '$', pointer: '', message: 'cannot be checked: the schema is missing' },
    ]);
  });

  it('does not treat data as schemas', () => {
    const schema = { properties: { a: { enum: [{ pattern: '(?P<x>)' }] } } };
    expect(check(schema, { a: { pattern: '(?P<x>)' } })).toEqual([]);
  });
});
