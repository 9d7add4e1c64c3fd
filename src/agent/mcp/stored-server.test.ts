/** Names and addresses of servers. */

import { expect, test } from 'vitest';
import { serverKey } from './stored-server.ts';

test('the name of a server comes from its host, and imitates no other site', () => {
  const none = new Set<string>();
  for (const [url, key] of [
    ['https://mcp.example.com/mcp', 'example'],
    ['https://example.com', 'example'],
    ['https://mcp.com', 'mcp'],
    ['https://evil.github.io/mcp', 'evil_github'],
    ['https://github.evil.example.com/mcp', 'github_evil_example'],
    ['http://localhost:3000/mcp', 'localhost'],
    ['http://127.0.0.1:3000/mcp', 'local3000'],
    ['https://1.2.example', 'server'],
  ] as const)
    expect(serverKey(url, none)).toBe(key);
  expect(serverKey('https://example.com', new Set(['example']))).toBe('example_2');
});
