/** Members under the names of other conventions: a result must not lose an error, nor a list its other pages or a schema. */

import { expect, test } from 'vitest';
import { connected, done, sloppyServer, valueOf, type Reply } from './sloppy-server.fixture.ts';

const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });

async function listed(reply: Reply) {
  const server = sloppyServer({ 'tools/list': reply });
  await connected(server);
  const { tools } = valueOf(await server.worker.tools());
  return { tools, problems: await server.problems() };
}

test('a result with is_error is an error', async () => {
  const server = sloppyServer({ 'tools/call': () => ({ ...done, is_error: true }) });
  expect(await server.call()).toMatchObject({ ok: true, value: { isError: true } });
  expect(await server.problems()).toEqual(['tools/call: is_error is read as isError.']);
  const usual = sloppyServer({ 'tools/call': () => ({ ...done, isError: false, is_error: true }) });
  expect(await usual.call()).toMatchObject({ ok: true, value: { isError: false } });
});

test('pages behind next_cursor are listed', async () => {
  const { tools, problems } = await listed((_, { params }) =>
    params?.cursor === 'b'
      ? { tools: [tool('b')], next_cursor: null }
      : { tools: [tool('a')], nextCursor: null, next_cursor: 'b' },
  );
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(problems).toEqual(['tools/list: next_cursor is read as nextCursor.']);
});

test('a schema beside an empty inputSchema is read', async () => {
  const schema = { type: 'object', properties: { text: { type: 'string' } } };
  const odd = { name: 'a', inputSchema: {}, input_schema: schema };
  const { tools, problems } = await listed(() => ({ tools: [odd] }));
  expect(tools[0]?.text).toContain('"text":{"type":"string"}');
  expect(problems).toEqual([
    'tools/list: “a”: it has input_schema and an empty inputSchema: input_schema is read as inputSchema.',
  ]);
});
