import { expect, test } from 'vitest';
import { sampleProblem, sampleTool } from '../../../../tests/support/ui-samples.ts';
import { groupTools, haystackOf, listRows, type ListRow, type Narrowing } from './tool-groups.ts';

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
const everything: Narrowing = { query: '', onlyProblems: false, closed: new Set() };
const told = (rows: readonly ListRow[]): string[] =>
  rows.map((row) =>
    row.kind === 'tool'
      ? `  ${row.tool.name}`
      : `${row.open ? 'v' : '>'} ${row.group.file} ${String(row.shown)}`,
  );
const rows = (narrowing: Partial<Narrowing>): string[] =>
  told(listRows(groupTools(tools, problems, haystackOf), { ...everything, ...narrowing }));

test('tools stand below their file in the order of their lines, files with problems alone included', () => {
  expect(rows({})).toEqual([
    'v a.py 1',
    '  a:one',
    'v b.py 2',
    '  b:early',
    '  b:late',
    'v c.py 0',
  ]);
});

test('a closed file keeps its row', () => {
  expect(rows({ closed: new Set(['b.py']) })).toEqual([
    'v a.py 1',
    '  a:one',
    '> b.py 2',
    'v c.py 0',
  ]);
});

test('a search takes all its words, from name, file and description, and opens files', () => {
  expect(rows({ query: ' weather FETCHES ', closed: new Set(['a.py']) })).toEqual([
    'v a.py 1',
    '  a:one',
  ]);
  expect(rows({ query: 'fetches one weather' })).toEqual(['v a.py 1', '  a:one']);
  expect(rows({ query: 'b.py adds' })).toEqual(['v b.py 1', '  b:late']);
  expect(rows({ query: 'c.py' })).toEqual(['v c.py 0']);
  expect(rows({ query: 'nothing such' })).toEqual([]);
});

test('files can be narrowed to those with problems', () => {
  expect(rows({ onlyProblems: true })).toEqual(['v b.py 2', '  b:early', '  b:late', 'v c.py 0']);
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

test('a description of megabytes is searched in its beginning alone', () => {
  expect(haystackOf(at('a:one', 1, 'x'.repeat(5_000_000))).length).toBeLessThan(3_000);
});
