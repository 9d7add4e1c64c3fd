import { expect, test } from 'vitest';
import { parseExact } from '../../../../runtime/spec/exact-json.ts';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { ArgumentForm } from './argument-form.svelte.ts';
import { toPointer, type ArgumentPath } from './argument-place.ts';
import { Draft } from './draft.svelte.ts';
import { controlOf, jsonShown, numberShown, takesText } from './field-control.ts';
import type { Shape } from './form-schema.ts';
import { groupEntries, splitIntoBlocks, type GroupEntry } from './group-entries.ts';
import type { JsonValue } from './json-value.ts';

function open(parameters: object | string, text: string): { form: ArgumentForm; draft: Draft } {
  const schema = typeof parameters === 'string' ? parameters : JSON.stringify(parameters);
  const draft = new Draft(text, () => []);
  return { draft, form: new ArgumentForm(draft, { parameters: parseExact(schema) as JsonObject }) };
}

/** The value, the schema and the control of a field. */
function field(
  form: ArgumentForm,
  path: ArgumentPath,
): { value: JsonValue | undefined; shape: Shape; outer: Shape; control: string } {
  if (typeof form.value === 'string') throw new Error(form.value);
  let value: JsonValue | undefined = form.value;
  let outer = form.schema.root;
  let { shape } = form.choosers([], outer, value);
  for (const [depth, step] of path.entries()) {
    if (value?.kind !== 'object' && value?.kind !== 'array') throw new Error(toPointer(path));
    const at = path.slice(0, depth);
    const entry: GroupEntry | undefined = groupEntries(form.schema, shape, at, value).find(
      (each) => each.path.at(-1) === step,
    );
    if (entry === undefined) throw new Error(`${toPointer(path)} is not shown`);
    value = entry.value;
    outer = form.schema.shape(entry.schema);
    ({ shape } = form.choosers(entry.path, outer, value));
  }
  return { value, shape, outer, control: controlOf(shape, value, path.length) };
}

const controls = (form: ArgumentForm, names: readonly string[]): string[] =>
  names.map((name) => field(form, [name]).control);

test('each type has its control', () => {
  const properties = {
    text: { type: 'string' },
    number: { type: 'number' },
    whole: { type: 'integer' },
    yes: { type: 'boolean' },
    nothing: { type: 'null' },
    object: { properties: { a: {} } },
    list: { items: { type: 'string' } },
    one: { enum: ['a', 1, null] },
    constant: { const: { a: 1 } },
    named: {
      oneOf: [
        { const: 1, title: 'One' },
        { const: 2, title: 'Two' },
      ],
    },
    any: {},
    always: true,
    unknown: { type: 'date' },
  };
  const { form } = open({ type: 'object', properties }, '{}');
  expect(controls(form, Object.keys(properties))).toEqual([
    'text',
    'number',
    'number',
    'boolean',
    'null',
    'object',
    'array',
    'choice',
    'choice',
    'choice',
    'json',
    'json',
    'json',
  ]);
  expect(field(form, ['named']).shape.choices?.map(({ label }) => label)).toEqual([
    '1 – One',
    '2 – Two',
  ]);
});

test('a value that does not fit its type is shown as JSON, and names that are not declared are shown', () => {
  const { form } = open(
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'object' } },
      required: ['r'],
    },
    '{"a": 1, "b": [2.0], "extra": {"x": 1.0}, "c": "\\u0000"}',
  );
  expect(controls(form, ['a', 'b', 'extra', 'r', 'c'])).toEqual([
    'json',
    'json',
    'json',
    'json',
    'json',
  ]);
  expect(field(form, ['extra']).value?.text).toBe('{"x": 1.0}');
});

test('what is typed into a field for numbers is kept, number or not', () => {
  const { form, draft } = open({ properties: { n: { type: 'integer' } } }, '{"m": 3.0}');
  const shown: string[] = [];
  for (const [typed, text] of [
    ['1', '1'],
    [`1${'0'.repeat(40)}`, `1${'0'.repeat(40)}`],
    ['3.0', '3.0'],
    ['1e', '"1e"'],
  ] as const) {
    form.setNumber(['n'], typed);
    const { value } = field(form, ['n']);
    shown.push(form.unfinished(value)?.text ?? numberShown(value));
    expect(draft.text).toBe(`{"m": 3.0, "n": ${text}}`);
  }
  expect(shown).toEqual(['1', `1${'0'.repeat(40)}`, '3.0', '"1e"']);
  form.set(['n'], '"12"');
  expect(numberShown(field(form, ['n']).value)).toBe('"12"');
  form.remove(['n']);
  expect(draft.text).toBe('{"m": 3.0}');
});

test('alternatives are distinguished by their constants, else the closest one is used', () => {
  const { form, draft } = open(
    {
      properties: {
        s: {
          oneOf: [
            { properties: { kind: { const: 'a' }, size: { type: 'number' } }, required: ['kind'] },
            { properties: { kind: { const: 'b' }, note: { type: 'string' } }, required: ['kind'] },
            { type: 'null' },
            { type: 'string' },
          ],
        },
      },
    },
    '{"s": {"kind": "b"}}',
  );
  const chosen = (): number | undefined => {
    const { value, outer } = field(form, ['s']);
    return form.choosers(['s'], outer, value).choosers[0]?.index;
  };
  const choose = (next: number): void => {
    const { value, outer } = field(form, ['s']);
    const [chooser] = form.choosers(['s'], outer, value).choosers;
    if (chooser !== undefined) form.choose(['s'], chooser, next, value);
  };
  expect(chosen()).toBe(1);
  form.set(['s', 'note'], '"kept"');
  choose(0);
  expect([chosen(), draft.text]).toEqual([0, '{"s": {"kind": "a"}}']);
  choose(2);
  expect([chosen(), draft.text]).toEqual([2, '{"s": null}']);
  // The alternative gets its earlier value back.
  choose(1);
  expect([chosen(), draft.text]).toEqual([1, '{"s": {"kind": "b", "note": "kept"}}']);
  // Text that the form did not write decides the alternative.
  draft.write('{"s": {"kind": "a", "size": 1.0}}');
  expect(chosen()).toBe(0);
  draft.write('{"s": {"size": 1.0}}');
  expect(chosen()).toBe(0);
  draft.write('{"s": "text"}');
  expect(chosen()).toBe(3);
});

test('an optional object can be left out, filled and left out again', () => {
  const { form, draft } = open(
    {
      $defs: {
        node: {
          properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
          required: ['name'],
        },
      },
      properties: { node: { $ref: '#/$defs/node' } },
    },
    '{}',
  );
  form.add(['node'], field(form, ['node']).outer);
  form.add(['node', 'next'], field(form, ['node', 'next']).outer);
  expect(draft.text.replace(/\s/g, '')).toBe('{"node":{"next":{}}}');
  form.remove(['node']);
  expect(draft.text).toBe('{}');
});

test('items are added, moved and removed; tuples have a schema for each place', () => {
  const { form, draft } = open(
    {
      properties: {
        pair: { prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false },
        old: { type: 'array', items: [{ type: 'boolean' }], additionalItems: { type: 'null' } },
      },
    },
    '{"pair": [1.0, "x"], "old": [true, null]}',
  );
  expect([field(form, ['pair', 0]).control, field(form, ['pair', 1]).control]).toEqual([
    'number',
    'text',
  ]);
  expect([field(form, ['old', 0]).control, field(form, ['old', 1]).control]).toEqual([
    'boolean',
    'null',
  ]);
  form.swap(['pair'], 0, 1);
  form.remove(['old', 0]);
  expect(draft.text).toBe('{"pair": ["x", 1.0], "old": [null]}');
});

test('allOf, references and what depends on conditions are merged', () => {
  const { form } = open(
    {
      $defs: { base: { properties: { id: { type: ['integer', 'string'] } }, required: ['id'] } },
      allOf: [
        { $ref: '#/$defs/base' },
        { properties: { id: { type: 'integer' }, a: { type: 'string' } } },
      ],
      if: { properties: { a: { const: 'x' } } },
      then: { properties: { b: { type: 'boolean' } } },
    },
    '{}',
  );
  expect(controls(form, ['id', 'a', 'b'])).toEqual(['number', 'text', 'boolean']);
  expect([...form.schema.root.required]).toEqual(['id']);
});

test('names that only patterns allow have the schema of their pattern', () => {
  const { form } = open(
    {
      properties: {
        p: { patternProperties: { '^x-': { type: 'integer' } }, additionalProperties: false },
        q: { additionalProperties: { type: 'boolean' } },
        slow: { patternProperties: { '^(a+)+$': { type: 'integer' } } },
      },
    },
    '{"p": {"x-1": 1, "y": 2}, "q": {"z": true}, "slow": {"a": 1}}',
  );
  expect(field(form, ['p', 'x-1']).control).toBe('number');
  expect(field(form, ['p', 'y']).control).toBe('json');
  expect(field(form, ['q', 'z']).control).toBe('boolean');
  // The form does not run a pattern that may take forever; the value is edited as JSON.
  expect(field(form, ['slow', 'a']).control).toBe('json');
});

test('JSON that is being typed stays where it is, in the form and in the text', () => {
  const { form, draft } = open(
    { properties: { a: {}, b: { type: 'string' } } },
    '{"b": "x", "n": 3.0}',
  );
  const type = (typed: string): void => {
    form.setTyped(['a'], typed);
  };
  type('{"x":');
  expect(draft.text).toBe('{"b": "x", "n": 3.0, "a": {"x":}');
  form.set(['b'], '"y"');
  type('{"x": [');
  expect(draft.text).toBe('{"b": "y", "n": 3.0, "a": {"x": [}');
  expect(form.unfinished(field(form, ['a']).value)?.text).toBe('{"x": [');
  type('{"x":[1.0]}');
  expect(draft.text).toBe('{"b": "y", "n": 3.0, "a": {"x":[1.0]}}');
  expect(draft.unfinished.size).toBe(0);
  type('nul');
  form.remove(['a']);
  expect(draft.text).toBe('{"b": "y", "n": 3.0}');
});

test('text without quotes is accepted where the schema allows any type', () => {
  const { form, draft } = open(
    { properties: { a: {}, c: { enum: [{ x: 1 }, 2] }, d: { type: 'object' } } },
    '{}',
  );
  const type = (name: string, typed: string): string => {
    const { shape } = field(form, [name]);
    form.setTyped([name], typed, { takesText: takesText(shape) });
    return jsonShown(field(form, [name]).value, shape);
  };
  const shown = [
    type('a', 'the cat '),
    type('a', 'say "hi"'),
    type('a', 'nul'),
    type('a', '12'),
    type('a', '12 pieces'),
  ];
  expect(shown).toEqual(['the cat ', 'say "hi"', 'nul', '12', '12 pieces']);
  expect(JSON.parse(draft.text)).toEqual({ a: '12 pieces' });
  // A text that is also valid JSON keeps its quotes, and input that begins like JSON must become JSON.
  expect(type('a', '"12"')).toBe('"12"');
  expect(draft.unfinished.size).toBe(0);
  for (const typed of ['{"x', '[1,', '"open']) {
    type('a', typed);
    expect(draft.unfinished.size, typed).toBe(1);
  }
  for (const name of ['c', 'd']) {
    type(name, 'plain');
    expect(form.unfinished(field(form, [name]).value)?.why).toBe('no json');
  }
});

test('a list can begin with items', () => {
  const { form, draft } = open({ properties: { a: { items: { type: 'string' } } } }, '{}');
  form.add(['a'], field(form, ['a']).shape, 1);
  expect(field(form, ['a', 0]).control).toBe('text');
  form.remove(['a', 0]);
  expect(JSON.parse(draft.text)).toEqual({ a: [] });
});

test('text that has no fields is recognized', () => {
  const shown = (text: string): unknown => open({}, text).form.value;
  expect([
    shown('{"a"'),
    shown('[1]'),
    shown(`{"a": ${'['.repeat(100)}${']'.repeat(100)}}`),
  ]).toEqual(['broken', 'no object', 'too large']);
  expect(shown(`{"a": [${'1,'.repeat(30_000)}1]}`)).toBe('too large');
});

test('unchanged parts of the arguments are the same objects after an edit', () => {
  const { form } = open({}, '{"a": {"x": 1}, "b": [1, {"y": 2}]}');
  const before = field(form, ['a']).value;
  form.set(['b', 0], '7');
  expect(field(form, ['a']).value).toBe(before);
});

test('only the blocks that change are new when a group grows', () => {
  const entries = Array.from({ length: 7 }, (_, index) => ({
    schema: true,
    path: [index],
    value: undefined,
    required: false,
  }));
  const before = splitIntoBlocks(entries.slice(0, 5), 2);
  expect(before.map((block) => block.length)).toEqual([2, 2, 1]);
  const after = splitIntoBlocks(entries, 2, before);
  expect(after.map((block) => block.length)).toEqual([2, 2, 2, 1]);
  expect(after.map((block, index) => block === before[index])).toEqual([true, true, false, false]);
});

test('unfinished values of an alternative return when it is chosen again', () => {
  const branch = (title: string, name: string) => ({
    title,
    type: 'object',
    properties: { [name]: {} },
  });
  const { form, draft } = open(
    { type: 'object', properties: { u: { oneOf: [branch('A', 'x'), branch('B', 'y')] } } },
    '{"u": {"x": 1}}',
  );
  const chooseAt = (next: number): void => {
    const { value, outer } = field(form, ['u']);
    const [chooser] = form.choosers(['u'], outer, value).choosers;
    form.choose(['u'], chooser!, next, value);
  };
  form.setTyped(['u', 'x'], '[1, {');
  expect(draft.text).toBe('{"u": {"x": [1, {}}');
  chooseAt(1);
  expect([draft.text, draft.unfinished.size]).toEqual(['{"u": {}}', 0]);
  chooseAt(0);
  expect(draft.text).toContain('"x": [1, {}');
  expect(form.unfinished(field(form, ['u', 'x']).value)?.text).toBe('[1, {');
});
