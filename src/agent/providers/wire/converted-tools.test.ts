import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../../runtime/spec/model.ts';
import type { Adapter } from './adapter.ts';
import { ReadTools, convertTools } from './converted-tools.ts';

const list: readonly ToolDefinition[] = ['a', 'b'].map((name) => ({
  name,
  description: '',
  parameters: { type: 'object' },
}));

function bench() {
  const converted: string[] = [];
  const convertTool: Adapter['convertTool'] = (tool, adjusted) => {
    converted.push(tool.name);
    return { ...tool, description: [...adjusted].join() };
  };
  return { converted, adapter: { convertTool } as unknown as Adapter };
}

test('tools that arrive again are the same list, whose schemas are converted once', () => {
  const { adapter, converted } = bench();
  const read = new ReadTools();
  const text = JSON.stringify(list);
  const first = convertTools(adapter, read.read(text), new Set());
  for (let n = 0; n < 5; n += 1)
    expect(convertTools(adapter, read.read(text), new Set())).toBe(first);
  expect([first, converted]).toEqual([list, ['a', 'b']]);
});

test('a refused request, another provider and other tools are converted again', () => {
  const { adapter, converted } = bench();
  const read = new ReadTools();
  const tools = read.read(JSON.stringify(list));
  convertTools(adapter, tools, new Set());
  const [changed] = convertTools(adapter, tools, new Set(['plain-schemas']));
  expect(changed?.description).toBe('plain-schemas');
  convertTools(bench().adapter, tools, new Set());
  convertTools(adapter, read.read(JSON.stringify(list.slice(1))), new Set());
  expect(converted).toEqual(['a', 'b', 'a', 'b', 'b']);
});

test('only the lists used last are kept', () => {
  const read = new ReadTools();
  const texts = Array.from({ length: 9 }, (_, n) => JSON.stringify([{ name: `t${n}` }]));
  const [first, second] = texts.map((text) => read.read(text));
  expect([read.read(texts[0] ?? '') === first, read.read(texts[1] ?? '') === second]).toEqual([
    false,
    false,
  ]);
  expect(read.read(texts[8] ?? '')).toEqual([{ name: 't8' }]);
});
