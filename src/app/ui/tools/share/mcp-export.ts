/** A folder as an MCP server: configurations of clients, and bundles that run under ordinary Python. */

import { mcpServer } from '../../../../runtime/folder/tool-files.ts';
import type { FolderFile } from '../../../../runtime/spec/folder.ts';
import { sha256Of } from '../../../../runtime/spec/bytes.ts';

export interface McpClient {
  readonly name: string;
  /** The file that the text belongs in; empty for a command. */
  readonly file: string;
  /** Name of the text as a downloaded file. */
  readonly download: string;
  readonly text: string;
}

/** A tool of the folder, as a bundle lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
}

/** Versions begin here, because folders have none. */
const version = '1.0.0';

/** Returns a name that MCP clients accept, made of the folder's: lower case, digits and hyphens. */
export function serverName(folder: string): string {
  const name = folder
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48);
  return name === '' ? 'tools' : name;
}

/** Returns the configuration of each known client for a server that it starts. */
export function mcpClients(server: string, command: string, args: readonly string[]): McpClient[] {
  const entry = { command, args };
  const fileText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
  const line = [command, ...args].map((word) => (/^[\w./@:-]+$/.test(word) ? word : `"${word}"`));
  return [
    {
      name: 'Claude Code',
      file: '',
      download: 'add-server.sh',
      text: `claude mcp add ${server} -- ${line.join(' ')}\n`,
    },
    {
      name: 'Claude Desktop',
      file: 'claude_desktop_config.json',
      download: 'claude_desktop_config.json',
      text: fileText({ mcpServers: { [server]: entry } }),
    },
    {
      name: 'VS Code',
      file: '.vscode/mcp.json',
      download: 'mcp.json',
      text: fileText({ servers: { [server]: { type: 'stdio', ...entry } } }),
    },
    {
      name: 'Cursor',
      file: '.cursor/mcp.json',
      download: 'mcp.json',
      text: fileText({ mcpServers: { [server]: entry } }),
    },
  ];
}

/**
 * Returns the files of an `.mcpb` bundle: its manifest, the server, and the folder below `tools/`.
 * Follows https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
 */
export function bundleFiles(
  folder: string,
  files: readonly FolderFile[],
  server: FolderFile,
  tools: readonly ListedTool[],
): FolderFile[] {
  const manifest = {
    manifest_version: '0.4',
    name: serverName(folder),
    display_name: folder,
    version,
    description: `The tools of ${folder}: ${tools.map(({ name }) => name).join(', ')}`.slice(
      0,
      300,
    ),
    author: { name: 'Unknown' },
    server: {
      type: 'python',
      entry_point: `server/${mcpServer}`,
      mcp_config: {
        command: 'python3',
        args: [
          `\${__dirname}/server/${mcpServer}`,
          '${__dirname}/tools',
          '--name',
          serverName(folder),
        ],
        platform_overrides: { win32: { command: 'python' } },
      },
    },
    compatibility: { runtimes: { python: '>=3.10' } },
    tools: tools.map(({ name, description }) => ({ name, description })),
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
  return [
    // The same files give the same bundle, whose hash server.json contains.
    { path: 'manifest.json', size: bytes.byteLength, modifiedAt: 0, bytes },
    { ...server, path: `server/${mcpServer}`, modifiedAt: 0 },
    ...files.map((file) => ({ ...file, path: `tools/${file.path}` })),
  ];
}

/**
 * Returns the text of `server.json`, which the MCP Registry takes, for a bundle. USER and REPOSITORY remain to be filled in.
 * Follows https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
 */
export async function registryEntry(folder: string, bundle: Blob): Promise<string> {
  const name = serverName(folder);
  const address = `https://github.com/USER/REPOSITORY/releases/download/v${version}/${name}.mcpb`;
  const entry = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `io.github.USER/${name}`,
    title: folder.slice(0, 100),
    description: `The tools of ${folder}`.slice(0, 100),
    version,
    packages: [
      {
        registryType: 'mcpb',
        identifier: address,
        fileSha256: await sha256Of(await bundle.arrayBuffer()),
        transport: { type: 'stdio' },
      },
    ],
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}
