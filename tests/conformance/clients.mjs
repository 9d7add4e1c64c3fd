/**
 * The official clients in Node, with a server at an address, or one that a command starts:
 * `node clients.mjs FILE ADDRESS` or `node clients.mjs FILE COMMAND …`; FILE is a file of the folder that may be
 * written, or `-` if the server does not follow changes.
 */
import { StreamableHTTPClientTransport as HttpOf2026 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioOf2026 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioOf2025 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { addTool } from './added-tool.mjs';
import { tour } from './client-tour.mjs';

const [, , file = '-', target = '', ...args] = process.argv;
const address = URL.canParse(target) ? new URL(target) : null;
/** @type {{ command: string, args: string[], stderr: 'ignore' }} */
const server = { command: target, args, stderr: 'ignore' };

const lines = await tour({
  transportOf2025: () => (address === null ? new StdioOf2025(server) : new HttpOf2025(address)),
  transportOf2026: () => (address === null ? new StdioOf2026(server) : new HttpOf2026(address)),
  asksClient: true,
  addTool: file === '-' ? null : (name) => addTool(file, name),
});
console.log(lines.join('\n'));
