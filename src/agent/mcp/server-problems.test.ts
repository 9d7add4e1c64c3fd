/** Each problem that Cloche names has a server that has it; those of single messages are in wire/leniency. */

import { afterEach, expect, test, vi } from 'vitest';
import { added, endServers, serve, until } from '../../../tests/support/mcp-bench.ts';
import type { OfferedTool } from '../../../tests/support/mcp-server.ts';

afterEach(async () => {
  await endServers();
  vi.restoreAllMocks();
});

const inputSchema = { type: 'object' };

/** A schema with this many levels. */
function nested(levels: number): object {
  let schema: object = { type: 'string' };
  for (let n = 0; n < levels; n += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

test.each<[string, readonly OfferedTool[], readonly RegExp[]]>([
  [
    'a schema with errors',
    [{ name: 'odd', inputSchema: { type: 'object', properties: { a: { type: 'strange' } } } }],
    [/odd.*strange|strange.*odd/s],
  ],
  [
    'a definition that is nested too deep',
    [{ name: 'deep', inputSchema: nested(70) }],
    [/^Tool 1, “deep”: its definition is nested more than 100 levels deep\.$/],
  ],
  [
    'names without characters, and with too many',
    [
      { name: '', inputSchema },
      { name: 'n'.repeat(129), inputSchema },
    ],
    [/^Tool 1, “”: its name has 0 characters/, /^Tool 2, “n{128}”: its name has 129 characters/],
  ],
  [
    'names that become the same',
    [
      { name: 'a b', inputSchema },
      { name: 'a_b', inputSchema },
    ],
    [
      /^Tool 1, “a b”: its name has characters other than/,
      /^Tool “a_b”: left out, as another tool is called \S+:a_b\.$/,
    ],
  ],
])('%s: the server has this problem, and no other', async (_, tools, expected) => {
  const good = { name: 'good', inputSchema };
  const made = await added((await serve({ tools: [...tools, good] })).url);
  const problems = () => made.servers.list()[0]?.problems ?? [];
  await until(() => expect(problems()).toHaveLength(expected.length));
  expect(problems()).toEqual(expected.map((words) => expect.stringMatching(words) as string));
  // Control: the other tool has none.
  expect(made.registry.get(`${made.key}:good`)).toBeDefined();
});

test('a result without the structured content of its outputSchema', async () => {
  const server = await serve({
    tools: [{ name: 'count', inputSchema, outputSchema: { type: 'object' } }],
    run: () => ({ content: [{ type: 'text', text: 'Four.' }] }),
  });
  const made = await added(server.url);
  await made.call(`${made.key}:count`);
  await until(() =>
    expect(made.servers.list()[0]?.problems).toEqual([
      'Tool “count” has an outputSchema, and returned no structuredContent.',
    ]),
  );
});

test('a server that takes seconds to connect', async () => {
  let ahead = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  const server = await serve({});
  const made = await added(server.url);
  // Control: it was quick at first.
  expect(made.servers.list()[0]?.problems).toEqual([]);
  server.habits.instead = ({ body }) => {
    if (body.includes('"initialize"')) ahead += 6_000;
    return false;
  };
  await made.servers.reconnect(made.servers.list()[0]?.id ?? '');
  expect(made.servers.list()[0]?.problems).toEqual([
    'Connecting took 6 s: some clients give up earlier.',
  ]);
});

test('a tool whose name another tool has already', async () => {
  const server = await serve({ tools: [] });
  const made = await added(server.url);
  const other = await added((await serve({ tools: [{ name: 'a', inputSchema }] })).url);
  const [tool] = other.registry.list();
  if (tool === undefined) throw new Error('The other server has no tool.');
  const name = `${made.key}:a`;
  made.registry.register('built-in', [{ ...tool, name }], {} as never);
  server.habits.tools = [{ name: 'a', inputSchema }];
  await made.servers.reconnect(made.servers.list()[0]?.id ?? '');
  await until(() =>
    expect(made.servers.list()[0]?.problems).toEqual([`${name}: another tool has this name.`]),
  );
});
