/** An MCP server like one written by hand in PHP: its messages break the specification, but have one reading. */

import type { TestServer } from './mcp-server.ts';

const results: Readonly<Record<string, unknown>> = {
  initialize: { capabilities: [], serverInfo: { name: 'by hand' } },
  'tools/list': {
    tools: [
      { name: 'get weather', description: null, inputSchema: [] },
      { name: 'get_weather', parameters: { properties: [] } },
      { name: 'text', inputSchema: { type: 'string' } },
      {
        name: 'sum',
        inputSchema: { type: 'object', properties: [] },
        annotations: { readOnlyHint: true },
      },
    ],
    nextCursor: null,
  },
  'tools/call': { content: 'Fine.', isError: 0 },
};

/** The breaches that the report of this server names, once a tool was called. */
export const breachesByHand = [
  'initialize: protocolVersion is missing',
  'initialize: capabilities is missing',
  'initialize: serverInfo is not a valid Implementation',
  'initialize: jsonrpc is not "2.0"',
  'initialize: JSON was sent with text/html',
  'notifications/initialized: answered with the status 200, not 202',
  'GET: answered with text/html',
  'tools/list: nextCursor is null',
  'tools/list: “get weather”: description is null',
  'tools/list: “get_weather”: it has parameters and no inputSchema',
  'tools/call: content is a string',
  'tools/call: isError is 0',
  'Tool 3, “text”: its inputSchema is not a schema of the type "object"',
  'another tool is called',
];

/** @returns the names of the tools that are called, as they are sent */
export function answerByHand(server: TestServer): readonly string[] {
  const called: string[] = [];
  server.habits.instead = ({ method, body }, response) => {
    if (method === 'OPTIONS') return false;
    const sent = (body === '' ? {} : JSON.parse(body)) as {
      id?: number | string;
      method?: string;
      params?: { name?: string };
    };
    if (sent.method === 'tools/call') called.push(sent.params?.name ?? '');
    const result = results[sent.method ?? ''];
    const answer = result === undefined ? { error: 'Unknown' } : { result };
    response.setHeader('Content-Type', 'text/html; charset=UTF-8');
    response.end(method === 'POST' ? JSON.stringify({ id: String(sent.id), ...answer }) : 'Hello');
    return true;
  };
  return called;
}
