/** Any schema has a form, and any valid value that is entered in it comes out exactly as entered. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactText, parseExact } from '../src/spec/exact-json.ts';
import type { Json, JsonObject } from '../src/spec/json.ts';
import { ArgumentCheck } from '../workers/python/check-arguments.ts';
import { ArgumentForm } from '../src/ui/tools/forms/argument-form.svelte.ts';
import type { ArgumentPath } from '../src/ui/tools/forms/argument-place.ts';
import { argumentTemplate } from '../src/ui/tools/forms/argument-template.ts';
import { Draft } from '../src/ui/tools/forms/draft.svelte.ts';
import { controlOf } from '../src/ui/tools/forms/field-control.ts';
import { groupEntries } from '../src/ui/tools/forms/group-entries.ts';
import { contentOf, parseValue, type JsonValue } from '../src/ui/tools/forms/json-value.ts';
import { branchOf, isSame } from '../src/ui/tools/forms/value-fit.ts';

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
  fc.constantFrom(`1${'0'.repeat(40)}`, '3.0', '-0', '1e400', '0.10', '12345678901234567890'),
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

/** Makes the form's value at a path equal to the wanted one, by what each control can do. */
function enter(form: ArgumentForm, path: ArgumentPath, schema: Json, wanted: JsonValue): void {
  const outer = form.schema.shape(schema);
  for (let level = 0; level < 3; level += 1) {
    const { choosers } = form.choosers(path, outer, current(form, path));
    const chooser = choosers[level];
    if (chooser === undefined) break;
    const next = branchOf(form.schema, chooser.branches, wanted);
    if (next !== chooser.index) form.choose(path, chooser, next, current(form, path));
  }
  const { shape } = form.choosers(path, outer, current(form, path));
  const value = current(form, path);
  const control = controlOf(shape, value, path.length);
  switch (control) {
    case 'choice': {
      const choice = shape.choices?.find(({ text }) => isSame(wanted, text));
      if (choice === undefined) form.setTyped(path, wanted.text, value);
      else form.insert(path, choice.text);
      break;
    }
    case 'object':
    case 'array':
      if (wanted.kind !== control) form.setTyped(path, wanted.text, value);
      else {
        if (value === undefined) form.add(path, shape);
        enterGroup(form, path, schema, wanted);
      }
      break;
    case 'text':
    case 'long text':
    case 'number':
      if (wanted.kind === 'string') form.set(path, JSON.stringify(contentOf(wanted)));
      else form.set(path, wanted.text);
      break;
    default:
      form.setTyped(path, wanted.text, value);
  }
}

function enterGroup(form: ArgumentForm, path: ArgumentPath, schema: Json, wanted: JsonValue): void {
  const shapeNow = () => form.choosers(path, form.schema.shape(schema), current(form, path)).shape;
  if (wanted.kind === 'object') {
    const there = current(form, path);
    if (there?.kind === 'object')
      for (const name of there.members.keys())
        if (!wanted.members.has(name)) form.remove([...path, name]);
    for (const [name, member] of wanted.members) {
      const own = form.schema.memberSchema(shapeNow(), name);
      enter(form, [...path, name], own, member);
    }
  }
  if (wanted.kind !== 'array') return;
  const there = current(form, path);
  const count = there?.kind === 'array' ? there.items.length : 0;
  for (let index = count - 1; index >= wanted.items.length; index -= 1)
    form.remove([...path, index]);
  for (const [index, item] of wanted.items.entries()) {
    const own = form.schema.itemSchema(shapeNow(), index);
    if (index >= count) form.add([...path, index], form.schema.shape(own));
    enter(form, [...path, index], own, item);
  }
}

function current(form: ArgumentForm, path: ArgumentPath): JsonValue | undefined {
  let value: JsonValue | undefined = typeof form.value === 'string' ? undefined : form.value;
  for (const step of path) {
    if (value?.kind === 'object') value = value.members.get(String(step));
    else value = value?.kind === 'array' ? value.items[Number(step)] : undefined;
  }
  return value;
}

/** Tokens only, members sorted. */
function canonical(value: JsonValue | null): unknown {
  if (value?.kind === 'object')
    return [...value.members].map(([name, member]) => [name, canonical(member)]).sort();
  if (value?.kind === 'array') return value.items.map(canonical);
  return value?.kind === 'string' ? JSON.stringify(contentOf(value)) : value?.text;
}

test('a valid value entered through the form comes out exactly', () => {
  const seed = Number(process.env.FORM_SEED ?? Date.now() % 2 ** 31);

  console.info(`FORM_SEED=${String(seed)}`);
  fc.assert(
    fc.property(object(3), ({ schema, value }) => {
      const text = `{${schema}, "$defs": {"node": ${node}}}`;
      const parameters = parseExact(text) as JsonObject;
      const wanted = parseValue(value);
      if (wanted?.kind !== 'object') throw new Error(value);
      const draft = new Draft(argumentTemplate({ parameters, examples: [] }), () => []);
      const form = new ArgumentForm(draft, parameters);
      everyFieldHasAControl(form, parameters);
      enterGroup(form, [], parameters, wanted);
      everyFieldHasAControl(form, parameters);
      expect(canonical(parseValue(draft.text))).toEqual(canonical(wanted));
      const check = new ArgumentCheck();
      check.setSchema('t', exactText(parameters));
      expect(check.check('t', draft.text)).toEqual(check.check('t', value));
    }),
    { seed, numRuns: 400 },
  );
});

/** Walks what the page would show; a part without another control is marked JSON. */
function everyFieldHasAControl(form: ArgumentForm, parameters: JsonObject): void {
  if (typeof form.value === 'string') throw new Error(form.value);
  const seen: string[] = [];
  const walk = (path: ArgumentPath, schema: Json, value: JsonValue | undefined): void => {
    const { shape } = form.choosers(path, form.schema.shape(schema), value);
    const control = path.length === 0 ? 'object' : controlOf(shape, value, path.length);
    seen.push(control);
    if (value?.kind !== control || (value.kind !== 'object' && value.kind !== 'array')) return;
    const entries = groupEntries(form.schema, shape, path, value);
    // Nothing that is there vanishes.
    const there = value.kind === 'object' ? [...value.members.keys()] : [...value.items.keys()];
    const shown = new Set(entries.map((entry) => entry.path.at(-1)));
    expect(there.filter((step) => !shown.has(step))).toEqual([]);
    for (const entry of entries) walk(entry.path, entry.schema, entry.value);
  };
  walk([], parameters, form.value);
  expect(seen.length).toBeGreaterThan(0);
}

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
  const started = performance.now();
  const draft = new Draft(argumentTemplate({ parameters, examples: [] }), () => []);
  const form = new ArgumentForm(draft, parameters);
  expect(form.schema.root.cut).toBe(true);
  const { shape } = form.choosers([], form.schema.root, form.value as JsonValue);
  for (const entry of groupEntries(form.schema, shape, [], form.value as never).slice(0, 12))
    form.choosers(entry.path, form.schema.shape(entry.schema), undefined);
  expect(performance.now() - started).toBeLessThan(1_000);
});
