import { expect, test } from 'vitest';
import { fakeSuccess } from '../../../../runtime/call/logged-call.fixture.ts';
import { failure } from '../../../../runtime/call/results.ts';
import { noDispatch } from '../../../../runtime/registry/dispatch.fixture.ts';
import { fakeTool } from '../../../../runtime/scan/tool.fixture.ts';
import type { KnownTool, ToolCall } from '../../../../runtime/spec/call.ts';
import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';
import { appArguments, appResult, callForApp } from './app-calls.ts';
import { errorCodes } from './app-messages.ts';

const { signal } = new AbortController();

function registered(name: string): RegisteredTool {
  return { ...fakeTool(name), hash: '', loadedAt: 0, state: 'ready' };
}

function folder() {
  const made: ToolCall[] = [];
  const known: KnownTool[] = [
    ...['chart:draw', 'chart:more', 'other:more'].map((name) => ({
      name,
      origin: 'folder' as const,
    })),
    { name: 'notes:add', origin: 'extension' as const },
  ].map(({ name, origin }) => ({ tool: registered(name), origin, dispatch: noDispatch }));
  const lookup = (name: string) => known.find(({ tool }) => tool.name === name);
  const deps = {
    registry: { lookup, list: () => known.map(({ tool }) => tool) },
    calls: {
      call: (_: AbortSignal, call: ToolCall) => {
        made.push(call);
        return Promise.resolve(fakeSuccess('done'));
      },
    },
  };
  return { made, deps, known };
}

test('an app calls the tools beside its own, by their MCP names or ids, and as an app', async () => {
  const { made, deps } = folder();
  const own = registered('chart:draw');
  for (const name of ['draw', 'chart__more', 'other:more'])
    expect(await callForApp(signal, own, { name, args: { n: 1 } }, deps)).toEqual({
      content: [{ type: 'text', text: 'done' }],
      isError: false,
    });
  expect(made.map(({ tool, caller, arguments: args }) => [tool, caller, args])).toEqual([
    ['chart:draw', 'app', '{"n":1}'],
    ['chart:more', 'app', '{"n":1}'],
    ['other:more', 'app', '{"n":1}'],
  ]);
});

test('an app calls no tool of another origin, and none once its own is gone', async () => {
  const { made, deps, known } = folder();
  const own = registered('chart:draw');
  const call = (name: string) => callForApp(signal, own, { name, args: {} }, deps);
  for (const name of ['add', 'notes:add', 'constructor', ''])
    await expect(call(name)).rejects.toMatchObject({ code: errorCodes.badParams });
  known.shift();
  await expect(call('more')).rejects.toMatchObject({ code: errorCodes.badParams });
  expect(made).toEqual([]);
});

test('an app does not call a tool that its server has for models alone', async () => {
  const { made, deps, known } = folder();
  const [own, more] = known;
  if (own === undefined || more === undefined) throw new Error('There are no tools.');
  const call = () => callForApp(signal, own.tool, { name: 'chart:more', args: {} }, deps);
  known[1] = { ...more, tool: { ...more.tool, offeredTo: ['model'] } };
  await expect(call()).rejects.toMatchObject({ code: errorCodes.badParams });
  known[1] = { ...more, tool: { ...more.tool, offeredTo: ['app'] } };
  await call();
  expect(made.map(({ tool }) => tool)).toEqual(['chart:more']);
});

test('an object is the structured content of a result, and other values are text', () => {
  const json = (text: string) => fakeSuccess('x', { content: [{ type: 'json', text }] });
  expect(appResult(json('{"a":[1,NaN]}'))).toEqual({
    content: [{ type: 'text', text: '{"a":[1,NaN]}' }],
    structuredContent: { a: [1, null] },
    isError: false,
  });
  const several = fakeSuccess('x', {
    content: [
      { type: 'text', text: 'words' },
      { type: 'json', text: '{"b":2}' },
    ],
  });
  expect(appResult(several)).toMatchObject({
    content: [{ text: 'words' }, { text: '{"b":2}' }],
    structuredContent: { b: 2 },
  });
  expect(appResult(json('[1]'))).toEqual({
    content: [{ type: 'text', text: '[1]' }],
    isError: false,
  });
  expect(appResult(failure('ValueError: no', 'It failed.'))).toEqual({
    content: [{ type: 'text', text: 'It failed.' }],
    isError: true,
  });
});

test('metadata of a result reach the app', () => {
  expect(appResult(fakeSuccess('x', { metadata: '{"view":{"id":7}}' }))).toMatchObject({
    _meta: { view: { id: 7 } },
    isError: false,
  });
  expect(appResult(fakeSuccess('x', { metadata: '{}' }))).not.toHaveProperty('_meta');
});

test('what is too long for an app is left out, and said', () => {
  const long = fakeSuccess('x', { content: [{ type: 'text', text: 'x'.repeat(1_000_001) }] });
  expect(appResult(long)).toEqual({
    content: [
      {
        type: 'text',
        text: 'The result has 1000004 characters, more than the 1000000 that an app gets.',
      },
    ],
    isError: true,
  });
  expect(appArguments(`{"a":"${'x'.repeat(1_000_000)}"}`)).toEqual({});
  expect(appArguments('{"a":1}')).toEqual({ a: 1 });
});
