/** The schema check of arguments: what it allows, and which paths it names. */

import { describe, expect, it } from 'vitest';
import { ArgumentCheck } from './check-arguments.ts';

function check(schema: object, args: unknown): string[] {
  const argumentCheck = new ArgumentCheck();
  argumentCheck.learn('t', JSON.stringify({ type: 'object', ...schema }));
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return argumentCheck.check('t', text).map(({ path, message }) => `${path}: ${message}`);
}

describe('the argument check', () => {
  it('allows what the schema allows', () => {
    expect(check({ properties: { a: { type: 'integer' } } }, '{"a":3.0}')).toEqual([]);
    expect(check({ properties: { a: { type: ['string', 'null'] } } }, { a: null })).toEqual([]);
    expect(check({}, '{"__proto__": 1, "constructor": 2}')).toEqual([]);
  });

  it('names every path at fault', () => {
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
      '$.a: type "string" is invalid. Expected "integer"',
      '$.b[1].c: does not match any of ["x","y"]',
      '$["odd name"]: is too short (2 < 3)',
      '$.more: is not among the declared properties',
    ]);
  });

  it('names what each branch of a union expects', () => {
    const schema = { properties: { a: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } };
    expect(check(schema, { a: 'x' })).toEqual([
      '$.a: type "string" is invalid. Expected "integer", or type "string" is invalid. Expected "null"',
    ]);
    const one = { properties: { a: { oneOf: [{ minimum: 1 }, { minimum: 2 }] } } };
    expect(check(one, { a: 3 })).toEqual(['$.a: does not match exactly one subschema (2 matches)']);
  });

  it('takes format as an annotation', () => {
    expect(check({ properties: { a: { type: 'string', format: 'email' } } }, { a: 'no' })).toEqual(
      [],
    );
  });

  it('leaves out patterns that ECMAScript refuses, and only those', () => {
    const schema = {
      properties: {
        python: { type: 'string', pattern: '(?P<year>\\d+)' },
        pattern: { type: 'string', pattern: '^a+$' },
      },
    };
    expect(check(schema, { python: 'x', pattern: 'b' })).toEqual([
      '$.pattern: does not match pattern',
    ]);
  });

  it('follows references inside the schema, and leaves those to elsewhere alone', () => {
    const schema = {
      $defs: { name: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/name' }, b: { $ref: 'https://example.org/x.json' } },
    };
    expect(check(schema, { a: 1, b: 2 })).toEqual([
      '$.a: type "number" is invalid. Expected "string"',
    ]);
  });

  it('refuses where the schema or the arguments cannot be read', () => {
    expect(check({ $ref: '#/nowhere' }, {})[0]).toMatch(/^\$: cannot be checked/);
    expect(check({}, '{"a":')[0]).toMatch(/^\$: cannot be checked/);
    expect(new ArgumentCheck().check('unknown', '{}')).toEqual([
      { path: '$', message: 'cannot be checked: the schema is missing' },
    ]);
  });

  it('keeps data apart from schemas', () => {
    const schema = { properties: { a: { enum: [{ pattern: '(?P<x>)' }] } } };
    expect(check(schema, { a: { pattern: '(?P<x>)' } })).toEqual([]);
  });
});
