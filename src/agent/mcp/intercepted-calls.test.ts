/** Interceptors of extensions around the calls of a server's tool, against a real server. */

import { afterEach, expect, test } from 'vitest';
import { added, endServers, serve } from '../../../tests/support/mcp-bench.ts';

afterEach(endServers);

test('interceptors of extensions change and refuse the calls of a server’s tool like any others', async () => {
  const received: unknown[] = [];
  const server = await serve({
    tools: [
      {
        name: 'echo',
        inputSchema: { type: 'object', properties: { text: {} }, required: ['text'] },
      },
    ],
    run: (_, { args }) => {
      received.push(args);
      return { content: [{ type: 'text', text: `It said ${String(args.text)}.` }] };
    },
  });
  const { call, key, interceptors } = await added(server.url);
  const tool = `${key}:echo`;
  const seen: string[] = [];
  let argumentsFor = '{"text": "changed"}';
  const dispose = interceptors.register({
    name: 'guard',
    extension: 'Guard',
    priority: 0,
    before: (_, { tool: name, arguments: args }) => {
      seen.push(`${name} ${args}`);
      return args.includes('secret') ? { refuse: 'it is secret' } : { arguments: argumentsFor };
    },
    after: (_, __, { textResultForLlm }) => ({ textResultForLlm: `${textResultForLlm} Checked.` }),
  });
  expect(await call(tool, '{"text":"a"}')).toMatchObject({
    resultType: 'success',
    textResultForLlm: 'It said changed. Checked.',
    changes: [
      { by: 'guard (Guard)', what: 'arguments', before: '{"text":"a"}', after: argumentsFor },
      { by: 'guard (Guard)', what: 'result', before: 'It said changed.' },
    ],
  });
  expect(await call(tool, '{"text":"secret"}')).toMatchObject({
    error: 'InterceptorError: it is secret',
  });
  // Arguments of an extension are checked like those of any caller.
  argumentsFor = '{}';
  expect((await call(tool, '{"text":"b"}')).error).toContain('text is missing');
  expect(seen).toEqual(['a', 'secret', 'b'].map((text) => `${tool} {"text":"${text}"}`));
  expect(received).toEqual([{ text: 'changed' }]);
  dispose();
  expect((await call(tool, '{"text":"c"}')).textResultForLlm).toBe('It said c.');
});
