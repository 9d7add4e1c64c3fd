import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleProblem, sampleTool } from '../../../../../tests/support/ui-samples.ts';
import type { Problem } from '../../../../runtime/spec/folder.ts';
import type { RegistryState } from '../../../../runtime/registry/registry.ts';
import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';
import {
  groupTools,
  haystackOf,
  listRows,
  ToolList,
  type ListRow,
  type Narrowing,
  type StateFilter,
} from './tool-list.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function fakeRegistry() {
  let listener: ((event: undefined) => void) | undefined;
  const registry = {
    state: 'ready' as RegistryState,
    tools: [] as RegisteredTool[],
    problems: [] as readonly Problem[],
    settings: [],
    list: () => [...registry.tools],
    get: (name: string) => registry.tools.find((tool) => tool.name === name),
    observe(tell: (event: undefined) => void) {
      listener = tell;
      return () => {
        listener = undefined;
      };
    },
    add(tool: RegisteredTool) {
      registry.tools.push(tool);
      listener?.(undefined);
    },
    enter(state: RegistryState) {
      registry.state = state;
      listener?.(undefined);
    },
  };
  return registry;
}

test('a scan that adds a thousand tools is shown in few updates, up to the last tool', () => {
  const registry = fakeRegistry();
  const reads = vi.spyOn(registry, 'list');
  const list = new ToolList(registry, () => false);
  for (let i = 0; i < 1_000; i += 1) registry.add(sampleTool({ name: `m:t${String(i)}` }));
  vi.advanceTimersByTime(500);
  expect([list.all.length, list.found, list.tool('m:t999')?.name]).toEqual([
    1_000,
    1_000,
    'm:t999',
  ]);
  expect(reads.mock.calls.length).toBeLessThan(4);
});

test('what a short scan has found is shown when it ends', () => {
  const registry = fakeRegistry();
  const list = new ToolList(registry, () => false);
  registry.enter('scanning');
  registry.add(sampleTool({ name: 'm:t' }));
  expect(list.found).toBe(0);
  registry.enter('ready');
  expect(list.found).toBe(1);
});

test('searching and collapsing change the rows, but not the total counts', () => {
  const registry = fakeRegistry();
  registry.tools = [sampleTool({ name: 'a:one' }), sampleTool({ name: 'b:two' })];
  registry.problems = [
    sampleProblem({ file: 'b.py' }),
    sampleProblem({ file: 'b.py', severity: 'warning' }),
  ];
  const list = new ToolList(registry, () => false);
  list.fold('a.py', true);
  expect([list.rows.length, list.found, list.errors, list.problemsOf('b.py').length]).toEqual([
    3, 2, 1, 2,
  ]);
  list.search('two');
  expect([list.rows.length, list.found, list.all.length, list.narrowed]).toEqual([2, 1, 2, true]);
  list.showAll();
  list.filterBy('errors');
  expect(list.rows.map((row) => row.key)).toEqual(['f b.py']);
});

const at = (name: string, line: number, description = '') =>
  sampleTool({
    name,
    description,
    source: { file: `${name.split(':')[0] ?? ''}.py`, line, column: 1 },
  });
const tools = [
  at('b:late', 20, 'Adds numbers'),
  at('b:early', 3),
  at('a:one', 1, 'Fetches WEATHER'),
];
const problems = [
  sampleProblem({ file: 'c.py' }),
  sampleProblem({ file: 'b.py', severity: 'warning' }),
  sampleProblem({ file: '' }),
];
const everything: Narrowing = { query: '', filter: 'all', closed: new Set(), fails: () => false };
const rowTexts = (rows: readonly ListRow[]): string[] =>
  rows.map((row) =>
    row.kind === 'tool'
      ? `  ${row.tool.name}`
      : row.kind === 'broken'
        ? `  x ${row.broken.name}`
        : `${row.open ? 'v' : '>'} ${row.group.file} ${String(row.shown)}`,
  );
const rows = (narrowing: Partial<Narrowing>): string[] =>
  rowTexts(listRows(groupTools(tools, problems, haystackOf), { ...everything, ...narrowing }));

test('tools are listed by file in line order, including files that have only problems', () => {
  expect(rows({})).toEqual([
    'v a.py 1',
    '  a:one',
    'v b.py 2',
    '  b:early',
    '  b:late',
    'v c.py 0',
  ]);
});

test('a collapsed file stays in the list', () => {
  expect(rows({ closed: new Set(['b.py']) })).toEqual([
    'v a.py 1',
    '  a:one',
    '> b.py 2',
    'v c.py 0',
  ]);
});

test('a search matches all its words in name, file and description, and expands files', () => {
  expect(rows({ query: ' weather FETCHES ', closed: new Set(['a.py']) })).toEqual([
    'v a.py 1',
    '  a:one',
  ]);
  expect(rows({ query: 'fetches one weather' })).toEqual(['v a.py 1', '  a:one']);
  expect(rows({ query: 'b.py adds' })).toEqual(['v b.py 1', '  b:late']);
  expect(rows({ query: 'c.py' })).toEqual(['v c.py 0']);
  expect(rows({ query: 'nothing such' })).toEqual([]);
});

test('the list can be filtered by state', () => {
  const states = [
    { ...at('d:old', 2), state: 'last-good' as const },
    { ...at('b:early', 3) },
    { ...at('a:one', 1) },
  ];
  const found = [
    sampleProblem({ file: 'd.py' }),
    sampleProblem({ file: 'b.py', severity: 'warning', tool: 'b:early' }),
    sampleProblem({ file: 'c.py', severity: 'warning' }),
    sampleProblem({ file: 'a.py', tool: 'a:gone' }),
  ];
  const groups = groupTools(states, found, haystackOf);
  const shown = (filter: StateFilter): string[] =>
    rowTexts(listRows(groups, { ...everything, filter }));
  expect(shown('errors')).toEqual(['v a.py 0', '  x a:gone', 'v d.py 1', '  d:old']);
  expect(shown('warnings')).toEqual(['v b.py 1', '  b:early', 'v c.py 0']);
  expect(shown('last-good')).toEqual(['v d.py 1', '  d:old']);
  const fails = (tool: string): boolean => tool === 'b:early';
  expect(rowTexts(listRows(groups, { ...everything, filter: 'failing', fails }))).toEqual([
    'v b.py 1',
    '  b:early',
  ]);
});

test('the best tool of a search is the one whose name begins with it, and has a row', () => {
  const registry = fakeRegistry();
  registry.tools = [at('late:other', 1), at('m:later', 2), at('n:translate', 3)];
  const list = new ToolList(registry, () => false);
  expect([list.best, list.bestRow]).toEqual(['late:other', 1]);
  list.search('late');
  expect([list.best, list.bestRow]).toEqual(['m:later', 3]);
  list.search('nothing such');
  expect([list.best, list.bestRow]).toEqual([undefined, 0]);
});

test('a problem marks only the tool with its name in its own file', () => {
  const found = [sampleProblem({ file: 'copy.py', severity: 'warning', tool: 'a:one' })];
  const groups = groupTools([at('a:one', 1)], found, haystackOf);
  expect(groups.map(({ file, tools: [entry] }) => [file, entry?.warned])).toEqual([
    ['a.py', false],
    ['copy.py', undefined],
  ]);
});

test('the tools of a file with wrong syntax stay listed with its error', () => {
  const found = [sampleProblem({ file: 'a.py', message: 'SyntaxError: invalid syntax' })];
  const groups = groupTools([at('b:one', 1)], found, haystackOf, () => ['a:x', 'a:y', 'b:one']);
  const broken = groups.map(({ file, broken: tools }) => [
    file,
    tools.map(({ name, problem }) => `${name}: ${problem.message}`),
  ]);
  expect(broken).toEqual([
    ['a.py', ['a:x: SyntaxError: invalid syntax', 'a:y: SyntaxError: invalid syntax']],
    ['b.py', []],
  ]);
});

test('a tool with an error stays listed, before the tools of its file, and can be found', () => {
  const found = [
    sampleProblem({ file: 'a.py', tool: 'a:late', severity: 'warning' }),
    sampleProblem({ file: 'a.py', tool: 'a:late' }),
    sampleProblem({ file: 'a.py', tool: 'a:late', message: 'another' }),
    // A name that another file has already.
    sampleProblem({ file: 'b.py', tool: 'a:one' }),
  ];
  const groups = groupTools([at('a:one', 1)], found, haystackOf);
  expect(rowTexts(listRows(groups, everything))).toEqual([
    'v a.py 1',
    '  x a:late',
    '  a:one',
    'v b.py 0',
  ]);
  expect(rowTexts(listRows(groups, { ...everything, query: 'late' }))).toEqual([
    'v a.py 0',
    '  x a:late',
  ]);
});

test('problems are counted by file and severity', () => {
  const counts = groupTools(tools, problems, haystackOf).map(({ file, errors, warnings }) => [
    file,
    errors,
    warnings,
  ]);
  expect(counts).toEqual([
    ['a.py', 0, 0],
    ['b.py', 0, 1],
    ['c.py', 1, 0],
  ]);
});

test('only the start of a very long description is searched', () => {
  expect(haystackOf(at('a:one', 1, 'x'.repeat(5_000_000))).length).toBeLessThan(3_000);
});
