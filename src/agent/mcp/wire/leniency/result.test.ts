/** Results that break the schema of MCP: read where one reading is possible, with their breach named. */

import { describe, expect, test } from 'vitest';
import type { McpOutcome } from '../../../../runtime/protocol/mcp.ts';
import { listAllPages } from '../list-pages.ts';
import { readResult } from './result.ts';
import { connected, sloppyServer, typed, valueOf } from './sloppy-server.fixture.ts';

const text = (words: string) => ({ type: 'text', text: words });
const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};

/** Returns the result as it is read, and what was noted. */
function read(method: string, result: unknown, isModern = false): [unknown, string[]] {
  const notes: string[] = [];
  const request = { id: 1, method, params: { uri: 'file:///a' }, isModern };
  return [readResult(request, result, (problem) => notes.push(problem)), notes];
}

describe('initialize', () => {
  test.each<[string, object, object, RegExp]>([
    [
      'no capabilities',
      { capabilities: undefined },
      { capabilities: [] },
      /capabilities is missing/,
    ],
    ['null capabilities', { capabilities: null }, { capabilities: [] }, /capabilities is missing/],
    ['an empty list', { capabilities: [] }, { capabilities: [] }, /capabilities is missing/],
    ['names', { capabilities: ['tools'] }, { capabilities: ['tools'] }, /not an object/],
    [
      'true',
      { capabilities: { tools: true } },
      { capabilities: ['tools'] },
      /capabilities.tools is not/,
    ],
    [
      'null',
      { capabilities: { tools: {}, prompts: null } },
      { capabilities: ['tools'] },
      /capabilities.prompts/,
    ],
    [
      'no serverInfo',
      { serverInfo: undefined },
      { name: '', version: '' },
      /serverInfo is missing/,
    ],
    ['no version', { serverInfo: { name: 'n' } }, { name: 'n', version: '' }, /serverInfo is not/],
    [
      'a number',
      { serverInfo: { name: 'n', version: 2 } },
      { name: 'n', version: '2' },
      /serverInfo is not/,
    ],
    [
      'icons',
      { serverInfo: { name: 'n', version: '1', icons: [{}] } },
      { name: 'n' },
      /serverInfo is not/,
    ],
    [
      'no revision',
      { protocolVersion: undefined },
      { revision: '2025-03-26' },
      /protocolVersion is missing/,
    ],
    ['instructions', { instructions: null }, { instructions: '' }, /instructions is not a string/],
    ['_meta', { _meta: null }, { name: 's' }, /_meta is not an object/],
  ])('%s', async (_, part, facts, problem) => {
    const server = sloppyServer({ initialize: () => ({ ...initialized, ...part }) });
    expect(await connected(server)).toMatchObject(facts);
    expect(await server.problems()).toEqual([expect.stringMatching(problem)]);
  });

  test('a revision that Cloche does not support is refused, and the error names it', async () => {
    const server = sloppyServer({
      initialize: () => ({ ...initialized, protocolVersion: '1.0' }),
    });
    expect(await server.call()).toMatchObject({
      ok: false,
      fault: { message: expect.stringContaining('“1.0”, which Cloche does not support') as string },
    });
  });

  test('a valid result stays the same object', () => {
    for (const [method, result] of [
      ['initialize', initialized],
      ['tools/call', { content: [text('a')], structuredContent: {}, isError: false }],
      ['tools/list', { tools: [{ name: 'a', inputSchema: { type: 'object' } }], nextCursor: 'b' }],
      ['prompts/get', { messages: [{ role: 'user', content: text('a') }] }],
      ['resources/read', { contents: [{ uri: 'a', text: '' }] }],
      ['completion/complete', { completion: { values: ['a'] } }],
      ['ping', {}],
    ] as const) {
      const [same, notes] = read(method, result);
      expect(same).toBe(result);
      expect(notes).toEqual([]);
    }
  });
});

describe('tools/call', () => {
  const outcome = async (result: unknown): Promise<[McpOutcome, readonly string[]]> => {
    const server = sloppyServer({
      'tools/call': (id) =>
        typed(JSON.stringify({ jsonrpc: '2.0', id, result }), 'application/json'),
    });
    const value = valueOf(await server.call());
    return [value, await server.problems()];
  };

  test.each<[string, unknown, string, RegExp]>([
    ['a text', { content: 'a' }, 'a', /content is a string, not a list/],
    ['one block', { content: text('a') }, 'a', /content is one block, not a list/],
    ['null', { content: null, structuredContent: { n: 1 } }, '{"n":1}', /content is null/],
    ['missing', { structuredContent: { n: 1 } }, '{"n":1}', /content is missing/],
    ['the value itself', { output: 5, _meta: {} }, '{"output":5}', /content is missing/],
    ['texts', { content: ['a'] }, 'a', /content has a string in place of a block/],
    ['no type', { content: [{ text: 'a' }] }, 'a', /block of the type “” that is not valid/],
    [
      'null members',
      { content: [{ ...text('a'), annotations: null }] },
      'a',
      /type “text” that is not valid/,
    ],
    [
      'an unknown type',
      { content: [{ type: 'video', url: 'u' }] },
      '{"type":"video","url":"u"}',
      /“video” that is not known/,
    ],
    [
      'no type of the image',
      { content: [{ type: 'image', data: 'AAAA' }] },
      '[application/octet-stream]',
      /“image”/,
    ],
    [
      'a data URL',
      { content: [{ type: 'image', data: 'data:image/png;base64,AAAA' }] },
      '[image/png]',
      /“image”/,
    ],
    [
      'a link without a name',
      { content: [{ type: 'resource_link', uri: 'a:b' }] },
      'a:b: a:b',
      /“resource_link”/,
    ],
    [
      'a resource without an address',
      { content: [{ type: 'resource', resource: { text: 'a' } }] },
      'a',
      /“resource”/,
    ],
    ['blocks as the result', [text('a')], 'a', /result is not an object/],
    ['a text as the result', 'a', 'a', /result is not an object/],
    ['null as the result', null, '', /result is not an object/],
    ['toolResult', { toolResult: { content: [text('a')] } }, 'a', /in toolResult/],
    [
      'a list as structuredContent',
      { content: [], structuredContent: [1] },
      '[1]',
      /structuredContent is not an object/,
    ],
    [
      'null as structuredContent',
      { content: [text('a')], structuredContent: null },
      'a',
      /structuredContent is not/,
    ],
  ])('%s', async (_, result, words, problem) => {
    const [value, problems] = await outcome(result);
    expect(value).toMatchObject({ textResultForLlm: words, isError: false });
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems[0]).toMatch(/^tools\/call: /);
  });

  test.each([['true'], [1], [true]])('isError as %j is an error', async (isError) => {
    const [value] = await outcome({ content: [text('a')], isError });
    expect(value.isError).toBe(true);
  });

  test.each([['false'], [0], [null], ['']])('isError as %j is none', async (isError) => {
    const [value, problems] = await outcome({ content: [text('a')], isError });
    expect([value.isError, problems.length]).toEqual([false, 1]);
  });

  test('an isError that could mean either is refused, and the error says why', async () => {
    const result = { content: [text('a')], isError: 'perhaps' };
    const server = sloppyServer({ 'tools/call': () => result });
    expect(await server.call()).toMatchObject({
      ok: false,
      fault: {
        message: expect.stringContaining('isError that is neither true nor false') as string,
      },
    });
  });

  test('the shown text of an unknown block is bounded', async () => {
    const [value] = await outcome({ content: [{ type: 'video', data: 'x'.repeat(1_000_000) }] });
    expect(value.textResultForLlm.length).toBe(50_000);
  });

  test('a result without resultType in the latest revision is complete, unless it asks for input', () => {
    expect(read('tools/call', { content: [] }, true)).toEqual([
      { content: [], resultType: 'complete' },
      ['tools/call: resultType is missing.'],
    ]);
    expect(read('tools/call', { inputRequests: {} }, true)[0]).toMatchObject({
      resultType: 'input_required',
    });
  });
});

describe('lists', () => {
  test.each<[string, unknown, RegExp]>([
    ['a list as the result', [{ name: 'a' }], /the list itself/],
    ['an object with names', { tools: { a: { description: 'A' } } }, /tools is an object/],
    ['another member', { items: [{ name: 'a' }] }, /in items, not in tools/],
    ['an empty cursor', { tools: [{ name: 'a' }], nextCursor: '' }, /nextCursor is empty/],
    ['a null cursor', { tools: [{ name: 'a' }], nextCursor: null }, /nextCursor is null/],
  ])('%s', (_, result, problem) => {
    const [list, notes] = read('tools/list', result);
    expect(list).toMatchObject({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
    expect(notes[0]).toMatch(problem);
    expect(list).not.toHaveProperty('nextCursor');
  });

  test('null or a missing list is read as empty, and none of two lists is chosen', () => {
    expect(read('tools/list', { tools: null })[0]).toEqual({ tools: [] });
    expect(read('prompts/list', {})[0]).toEqual({ prompts: [] });
    const two = { a: [], b: [] };
    expect(read('tools/list', two)[0]).toBe(two);
  });

  test('one invalid item of the latest revision does not cost the others', async () => {
    const inputSchema = { type: 'object' };
    const tools = [
      { name: 'good', inputSchema },
      { name: 7, inputSchema },
    ];
    const [result, notes] = read('tools/list', { tools }, true);
    const client = { request: () => Promise.resolve(result) } as never;
    expect(await listAllPages(client, 'tools/list', 'tools')).toEqual(tools);
    expect(result).toMatchObject({
      tools: [],
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    });
    expect(notes).toEqual([
      'tools/list: resultType is missing.',
      'tools/list: ttlMs or cacheScope is missing or not valid.',
    ]);
  });

  test('items that are nested too deep are left out', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200; level += 1) deep = { deep };
    const tools = [{ name: 'a', inputSchema: { type: 'object', deep } }];
    expect(read('tools/list', { tools }, true)[1].at(0)).toMatch(/nested more than 100 levels/);
  });
});

test('a server without tools may not know tools/list', async () => {
  const withoutTools = { ...initialized, capabilities: { prompts: {} } };
  const unknown = (id: unknown) =>
    typed(
      JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'No' } }),
      'application/json',
    );
  const server = sloppyServer({ initialize: () => withoutTools, 'tools/list': unknown });
  await connected(server);
  expect(valueOf(await server.worker.tools())).toEqual({ tools: [], problems: [] });
  // Positive control: a server that declares tools has to list them.
  const declared = sloppyServer({ 'tools/list': unknown });
  await connected(declared);
  expect(await declared.worker.tools()).toMatchObject({ ok: false });
});

test('prompts and resources with one reading are read', () => {
  const user = (words: string) => ({ role: 'user', content: text(words) });
  for (const messages of ['a', [{ content: 'a' }], { role: 'user', content: text('a') }])
    expect(read('prompts/get', { messages, description: null })[0]).toEqual({
      messages: [user('a')],
    });
  expect(
    read('prompts/get', { messages: [{ role: 'assistant', content: [text('a'), text('b')] }] })[0],
  ).toEqual({
    messages: ['a', 'b'].map((words) => ({ role: 'assistant', content: text(words) })),
  });
  for (const contents of ['a', [{ text: 'a' }], { uri: 'file:///a', text: 'a' }])
    expect(read('resources/read', { contents })[0]).toEqual({
      contents: [{ uri: 'file:///a', text: 'a' }],
    });
  expect(read('resources/read', { contents: [{ uri: 'b', text: { n: 1 } }] })[0]).toEqual({
    contents: [{ uri: 'b', text: '{"n":1}' }],
  });
  expect(read('completion/complete', { values: Array(200).fill('a') })[0]).toEqual({
    completion: { values: Array(100).fill('a') },
  });
});
