import { expect, test } from 'vitest';
import { toSelectedTool } from '../../../../runtime/registry/tool-extras.ts';
import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';
import { choiceGroups, listLockedTools, listOfferedTools } from './tool-choice.ts';

function tool(name: string, changes: Partial<RegisteredTool> = {}): RegisteredTool {
  const file = `${name.split(':')[0] ?? ''}.py`;
  return {
    name,
    label: name,
    description: `Does ${name}.`,
    parameters: { type: 'object' },
    source: { file, line: 1, column: null },
    state: 'ready',
    hash: '',
    loadedAt: 0,
    handler: { kind: 'function', name: 'f', file, line: 1 },
    takesContext: false,
    timeout_s: 60,
    requires_approval: false,
    concurrency_safe: true,
    stateless: false,
    background_safe: false,
    interrupt: 'cancel',
    deferred: false,
    prompt_hint: '',
    prompt_guides: [],
    examples: [],
    returns: null,
    annotations: {},
    ...changes,
  };
}

const tools = [tool('a:one'), tool('a:two', { label: 'The second' }), tool('b:three')];

test('tools are listed by file, and found by any of their words', () => {
  const found = (query: string) =>
    choiceGroups(listOfferedTools(tools), query).map((group) => [
      group.file,
      group.tools.map(({ name }) => name),
    ]);
  expect(found('')).toEqual([
    ['a.py', ['a:one', 'a:two']],
    ['b.py', ['b:three']],
  ]);
  expect(found('SECOND a.py')).toEqual([['a.py', ['a:two']]]);
  expect(found('nothing')).toEqual([]);
});

test('a row has what its file says about approval, and the tokens of what the model is sent', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const rows = listOfferedTools([
    tool('a:one', { parameters }),
    tool('a:two', { parameters, deferred: true, requires_approval: 'callable' }),
  ]);
  expect(rows.map(({ approval, tokens }) => [approval, tokens])).toEqual([
    [false, Math.ceil(('a:one'.length + 'Does a:one.'.length + 57) / 4)],
    ['callable', Math.ceil(('a:two'.length + 'Does a:two.'.length) / 4)],
  ]);
  expect(JSON.stringify(parameters)).toHaveLength(57);
});

test('locked tools show what has changed since', () => {
  const then = [...tools, tool('c:gone'), tool('d:broken')].map((each) => toSelectedTool(each, 1));
  const now = new Map(
    [
      tool('a:one'),
      tool('a:two', { parameters: { type: 'object', properties: {} } }),
      tool('b:three', { state: 'last-good' }),
    ].map((each) => [each.name, each]),
  );
  const locked = listLockedTools(then, (name) => now.get(name), new Set(['d.py']));
  expect(locked.map(({ name, state }) => [name, state])).toEqual([
    ['a:one', 'ready'],
    ['a:two', 'changed'],
    ['b:three', 'last-good'],
    ['c:gone', 'gone'],
    ['d:broken', 'broken'],
  ]);
});
