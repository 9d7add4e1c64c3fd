import { expect, test } from 'vitest';
import type { FolderFile } from '../../../../runtime/spec/folder.ts';
import { bundleFiles, mcpClients, registryEntry, serverName } from './mcp-export.ts';

const file = (path: string): FolderFile => {
  const bytes = new TextEncoder().encode(path);
  return { path, size: bytes.byteLength, modifiedAt: 5, bytes };
};

test.each([
  ['Weather Tools', 'weather-tools'],
  ['Ünïcode', 'unicode'],
  ['工具', 'tools'],
  ['--a--', 'a'],
  ['x'.repeat(80), 'x'.repeat(48)],
])('the server of %j is called %j', (folder, name) => {
  expect(serverName(folder)).toBe(name);
});

test('each client gets the command in its own form, quoted for the terminal only', () => {
  const clients = mcpClients('a', 'npx', ['cloche', 'mcp', '/my tools']);
  expect(clients.map(({ name, file }) => [name, file])).toEqual([
    ['Claude Code', ''],
    ['Claude Desktop', 'claude_desktop_config.json'],
    ['VS Code', '.vscode/mcp.json'],
    ['Cursor', '.cursor/mcp.json'],
  ]);
  expect(clients[0]?.text).toBe('claude mcp add a -- npx cloche mcp "/my tools"\n');
  const entry = { command: 'npx', args: ['cloche', 'mcp', '/my tools'] };
  expect(clients.slice(1).map(({ text }) => JSON.parse(text) as unknown)).toEqual([
    { mcpServers: { a: entry } },
    { servers: { a: { type: 'stdio', ...entry } } },
    { mcpServers: { a: entry } },
  ]);
});

test('a bundle has the folder, the server and a manifest that starts it', () => {
  const tools = [{ name: 'now', description: 'The weather now' }];
  const files = bundleFiles('Weather', [file('weather.py')], file('cloche_mcp.py'), tools);
  expect(files.map(({ path }) => path)).toEqual([
    'manifest.json',
    'server/cloche_mcp.py',
    'tools/weather.py',
  ]);
  const manifest: unknown = JSON.parse(new TextDecoder().decode(files[0]?.bytes));
  expect(manifest).toMatchObject({
    name: 'weather',
    display_name: 'Weather',
    server: {
      entry_point: 'server/cloche_mcp.py',
      mcp_config: {
        args: ['${__dirname}/server/cloche_mcp.py', '${__dirname}/tools', '--name', 'weather'],
      },
    },
    tools,
  });
});

test('server.json has the hash of the bundle', async () => {
  const entry: unknown = JSON.parse(await registryEntry('Weather', new Blob(['abc'])));
  expect(entry).toMatchObject({
    name: 'io.github.USER/weather',
    packages: [{ fileSha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' }],
  });
});
