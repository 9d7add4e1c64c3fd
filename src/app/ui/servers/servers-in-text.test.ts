/** Servers in the configurations of clients. */

import { expect, test } from 'vitest';
import { yamlHere } from '../../../agent/runner/yaml/yaml.fixture.ts';
import { readServers, readServersFile } from './servers-in-text.ts';
import { threadMs } from '../../../../tests/support/thread-time.ts';

const read = (text: string) => readServers(text, yamlHere);
const readFile = (text: string) => readServersFile(new Blob([text]), yamlHere);

test('configurations of Claude, Cursor and VS Code give addresses, and commands for the bridge', async () => {
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
  expect(await read(JSON.stringify(config, null, 2))).toEqual(expected);
  const { mcpServers: servers } = config;
  expect(await read(JSON.stringify({ servers, inputs: [] }))).toEqual(expected);
  expect(await read(JSON.stringify({ mcp: { servers } }))).toEqual(expected);
});

test('configurations of Gemini, Windsurf, OpenCode, Zed and Codex give the same', async () => {
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
    expect(await read(JSON.stringify(config))).toEqual([web, run]);
  const toml = `model = "x"\n[mcp_servers.a]\nurl = "${url}"\n[mcp_servers.b]\ncommand = "npx"
args = ["-y", "server"]\n[mcp_servers.b.env]\nKEY = "secret"`;
  expect(await read(toml)).toEqual([web, run]);
  expect(await read(`// My servers\n{"servers": {"a": {"url": "${url}",},}}`)).toEqual([web]);
});

test('configurations in YAML give the same: lists and maps of Continue and LibreChat, extensions of Goose', async () => {
  const url = 'https://a.example/mcp';
  const web = { name: 'a', url, isLocal: false };
  const run = { name: 'b', command: 'KEY=… npx cloche bridge -- npx -y server' };
  const continued = `name: Mine
version: 0.0.1
schema: v1
models: [{ name: m, provider: ollama, model: m }]
mcpServers:
  - name: a
    type: streamable-http
    url: ${url}
  - name: b
    command: npx
    args:
      - "-y"
      - server
    env:
      KEY: \${{ secrets.KEY }}
  - uses: hub/other
`;
  const libreChat = `# Settings
version: 1.3.1
interface:
  mcpServers: { use: true }
mcpServers:
  a:
    type: streamable-http
    url: ${url}
    headers: { X-User: '{{LIBRECHAT_USER_ID}}', X-Key: "\${KEY}" }
  b:
    # type: stdio
    command: npx
    args: [-y, server]
    env: { KEY: secret }
  socket: { type: websocket, url: 'wss://a.example' }
`;
  const goose = `GOOSE_MODE: smart_approve
extensions:
  developer: { bundled: true, enabled: true, name: developer, timeout: 300, type: builtin }
  a:
    type: streamable_http
    name: a
    enabled: true
    uri: "${url}"
    headers: {}
    env_keys: []
    envs: {}
  b:
    type: stdio
    cmd: npx
    args: ["-y", "server"]
    env_keys: [KEY]
    envs: {}
`;
  const recipe = `title: Recipe
extensions:
  - { type: streamable_http, name: a, uri: ${url} }
  - { type: stdio, name: b, cmd: npx, args: [-y, server], envs: { KEY: secret } }
`;
  for (const text of [continued, libreChat, goose, recipe]) {
    expect(await read(text), text).toEqual([web, run]);
    expect(await readFile(text), text).toEqual([web, run]);
  }
  // These are parts of configurations, as users copy them from a page.
  expect(await read(`"mcpServers": {\n  "a": { "url": "${url}" },\n}`)).toEqual([web]);
  expect(await read(`  mcpServers:\n    a:\n      url: ${url}`)).toEqual([web]);
});

test('other YAML is not a configuration, and a mistake in a configuration is reported', async () => {
  const api = 'openapi: 3.1.0\nservers:\n  - url: https://api.example.com\npaths: {}\n';
  expect(await read(api)).toBeNull();
  for (const text of [api, 'extensions:\n  - url: https://a.example\n', 'extensions: [py, js]'])
    expect(await readFile(text), text).toBeNull();
  // Documents to import may be longer than configurations, and have some of the same names.
  const many = `many: [${'1, '.repeat(60_000)}]\n`;
  for (const name of ['extensions', 'mcpServers', "'mcpServers'"]) {
    const properties = `openapi: 3.1.0\ninfo: { x: { uri: a } }\nproperties:\n  ${name}:\n    type: array\n`;
    for (const more of [
      many,
      '# A long text.\n'.repeat(80_000),
      'a: "b"c\n',
      'description: "mcpServers"\n',
    ])
      expect(await readFile(properties + more), properties + more.slice(0, 20)).toBeNull();
  }
  expect(await readFile('mcpServers: {}')).toEqual([]);
  const mistake = 'mcpServers:\n  a: { url: "https://a.example"\n';
  for (const reading of [read, readFile])
    for (const text of [mistake, `extensions:\n  a: { cmd: npx\nb: 1`])
      await expect(reading(text)).rejects.toThrow(/^Line \d: /);
  const values = `mcpServers: {}\nmany: [${'1, '.repeat(60_000)}]`;
  await expect(read(values)).rejects.toThrow('Paste only the part with the servers');
});

test('the settings of Claude Code have servers of projects, each of which is listed once', async () => {
  const files = { type: 'stdio', command: 'npx', args: ['server-files'], env: {} };
  const projects = {
    '/home/ada/one': { allowedTools: [], mcpServers: { files } },
    '/home/ada/two': { mcpServers: { files, web: { type: 'http', url: 'https://a.example/mcp' } } },
    '/home/ada/three': { mcpServers: {} },
    '/home/ada/four': { history: [] },
  };
  const mcpServers = { notes: { type: 'http', url: 'https://b.example/mcp' } };
  const text = JSON.stringify({ numStartups: 7, mcpServers, projects });
  const found = [
    { name: 'notes', url: 'https://b.example/mcp', isLocal: false },
    { name: 'files', command: 'npx cloche bridge -- npx server-files' },
    { name: 'web', url: 'https://a.example/mcp', isLocal: false },
  ];
  expect(await read(text)).toEqual(found);
  expect(await readFile(text)).toEqual(found);
});

test('a configuration is found within a million characters, and longer ones are refused', async () => {
  const mcpServers = { web: { url: 'https://mcp.example.com/mcp' } };
  const config = (chars: number): string =>
    JSON.stringify({ history: '\\"'.repeat(chars / 4), mcpServers });
  const found = [{ name: 'web', url: mcpServers.web.url, isLocal: false }];
  expect(await read(config(990_000))).toEqual(found);
  expect(await readFile(config(990_000))).toEqual(found);
  await expect(read(config(1_010_000))).rejects.toThrow('more than 1,000,000 characters');
  await expect(readFile(config(1_010_000))).rejects.toThrow('more than 1,000,000 bytes');
  // A long document without servers is imported.
  expect(await readFile(config(1_010_000).replace('mcpServers', 'schemas'))).toBeNull();
});

test('a dropped file without servers may be another document, unless it lists servers', async () => {
  const api = { openapi: '3.1.0', servers: [{ url: 'https://api.example.com' }], paths: {} };
  const tools = { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
  for (const text of [JSON.stringify(api), JSON.stringify(tools), '{}', '{"a"', 'text'])
    expect(await readFile(text), text).toBeNull();
  expect(await readFile('{"mcpServers": {"a": {}}}')).toEqual([]);
});

test('server.json gives its remotes and packages', async () => {
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
  expect(await read(JSON.stringify(described))).toEqual([
    { name, url: 'https://notes.example/mcp', isLocal: false },
    { name, command: 'NOTES_KEY=… npx cloche bridge -- npx -y @example/notes@1.2.0' },
    { name, command: 'npx cloche bridge -- uvx notes@latest' },
  ]);
});

test('a typed command gives one server, and an address is not a configuration', async () => {
  expect(await read('npx -y server-files "/my notes"')).toEqual([
    { name: 'Command', command: 'npx cloche bridge -- npx -y server-files "/my notes"' },
  ]);
  expect(await read('docker run -i \\\n  --rm notes')).toEqual([
    { name: 'Command', command: 'npx cloche bridge -- docker run -i --rm notes' },
  ]);
  const began = threadMs();
  expect(await read(`npx a${' '.repeat(100_000)}b`)).toHaveLength(1);
  expect(threadMs() - began).toBeLessThan(1_000);
  for (const text of ['npx notes\nrm -rf ~', 'npx a\u202eb', 'npx a\u001b]0;b'])
    expect(await read(text)).toEqual([]);
  for (const text of ['https://mcp.example.com', 'mcp.example.com/mcp', 'go.example.com', ''])
    expect(await read(text)).toBeNull();
  for (const text of ['{"mcpServers": {', '{}', '{"mcpServers": []}'])
    expect(await read(text)).toEqual([]);
});
