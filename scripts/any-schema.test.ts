/** Any schema has a form, and any valid value that is entered in it comes out exactly as entered. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactText, parseExact } from '../src/runtime/spec/exact-json.ts';
import type { JsonObject } from '../src/runtime/spec/json.ts';
import { ArgumentCheck } from '../workers/python/check-arguments.ts';
import { ArgumentForm } from '../src/app/ui/tools/forms/argument-form.svelte.ts';
import { argumentTemplate } from '../src/app/ui/tools/forms/argument-template.ts';
import { Draft } from '../src/app/ui/tools/forms/draft.svelte.ts';
import { groupEntries } from '../src/app/ui/tools/forms/group-entries.ts';
import { parseValue, type JsonValue } from '../src/app/ui/tools/forms/json-value.ts';
import { argumentHelp } from '../src/app/ui/tools/forms/argument-help.ts';
import { argumentNotes } from '../src/app/ui/tools/forms/argument-errors.svelte.ts';
import { schemaTable } from '../src/app/ui/tools/page/schema-rows.ts';
import { foreignParameters } from './foreign-schemas.fixture.ts';
import { canonical, everyFieldHasAControl, FormFiller } from './form-filler.fixture.ts';
import { threadMs } from '../tests/support/thread-time.ts';

/** A schema and a value that it allows, both as JSON text. */
interface Case {
  readonly schema: string;
  readonly value: string;
}

const names = fc.constantFrom(
  'a',
  'b c',
  'x/y',
  'm~n',
  '',
  '__proto__',
  '0',
  'toString',
  'é%',
  '"',
);
const numbers = fc.oneof(
  fc.constantFrom(
    ...[`1${'0'.repeat(40)}`, '3.0', '-0', '1e400', '0.10', '12345678901234567890'],
    ...['-2', '0.5', '1e3', '-1.5E-7'],
  ),
  fc.integer().map(String),
);
const texts = fc.oneof(fc.string(), fc.constantFrom('two\nlines', 'cr\r', '\0', 'null', '12'));
const vendor = fc.constantFrom(
  ...['', '"x-order": 1, ', '"nullable": true, ', '"format": "vendor:x", '],
  ...['"format": "int64", ', '"format": "password", ', '"example": {"a": 1.0}, '],
  ...['"xml": {"wrapped": true}, ', '"x-enumNames": ["A"], ', '"format": "date", '],
);
const defaults = fc.constantFrom(
  ...['', '"default": {"wrong": [1.0]}, ', '"default": null, ', '"default": "none", '],
  ...['"default": [[]], ', '"examples": [3.0, {}], '],
);

const scalar: fc.Arbitrary<Case> = fc.oneof(
  numbers.map((value) => ({ schema: '"type": "number"', value })),
  texts.map((text) => ({ schema: '"type": "string"', value: JSON.stringify(text) })),
  fc.constantFrom('true', 'false').map((value) => ({ schema: '"type": "boolean"', value })),
  fc.constant({ schema: '"type": "null"', value: 'null' }),
  fc
    .uniqueArray(texts, { minLength: 1, maxLength: 60 })
    .map((all) => all.map((each) => JSON.stringify(each)))
    .map((all) => ({ schema: `"enum": [${all.join(', ')}]`, value: all.at(-1) ?? '' })),
  numbers.map((value) => ({ schema: `"const": ${value}`, value })),
  fc
    .jsonValue({ maxDepth: 2 })
    .map((value) => ({ schema: '"description": "any"', value: JSON.stringify(value) })),
  fc.constant({
    schema: '"$ref": "#/$defs/node"',
    value: '{"name": "a", "next": null, "children": [{"name": "b"}]}',
  }),
  fc.nat({ max: 4 }).map((levels) => ({
    schema: '"$ref": "#/$defs/node"',
    value: `${'{"name": "a", "next": '.repeat(levels)}{"name": "end"}${'}'.repeat(levels)}`,
  })),
);

function cases(depth: number): fc.Arbitrary<Case> {
  const own =
    depth === 0
      ? scalar
      : fc.oneof(scalar, object(depth), list(depth), union(depth), tagged(depth), merged(depth));
  return fc.tuple(own, vendor, defaults).map(([{ schema, value }, keyword, given]) => ({
    schema: `{${keyword}${given}${schema}}`,
    value,
  }));
}

function object(depth: number): fc.Arbitrary<Case> {
  const member = fc.tuple(
    names,
    cases(depth - 1),
    fc.constantFrom('required', 'optional', 'absent', 'pattern'),
  );
  return fc.uniqueArray(member, { maxLength: 5, selector: ([name]) => name }).map((members) => {
    const declared = members.filter(([, , how]) => how !== 'pattern');
    const present = members.filter(([, , how]) => how !== 'absent');
    const required = members.filter(([, , how]) => how === 'required');
    const key = ([name]: (typeof members)[number]): string => JSON.stringify(name);
    return {
      schema: [
        `"type": "object", "properties": {${declared.map((each) => `${key(each)}: ${each[1].schema}`).join(', ')}}`,
        `"required": [${required.map(key).join(', ')}]`,
      ].join(', '),
      value: `{${present.map((each) => `${key(each)}: ${each[1].value}`).join(', ')}}`,
    };
  });
}

function list(depth: number): fc.Arbitrary<Case> {
  return fc.oneof(
    fc.tuple(cases(depth - 1), fc.nat({ max: 3 })).map(([item, count]) => ({
      schema: `"type": "array", "items": ${item.schema}`,
      value: `[${Array.from({ length: count }, () => item.value).join(', ')}]`,
    })),
    fc.array(cases(depth - 1), { minLength: 1, maxLength: 3 }).map((items) => ({
      schema: `"type": "array", "prefixItems": [${items.map(({ schema }) => schema).join(', ')}]`,
      value: `[${items.map(({ value }) => value).join(', ')}]`,
    })),
  );
}

function union(depth: number): fc.Arbitrary<Case> {
  return fc
    .tuple(
      fc.array(cases(depth - 1), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('anyOf', 'oneOf'),
    )
    .map(([all, keyword]) => ({
      schema: `"${keyword}": [${all.map(({ schema }) => schema).join(', ')}, {"type": "null"}]`,
      value: all.at(-1)?.value ?? 'null',
    }));
}

/** Objects that a constant tells apart, with or without OpenAPI's `discriminator`. */
function tagged(depth: number): fc.Arbitrary<Case> {
  const branch = fc.tuple(names, cases(depth - 1));
  return fc
    .tuple(fc.array(branch, { minLength: 2, maxLength: 3 }), fc.nat(), fc.boolean())
    .map(([all, chosen, isNamed]) => {
      const tag = (index: number): string => JSON.stringify(`kind ${String(index)}`);
      const branches = all.map(
        ([name, { schema }], index) =>
          `{"type": "object", "required": ["kind"], "properties": {"kind": {"const": ${tag(index)}}, ${JSON.stringify(name)}: ${schema}}}`,
      );
      const index = chosen % all.length;
      const [name, { value }] = all[index] ?? ['', { value: 'null' }];
      const discriminator = isNamed ? '"discriminator": {"propertyName": "kind"}, ' : '';
      return {
        schema: `${discriminator}"oneOf": [${branches.join(', ')}]`,
        value: `{"kind": ${tag(index)}, ${JSON.stringify(name)}: ${value}}`,
      };
    });
}

function merged(depth: number): fc.Arbitrary<Case> {
  return cases(depth - 1).map(({ schema, value }) => ({
    schema: `"allOf": [${schema}, {"description": "more"}]`,
    value,
  }));
}

const node =
  '{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}';

/** A seed that differs in each run, except in CI, where a failure must be due to the change that is tested. */
function chosenSeed(): number {
  const { FORM_SEED: chosen, CI: ci = '' } = process.env;
  return Number(chosen ?? (ci === '' ? Date.now() % 2 ** 31 : 20_261_126));
}

test('a valid value entered through the form comes out exactly', () => {
  const seed = chosenSeed();

  console.info(`FORM_SEED=${String(seed)}`);
  fc.assert(
    fc.property(object(3), ({ schema, value }) => {
      const text = `{${schema}, "$defs": {"node": ${node}}}`;
      const parameters = parseExact(text) as JsonObject;
      const wanted = parseValue(value);
      if (wanted?.kind !== 'object') throw new Error(value);
      const draft = new Draft(argumentTemplate({ parameters, examples: [] }), () => []);
      const form = new ArgumentForm(draft, { parameters });
      everyFieldHasAControl(form, parameters);
      new FormFiller(form).enterGroup([], parameters, wanted);
      everyFieldHasAControl(form, parameters);
      expect(canonical(parseValue(draft.text))).toEqual(canonical(wanted));
      const check = new ArgumentCheck();
      check.setSchema('t', exactText(parameters));
      expect(check.check('t', draft.text)).toEqual(check.check('t', value));
    }),
    { seed, numRuns: 400 },
  );
});

test('a value for a stranger’s schema can be entered through the form, and comes out exactly', () => {
  const seed = chosenSeed();
  const numRuns = Number(process.env.FORM_RUNS ?? 200);
  console.info(`FORM_SEED=${String(seed)} FORM_RUNS=${String(numRuns)}`);
  let surely = 0;
  fc.assert(
    fc.property(foreignParameters(), ({ schema, value, sure }) => {
      const parameters = parseExact(schema) as JsonObject;
      const wanted = parseValue(value);
      if (wanted?.kind !== 'object') throw new Error(value);
      const draft = new Draft(argumentTemplate({ parameters, examples: [] }), () => []);
      const form = new ArgumentForm(draft, { parameters });
      everyFieldHasAControl(form, parameters);
      const filler = new FormFiller(form);
      filler.enter([], parameters, wanted);
      everyFieldHasAControl(form, parameters);
      expect(canonical(parseValue(draft.text))).toEqual(canonical(wanted));
      // What else the page makes of a schema.
      schemaTable(parameters, 200);
      argumentNotes(draft.text, parameters);
      argumentHelp(draft.text, draft.text.length >> 1, parameters);
      const check = new ArgumentCheck();
      check.setSchema('t', exactText(parameters));
      const found = check.check('t', draft.text);
      expect(found).toEqual(check.check('t', value));
      if (!sure) return;
      surely += 1;
      expect([found, filler.unreachable]).toEqual([[], []]);
    }),
    { seed, numRuns },
  );
  expect(surely).toBeGreaterThan(numRuns / 10);
});

test('hostile schemas are read at a limited cost', () => {
  const many = Array.from({ length: 200 }, (_, n) => ({
    $ref: `#/$defs/${String((n + 1) % 200)}`,
  }));
  const parameters = {
    type: 'object',
    allOf: many,
    anyOf: many,
    properties: Object.fromEntries(
      many.map((ref, n) => [`p${String(n)}`, { anyOf: [ref, ...many] }]),
    ),
    $defs: Object.fromEntries(many.map((ref, n) => [n, { allOf: [...many, ref], oneOf: many }])),
  } as unknown as JsonObject;
  const started = threadMs();
  const draft = new Draft(argumentTemplate({ parameters, examples: [] }), () => []);
  const form = new ArgumentForm(draft, { parameters });
  expect(form.schema.root.cut).toBe(true);
  const { shape } = form.choosers([], form.schema.root, form.value as JsonValue);
  for (const entry of groupEntries(form.schema, shape, [], form.value as never).slice(0, 12))
    form.choosers(entry.path, form.schema.shape(entry.schema), undefined);
  expect(threadMs() - started).toBeLessThan(1_000);
});
