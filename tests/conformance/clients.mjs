/**
 * The official clients, of both kinds of revisions, list, call, answer a question, cancel and follow changes.
 * `node clients.mjs FILE ADDRESS` or `node clients.mjs FILE COMMAND …`; FILE is a file of the folder that may be
 * written, or `-` if the server does not follow changes.
 */
import { deepStrictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import {
  Client as ClientOf2026,
  StreamableHTTPClientTransport as HttpOf2026,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioOf2026 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOf2025 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [, , file = '-', target = '', ...args] = process.argv;
const address = URL.canParse(target) ? new URL(target) : null;
/** @type {{ command: string, args: string[], stderr: 'ignore' }} */
const server = { command: target, args, stderr: 'ignore' };
const me = { name: 'conformance', version: '1.0.0' };
/** Called with the tools after a change. */
let onTools = (/** @type {{ name: string }[] | null} */ _) => {};
const options = {
  capabilities: { elicitation: {} },
  listChanged: {
    tools: {
      onChanged: (/** @type {unknown} */ _, /** @type {{ name: string }[] | null} */ tools) =>
        onTools(tools),
    },
  },
};
/** @type {() => { action: 'accept', content: {} }} */
const accept = () => ({ action: 'accept', content: {} });

const first = new ClientOf2025(me, options);
first.setRequestHandler(ElicitRequestSchema, accept);
await first.connect(address === null ? new StdioOf2025(server) : new HttpOf2025(address));
await tryOut('v1', first, (name, more) => first.callTool({ name, arguments: {} }, undefined, more));

for (const mode of /** @type {const} */ (['legacy', 'auto', { pin: '2026-07-28' }])) {
  const client = new ClientOf2026(me, { ...options, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', accept);
  await client.connect(address === null ? new StdioOf2026(server) : new HttpOf2026(address));
  await tryOut(`v2, ${JSON.stringify(mode)}`, client, (name, more) =>
    client.callTool({ name, arguments: {} }, more),
  );
}

/**
 * @param {string} kind
 * @param {{ listTools(): Promise<{ tools: { name: string }[] }>, close(): Promise<void> }} client
 * @param {(name: string, more?: { signal?: AbortSignal, onprogress?: (one: { progress: number }) => void }) => Promise<{ content?: unknown }>} call
 */
async function tryOut(kind, client, call) {
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  deepStrictEqual(names.includes('test_simple_text'), true);
  /** @type {number[]} */
  const progress = [];
  await call('test_tool_with_progress', { onprogress: (one) => progress.push(one.progress) });
  deepStrictEqual(progress, [0, 50, 100]);
  const asked = await call('test_streaming_elicitation');
  deepStrictEqual(asked.content, [{ type: 'text', text: 'User response: accept' }]);
  const stop = new AbortController();
  const stopped = call('test_that_waits', { signal: stop.signal, onprogress: () => stop.abort() });
  deepStrictEqual(await stopped.catch(() => 'stopped'), 'stopped');
  if (file !== '-') await followChange(file, `added_${Date.now()}`);
  await client.close();
  console.log(`✓ ${kind}: ${names.length} tools`);
}

/**
 * Adds a tool to the folder, and waits until the client has its name.
 * @param {string} path
 * @param {string} name
 */
async function followChange(path, name) {
  const changed = new Promise((resolve, reject) => {
    setTimeout(reject, 30_000, new Error(`No list with ${name} came in 30 s.`)).unref();
    onTools = (tools) => {
      if (tools?.some((tool) => tool.name === name) === true) resolve(undefined);
    };
  });
  const spec = `{"name": "more:${name}", "description": "Added.", "parameters": {"type": "object"}, "handler": ${name}}`;
  await writeFile(path, `def ${name}():\n    return 1\n\nTOOL_SPECS = [${spec}]\n`);
  await changed;
}
