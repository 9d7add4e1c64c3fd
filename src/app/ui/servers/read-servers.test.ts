/** Servers in the configurations of clients. */

import { expect, test } from 'vitest';
import { readServers, readServersFile } from './read-servers.ts';

test('configurations of Claude, Cursor and VS Code give addresses, and commands for the bridge', () => {
  const config = {
    mcpServers: {
      web: { type: 'http', url: 'https://mcp.example.com/mcp', headers: { Authorization: 'k' } },
      here: { url: 'http://localhost:3000/mcp' },
      files: {
        command: 'npx',
        args: ['-y', 'server-files', '/my notes'],
        env: { TOKEN: 'secret' },
      },
      through: { command: 'npx', args: ['mcp-remote@latest', 'https://far.example/sse'] },
      odd: { url: 'file:///etc/passwd' },
      unseen: { command: 'npx', args: ['a\u001b]0;b', 'c\u202ed'] },
      none: null,
    },
  };
  const expected = [
    { name: 'web', url: 'https://mcp.example.com/mcp', isLocal: false },
    { name: 'here', url: 'http://localhost:3000/mcp', isLocal: true },
    { name: 'files', command: "TOKEN=… npx cloche bridge -- npx -y server-files '/my notes'" },
    { name: 'through', url: 'https://far.example/sse', isLocal: false },
  ];
  expect(readServers(JSON.stringify(config, null, 2))).toEqual(expected);
  const { mcpServers: servers } = config;
  expect(readServers(JSON.stringify({ servers, inputs: [] }))).toEqual(expected);
  expect(readServers(JSON.stringify({ mcp: { servers } }))).toEqual(expected);
});

test('configurations of Gemini, Windsurf, OpenCode, Zed and Codex give the same', () => {
  const url = 'https://a.example/mcp';
  const web = { name: 'a', url, isLocal: false };
  const run = { name: 'b', command: 'KEY=… npx cloche bridge -- npx -y server' };
  const b = { command: 'npx', args: ['-y', 'server'], env: { KEY: 'secret' } };
  const openCode = {
    a: { type: 'remote', url },
    b: { type: 'local', command: ['npx', '-y', 'server'], environment: { KEY: 'secret' } },
  };
  for (const config of [
    { mcpServers: { a: { httpUrl: url }, b } },
    { mcpServers: { a: { serverUrl: url }, b } },
    { $schema: 'https://opencode.ai/config.json', mcp: openCode },
    { theme: 'One', context_servers: { a: { source: 'custom', url }, b } },
  ])
    expect(readServers(JSON.stringify(config))).toEqual([web, run]);
  const toml = `model = "x"\n[mcp_servers.a]\nurl = "${url}"\n[mcp_servers.b]\ncommand = "npx"
args = ["-y", "server"]\n[mcp_servers.b.env]\nKEY = "secret"`;
  expect(readServers(toml)).toEqual([web, run]);
  expect(readServers(`// My servers\n{"servers": {"a": {"url": "${url}",},}}`)).toEqual([web]);
});

test('a configuration is found within a million characters, and longer ones are refused', async () => {
  const mcpServers = { web: { url: 'https://mcp.example.com/mcp' } };
  const config = (chars: number): string =>
    JSON.stringify({ history: '\\"'.repeat(chars / 4), mcpServers });
  const found = [{ name: 'web', url: mcpServers.web.url, isLocal: false }];
  expect(readServers(config(990_000))).toEqual(found);
  expect(await readServersFile(new Blob([config(990_000)]))).toEqual(found);
  expect(() => readServers(config(1_010_000))).toThrow('more than 1,000,000 characters');
  await expect(readServersFile(new Blob([config(1_010_000)]))).rejects.toThrow(
    'more than 1,000,000 bytes',
  );
});

test('a dropped file without servers may be another document, unless it lists servers', async () => {
  const api = { openapi: '3.1.0', servers: [{ url: 'https://api.example.com' }], paths: {} };
  const tools = { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
  for (const text of [JSON.stringify(api), JSON.stringify(tools), '{}', '{"a"', 'text'])
    expect(await readServersFile(new Blob([text])), text).toBeNull();
  expect(await readServersFile(new Blob(['{"mcpServers": {"a": {}}}']))).toEqual([]);
});

test('server.json gives its remotes and packages', () => {
  const described = {
    name: 'io.example/notes',
    remotes: [{ type: 'streamable-http', url: 'https://notes.example/mcp' }],
    packages: [
      {
        registryType: 'npm',
        identifier: '@example/notes',
        version: '1.2.0',
        environmentVariables: [{ name: 'NOTES_KEY', isSecret: true }],
      },
      { registryType: 'pypi', identifier: 'notes' },
      { registryType: 'other', identifier: 'x' },
    ],
  };
  const name = 'io.example/notes';
  expect(readServers(JSON.stringify(described))).toEqual([
    { name, url: 'https://notes.example/mcp', isLocal: false },
    { name, command: 'NOTES_KEY=… npx cloche bridge -- npx -y @example/notes@1.2.0' },
    { name, command: 'npx cloche bridge -- uvx notes@latest' },
  ]);
});

test('a typed command is one, and an address is none', () => {
  expect(readServers('npx -y server-files "/my notes"')).toEqual([
    { name: 'Command', command: 'npx cloche bridge -- npx -y server-files "/my notes"' },
  ]);
  expect(readServers('docker run -i \\\n  --rm notes')).toEqual([
    { name: 'Command', command: 'npx cloche bridge -- docker run -i --rm notes' },
  ]);
  const began = performance.now();
  expect(readServers(`npx a${' '.repeat(100_000)}b`)).toHaveLength(1);
  expect(performance.now() - began).toBeLessThan(1_000);
  for (const text of ['npx notes\nrm -rf ~', 'npx a\u202eb', 'npx a\u001b]0;b'])
    expect(readServers(text)).toEqual([]);
  for (const text of ['https://mcp.example.com', 'mcp.example.com/mcp', 'go.example.com', ''])
    expect(readServers(text)).toBeNull();
  for (const text of ['{"mcpServers": {', '{}', '{"mcpServers": []}'])
    expect(readServers(text)).toEqual([]);
});
