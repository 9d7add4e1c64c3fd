import { expect, test } from 'vitest';
import {
  isServersFile,
  isServersToml,
  isServersYaml,
  serversInToml,
  removeComments,
} from './config-texts.ts';
import { threadMs } from '../../../../tests/support/thread-time.ts';

test('comments and trailing commas are removed, and strings that look like them stay', () => {
  const text = `// Mine
{
  "a": "https://a.example/*", /* a
  comment */
  "b": ["x, ]", "\\"//", ], // the end
}`;
  expect(JSON.parse(removeComments(text))).toEqual({
    a: 'https://a.example/*',
    b: ['x, ]', '"//'],
  });
});

test('the servers of a config.toml are read, without the values of their variables', () => {
  const text = `
model = "gpt" # [mcp_servers.no]
[mcp_servers.docs] # the docs
url = "https://docs.example/mcp?a=#b"
enabled = true
[mcp_servers."my files"]
command = 'npx'
args = [
  "-y", # yes
  "server [x]",
  '/a b',
]
env = { KEY = "a = b", 'OTHER' = 'c' }
[mcp_servers."my files".env]
"THIRD" = "secret"
[mcp_servers.docs.tools.x]
command = "no"
[profiles.p]
command = "no"
`;
  expect(isServersToml(text)).toBe(true);
  expect(serversInToml(text)).toEqual({
    mcpServers: {
      docs: { url: 'https://docs.example/mcp?a=#b', enabled: 'true', env: {} },
      'my files': {
        command: 'npx',
        args: ['-y', 'server [x]', '/a b'],
        env: { KEY: '', OTHER: '', THIRD: '' },
      },
    },
  });
  expect(isServersToml('[tool.mcp_servers.a]\n{"mcp_servers": {}}')).toBe(false);
});

test('texts in which nothing is closed are read in linear time', () => {
  const size = 200_000;
  const pieces = ['/*', '"\\"', ', ', '// ', "'", '[', '"a" ', ' ', '\n '];
  const endless = `"${'\\"'.repeat(50_000)}\\`;
  const texts = pieces.map((piece) => piece.repeat(Math.floor(size / piece.length)));
  const began = threadMs();
  for (const text of [
    ...texts,
    `"${'a'.repeat(1_000_000)}`,
    endless,
    `${endless}\n`,
    `${endless}\u2028`,
  ]) {
    removeComments(text);
    serversInToml(text);
    serversInToml(`[mcp_servers.a]\n${text}`);
    isServersYaml(text);
    isServersFile(text);
  }
  expect(threadMs() - began).toBeLessThan(5_000);
});
