/** The cases are shared with workers/python/tests/test_fixes.py: there, the loader reports each problem, and finds it fixed. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../spec/folder.ts';
import { applyFix } from './fix.ts';
import { exampleFix, fixFor, offsetOf } from './fix-for.ts';
import { specKeys, SpecSource } from './spec-source.ts';

interface Case {
  readonly name: string;
  readonly source: string;
  readonly problem: Problem;
  readonly label: string;
  readonly fixed: string;
}

const python = new URL('../../../../workers/python/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, python), 'utf8');
const cases = JSON.parse(read('tests/fixes.json')) as Case[];

describe('a fix for', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const fix = fixFor(new SpecSource(one.source), one.problem);
    expect(fix?.label).toBe(one.label);
    expect(fix && applyFix(one.source, fix)).toBe(one.fixed);
  });
});

function problem(changes: Partial<Problem>): Problem {
  return {
    severity: 'error',
    code: 'missing-key',
    file: 't.py',
    line: 3,
    column: 5,
    message: "the spec has no 'description'",
    expected: '',
    hint: '',
    ...changes,
  };
}

const spec = (handler: string): string =>
  `def f(): return 1\n\nTOOL_SPECS = [{"name": "t:f", "parameters": {}, "handler": ${handler}}]\n`;

test.each([
  ['a docstring that does not exist', spec('f'), problem({})],
  ['a function of another module', spec('other.f'), problem({})],
  ['a name that the loader does not suggest', spec('f'), problem({ code: 'unknown-key' })],
  ['a problem of another kind', spec('f'), problem({ code: 'import-raises' })],
  ['a problem without a line', spec('f'), problem({ line: null })],
  ['a line that no longer exists', spec('f'), problem({ line: 99 })],
  ['a file that is not Python', '}{ TOOL_SPECS', problem({ line: 1 })],
])('nothing is guessed from %s', (_, source, found) => {
  expect(fixFor(new SpecSource(source), found)).toBe(null);
});

test('a problem is found where its line has moved to', () => {
  const source = `# A new line.\n\n${cases[0]?.source ?? ''}`;
  const found = cases[0]?.problem ?? problem({});
  const at = source.indexOf('timout_s');
  const fix = fixFor(new SpecSource(source), found, at);
  expect(fix && applyFix(source, fix)).toBe(`# A new line.\n\n${cases[0]?.fixed ?? ''}`);
  // Without, the line is that of another part, and nothing is changed there.
  expect(fixFor(new SpecSource(source), { ...found, line: 1 })).toBe(null);
});

test('columns count characters, also those with two units', () => {
  const text = 'a\n🎉b🎉c\n';
  expect([1, 2, 3, 4].map((column) => offsetOf(text, 2, column))).toEqual([2, 4, 5, 7]);
  expect([offsetOf(text, 3, 1), offsetOf(text, 9, 1)]).toEqual([9, null]);
});

test('the known keys are those of the loader', () => {
  const required = /^REQUIRED = \((.*)\)$/m.exec(read('py/cloche/specs.py'))?.[1] ?? '';
  const options = /_OPTIONS: [^{]*\{([^]*?)^\}/m.exec(read('py/cloche/spec_options.py'))?.[1] ?? '';
  const names = [...`${required}, "label", ${options.replace(/:.*$/gm, '')}`.matchAll(/"(\w+)"/g)];
  expect(Object.keys(specKeys)).toEqual(names.map(([, name]) => name));
});

const rectangle = (keys: string): string =>
  `SPEC = {"name": "t:f", "parameters": {}, "handler": f${keys}}\nTOOL_SPECS = [SPEC, {"name": "t:g", "handler": g}]\n`;

test.each([
  ['', ', "examples": [{"a": 1}]'],
  [', "examples": []', ', "examples": [{"a": 1}]'],
  [', "examples": [{"a": 2},]', ', "examples": [{"a": 2}, {"a": 1},]'],
])('an example is added to the spec of its tool: %s', (before, after) => {
  const fix = exampleFix(new SpecSource(rectangle(before)), 't:f', '{"a": 1}');
  expect(fix && applyFix(rectangle(before), fix)).toBe(rectangle(after));
});

test.each([
  ['it is there', rectangle(', "examples": [{"a": 1}]')],
  ['the examples come from elsewhere', rectangle(', "examples": EXAMPLES')],
  ['no spec has this name', 'TOOL_SPECS = [spec(f) for f in (f, g)]\n'],
  ['two specs have it', rectangle('') + rectangle('')],
])('no example is added where %s', (_, source) => {
  expect(exampleFix(new SpecSource(source), 't:f', '{"a": 1}')).toBe(null);
});
