/** The limits for the inspection of one tool file that comes out of the sandbox. */

import { inspection as isInspection } from 'virtual:cloche/validators';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../spec/json.ts';
import { fakeInspection, fakeTool } from './tool.fixture.ts';

const problem = {
  severity: 'error',
  code: 'import',
  file: 'm.py',
  line: 1,
  column: null,
  message: '',
  expected: '',
  hint: '',
} as const;

const honest = fakeInspection('m.py', {
  tools: [
    fakeTool('m:f', {
      requires_approval: 'callable',
      timeout_s: 0.5,
      examples: [{ city: 'Oslo' }],
      returns: { type: 'object' },
      annotations: { readOnlyHint: true },
      handler: { kind: 'async', name: 'f', file: null, line: null },
    }),
  ],
  problems: [problem, { ...problem, severity: 'warning', line: null, file: '' }],
  imports: ['helper.py'],
  output: 'hello',
});

/** Returns the honest inspection with one value changed, as parsed JSON text. */
function changed(path: readonly (string | number)[], value: Json | undefined): unknown {
  const report = JSON.parse(JSON.stringify(honest)) as JsonObject;
  let at: Json = report;
  for (const key of path.slice(0, -1)) at = (at as JsonObject)[key] ?? null;
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(at as JsonObject, last);
  else Object.defineProperty(at, last, { value, enumerable: true });
  return JSON.parse(JSON.stringify(report));
}

test('an honest inspection is valid, and so is a nearly empty one', () => {
  expect(isInspection(honest)).toBe(true);
  expect(isInspection(fakeInspection('m.py'))).toBe(true);
});

test.each([[null], [[]], ['text'], [1], [{}]])('%j is not an inspection', (value) => {
  expect(isInspection(value)).toBe(false);
});

test('no member may be missing', () => {
  const members = (value: object, above: (string | number)[]): (string | number)[][] =>
    Object.keys(value).map((key) => [...above, key]);
  const [tool] = honest.tools;
  const paths = [
    ...members(honest, []),
    ...members(tool!, ['tools', 0]),
    ...members(tool!.source, ['tools', 0, 'source']),
    ...members(tool!.handler, ['tools', 0, 'handler']),
    ...members(problem, ['problems', 0]),
  ];
  expect(paths).toHaveLength(41);
  expect(paths.filter((path) => isInspection(changed(path, undefined)))).toEqual([]);
});

test('no member may be added, whatever its name', () => {
  const names = ['extra', '__proto__', 'constructor', 'then', 'toJSON'];
  const places = [
    [],
    ['tools', 0],
    ['tools', 0, 'source'],
    ['tools', 0, 'handler'],
    ['problems', 0],
  ];
  const passed = places.flatMap((place) =>
    names.filter((name) => isInspection(changed([...place, name], 'x'))),
  );
  expect(passed).toEqual([]);
});

const long = 'x'.repeat(100_001);

test.each<[(string | number)[], Json]>([
  [['file'], ''],
  [['file'], 'x'.repeat(5_000)],
  [['output'], 'x'.repeat(20_001)],
  [['durationMs'], -1],
  [['durationMs'], '1'],
  [['noSpecs'], 0],
  [['tools'], {}],
  [['imports'], Array.from({ length: 5_001 }, () => 'a.py')],
  [['imports'], [1]],
  [['problems'], Array.from({ length: 20_001 }, () => problem)],
  [['problems', 0, 'severity'], 'fatal'],
  [['problems', 0, 'message'], long],
  [['problems', 0, 'hint'], long],
  [['problems', 0, 'line'], 0],
  [['problems', 0, 'line'], 1.5],
  [['problems', 0, 'column'], 2 ** 40],
  [['tools', 0, 'name'], `m:${'f'.repeat(255)}`],
  [['tools', 0, 'name'], 7],
  [['tools', 0, 'label'], long],
  [['tools', 0, 'description'], ''],
  [['tools', 0, 'description'], long],
  [['tools', 0, 'parameters'], []],
  [['tools', 0, 'source', 'line'], null],
  [['tools', 0, 'handler', 'kind'], 'lambda'],
  [['tools', 0, 'handler', 'name'], long],
  [['tools', 0, 'timeout_s'], 0],
  [['tools', 0, 'timeout_s'], null],
  [['tools', 0, 'requires_approval'], 'yes'],
  [['tools', 0, 'interrupt'], 'kill'],
  [['tools', 0, 'prompt_guides'], [1]],
  [['tools', 0, 'prompt_guides'], [long]],
  [['tools', 0, 'examples'], [[]]],
  [['tools', 0, 'returns'], []],
  [['tools', 0, 'annotations'], null],
  [['tools', 0, 'framework'], 'LangChain'],
  [['tools', 0, 'framework'], { name: '', standIns: [] }],
  [['tools', 0, 'framework'], { name: 'llm', standIns: ['x'.repeat(201)] }],
  [['reason'], { line: 1, message: long, hint: '' }],
])('%j is limited', (path, value) => {
  expect(isInspection(changed(path, value))).toBe(false);
});

test('infinity, which JSON text can express, is not a valid duration', () => {
  const text = JSON.stringify(honest).replace('"timeout_s":0.5', '"timeout_s":1e999');
  expect(isInspection(JSON.parse(text))).toBe(false);
});
