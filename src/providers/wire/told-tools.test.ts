import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../spec/model.ts';
import type { Adapter } from './adapter.ts';
import { ReadTools, toldTools } from './told-tools.ts';

const list: readonly ToolDefinition[] = ['a', 'b'].map((name) => ({
  ...{ name, description: '', parameters: { type: 'object' } },
}));

function bench() {
  const told: string[] = [];
  const tellTool: Adapter['tellTool'] = (tool, adjusted) => {
    told.push(tool.name);
    return { ...tool, description: [...adjusted].join() };
  };
  return { told, adapter: { tellTool } as unknown as Adapter };
}

test('tools that arrive again are the same list, whose schemas are converted once', () => {
  const { adapter, told } = bench();
  const read = new ReadTools();
  const text = JSON.stringify(list);
  const first = toldTools(adapter, read.read(text), new Set());
  for (let n = 0; n < 5; n += 1) expect(toldTools(adapter, read.read(text), new Set())).toBe(first);
  expect([first, told]).toEqual([list, ['a', 'b']]);
});

test('a refused request, another provider and other tools are converted again', () => {
  const { adapter, told } = bench();
  const read = new ReadTools();
  const tools = read.read(JSON.stringify(list));
  toldTools(adapter, tools, new Set());
  const [changed] = toldTools(adapter, tools, new Set(['plain-schemas']));
  expect(changed?.description).toBe('plain-schemas');
  toldTools(bench().adapter, tools, new Set());
  toldTools(adapter, read.read(JSON.stringify(list.slice(1))), new Set());
  expect(told).toEqual(['a', 'b', 'a', 'b', 'b']);
});

test('only the lists used last are kept', () => {
  const read = new ReadTools();
  const texts = Array.from({ length: 9 }, (_, n) => JSON.stringify([{ name: `t${n}` }]));
  const [first, second] = texts.map((text) => read.read(text));
  expect([read.read(texts[0] ?? '') === first, read.read(texts[1] ?? '') === second]).toEqual([
    ...[false, false],
  ]);
  expect(read.read(texts[8] ?? '')).toEqual([{ name: 't8' }]);
});
