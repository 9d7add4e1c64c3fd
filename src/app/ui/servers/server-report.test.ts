/** Texts about a server for others. */

import { expect, test } from 'vitest';
import type { ServerView } from '../../../agent/mcp/server.ts';
import { curlOf, serverReport } from './server-report.ts';

const view: ServerView = {
  id: 's',
  key: 'notes',
  url: 'https://notes.example/mcp?api_key=secret',
  state: 'connected',
  fault: null,
  facts: {
    name: 'notes',
    version: '1.0',
    instructions: '',
    revision: '2025-11-25',
    era: 'legacy',
    capabilities: ['tools'],
    latencyMs: 7_100.4,
    problems: [],
  },
  headers: [],
  isSignedIn: false,
  outdated: [],
  signIn: null,
  offers: null,
  tools: [],
  changed: [],
  problems: ['Tool “a”: its structuredContent breaks its outputSchema at $: n is missing'],
};

test('a report names what its author needs, without the query of the address', () => {
  expect(serverReport(view)).toBe(`Problems of the MCP server at https://notes.example/mcp
Server: notes 1.0
Revision: 2025-11-25
Capabilities: tools
Connecting: 7100 ms

- Tool “a”: its structuredContent breaks its outputSchema at $: n is missing
`);
  expect(serverReport({ ...view, problems: [] })).toContain('None found.');
  const fault = { cause: 'not-mcp', message: 'Not found', status: 404 } as const;
  const failed = serverReport({ ...view, facts: null, fault });
  expect(failed).toContain('There is no MCP server at https://notes.example/mcp');
  expect(failed).not.toContain('secret');
});

test('a request becomes a command whose keys are placeholders, and whose texts are quoted', () => {
  const message = {
    n: 1,
    at: 0,
    exchange: 1,
    isSent: true,
    method: 'POST',
    url: 'https://notes.example/mcp',
    status: null,
    headers: [
      ['authorization', '(hidden)'],
      ['content-type', 'application/json'],
    ] as const,
    body: `{"text":"it's $(rm -rf ~) \`x\`"}`,
    bodyChars: 30,
  };
  expect(curlOf(message)).toBe(
    [
      'curl -X POST https://notes.example/mcp \\',
      "  -H 'authorization: <authorization>' \\",
      "  -H 'content-type: application/json' \\",
      `  --data-raw '{"text":"it'\\''s $(rm -rf ~) \`x\`"}'`,
    ].join('\n'),
  );
});
