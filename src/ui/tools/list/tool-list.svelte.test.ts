import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Problem } from '../../../spec/problem.ts';
import type { RegisteredTool } from '../../../spec/tool.ts';
import { sampleProblem, sampleTool } from '../../../../tests/support/ui-samples.ts';
import { ToolList } from './tool-list.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function fakeRegistry() {
  let listener: (() => void) | undefined;
  const registry = {
    tools: [] as RegisteredTool[],
    problems: [] as readonly Problem[],
    list: () => [...registry.tools],
    get: (name: string) => registry.tools.find((tool) => tool.name === name),
    observe(tell: () => void) {
      listener = tell;
      return () => {
        listener = undefined;
      };
    },
    add(tool: RegisteredTool) {
      registry.tools.push(tool);
      listener?.();
    },
  };
  return registry;
}

test('a scan that adds a thousand tools is followed in few steps, to the last tool', () => {
  const registry = fakeRegistry();
  const reads = vi.spyOn(registry, 'list');
  const list = new ToolList(registry);
  for (let i = 0; i < 1_000; i += 1) registry.add(sampleTool({ name: `m:t${String(i)}` }));
  vi.advanceTimersByTime(500);
  expect([list.all.length, list.found, list.tool('m:t999')?.name]).toEqual([
    1_000,
    1_000,
    'm:t999',
  ]);
  expect(reads.mock.calls.length).toBeLessThan(4);
});

test('searching and folding change rows, not counts of what there is', () => {
  const registry = fakeRegistry();
  registry.tools = [sampleTool({ name: 'a:one' }), sampleTool({ name: 'b:two' })];
  registry.problems = [
    sampleProblem({ file: 'b.py' }),
    sampleProblem({ file: 'b.py', severity: 'warning' }),
  ];
  const list = new ToolList(registry);
  list.fold('a.py', true);
  expect([list.rows.length, list.found, list.errors, list.problemsOf('b.py').length]).toEqual([
    3, 2, 1, 2,
  ]);
  list.search('two');
  expect([list.rows.length, list.found, list.all.length, list.narrowed]).toEqual([2, 1, 2, true]);
  list.showAll();
  list.showOnlyProblems(true);
  expect(list.rows.map((row) => row.key)).toEqual(['f b.py', 't b:two']);
});

test('once disposed it hears nothing more', () => {
  const registry = fakeRegistry();
  const list = new ToolList(registry);
  list.dispose();
  registry.add(sampleTool());
  vi.advanceTimersByTime(500);
  expect(list.all).toEqual([]);
});

test('a tool has its own problems, and those of its file that are no other tool\u2019s', () => {
  const registry = fakeRegistry();
  const problem = (file: string, tool?: string): Problem =>
    sampleProblem({ file, message: `${file} ${tool ?? ''}`, ...(tool ? { tool } : {}) });
  registry.problems = [
    problem('m.py'),
    problem('m.py', 'm:one'),
    problem('m.py', 'm:two'),
    problem('n.py'),
  ];
  const list = new ToolList(registry);
  const one = sampleTool({ name: 'm:one', source: { file: 'm.py', line: 1, column: 1 } });
  expect(list.problemsOfTool(one).map(({ message }) => message)).toEqual(['m.py ', 'm.py m:one']);
});

test('files are counted that define tools, not those with problems alone', () => {
  const registry = fakeRegistry();
  registry.tools = [sampleTool({ name: 'a:one' }), sampleTool({ name: 'a:two' })];
  registry.problems = [sampleProblem({ file: 'helper.py', severity: 'warning' })];
  const list = new ToolList(registry);
  expect([list.files, list.groups.length]).toEqual([1, 2]);
});
