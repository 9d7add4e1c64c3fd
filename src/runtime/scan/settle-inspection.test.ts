/** Normalizing inspections from the sandbox. */

import { expect, test } from 'vitest';
import type { Problem } from '../spec/folder.ts';
import { settleInspection } from './settle-inspection.ts';
import { fakeInspection, fakeTool } from './tool.fixture.ts';

const folder = new Set(['weather.py', 'helper.py', 'a.b.py']);
const inFolder = (path: string): boolean => folder.has(path);

const problem: Problem = {
  severity: 'error',
  code: 'import',
  file: 'helper.py',
  line: 3,
  column: null,
  message: 'It is broken.',
  expected: 'that it is whole',
  hint: 'Mend it.',
};

test('an honest inspection is unchanged', () => {
  const honest = fakeInspection('weather.py', {
    tools: [fakeTool('weather:today'), fakeTool('weather:天気.v-2')],
    problems: [problem],
    imports: ['helper.py'],
    output: 'hello',
  });
  expect(settleInspection(honest, 'weather.py', inFolder)).toEqual(honest);
});

test('the module of a tool name is the whole stem of the file', () => {
  const honest = fakeInspection('a.b.py', {
    tools: [fakeTool('a.b:f', { source: { file: 'a.b.py', line: 1, column: null } })],
  });
  expect(settleInspection(honest, 'a.b.py', inFolder)).toEqual(honest);
});

test('an inspection that names another file is assigned to the inspected file', () => {
  const forged = fakeInspection('helper.py', {
    tools: [fakeTool('weather:f', { source: { file: '../x.py', line: 2, column: 1 } })],
    problems: [{ ...problem, file: '/etc/passwd' }],
    imports: ['weather.py', '../../x.py', 'helper.py'],
  });
  const settled = settleInspection(forged, 'weather.py', inFolder);
  expect([
    settled.file,
    settled.tools[0]?.source,
    settled.problems[0]?.file,
    settled.imports,
  ]).toEqual([
    'weather.py',
    { file: 'weather.py', line: 2, column: 1 },
    'weather.py',
    ['helper.py'],
  ]);
});

test.each([
  ['helper:f', 'it does not start with “weather:”'],
  ['weather', 'it does not start with “weather:”'],
  ['weather:', 'it does not have the form module:function'],
  ['weather:a:b', 'it does not have the form module:function'],
  ['weather:a b', 'it contains whitespace or invisible characters'],
  ['weather:a\u202eb', 'it contains whitespace or invisible characters'],
  ['weather:a\ud800', 'it contains whitespace or invisible characters'],
])('the name %j is refused', (name, fault) => {
  const forged = fakeInspection('weather.py', { tools: [fakeTool('weather:ok'), fakeTool(name)] });
  const settled = settleInspection(forged, 'weather.py', inFolder);
  expect(settled.tools.map((tool) => tool.name)).toEqual(['weather:ok']);
  expect(settled.problems[0]).toMatchObject({ severity: 'error', code: 'bad-name', line: 10 });
  expect(settled.problems[0]?.message).toContain(fault);
});

test('of two tools with the same name, the first is kept', () => {
  const forged = fakeInspection('weather.py', {
    tools: [fakeTool('weather:f', { label: 'first' }), fakeTool('weather:f', { label: 'second' })],
  });
  const settled = settleInspection(forged, 'weather.py', inFolder);
  expect(settled.tools.map((tool) => tool.label)).toEqual(['first']);
  expect(settled.problems.map((one) => one.code)).toEqual(['bad-name']);
});

test('a time limit is at most the longest delay of a timer', () => {
  const forged = fakeInspection('weather.py', {
    tools: [fakeTool('weather:f', { timeout_s: 1e300 })],
  });
  expect(settleInspection(forged, 'weather.py', inFolder).tools[0]?.timeout_s).toBe(2_147_483);
});
