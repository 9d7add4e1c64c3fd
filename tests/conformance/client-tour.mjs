/**
 * What the official clients of both generations do with a server: they list, call, answer a question, cancel and follow
 * changes. The same in Node and in pages.
 */
import { Client as ClientOf2026 } from '@modelcontextprotocol/client';
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * @typedef {object} Toured
 * @property {() => any} transportOf2025 to the server, for each client a new one
 * @property {() => any} transportOf2026
 * @property {boolean} asksClient whether the server asks the user through the client
 * @property {((name: string) => unknown) | null} addTool adds a tool to the folder; null if the server does not follow changes
 */

const me = { name: 'conformance', version: '1.0.0' };
const text = 'This is a simple text response for testing.';

/**
 * @param {Toured} server
 * @returns {Promise<string[]>} a line for each client
 * @throws {Error} if a client gets something else
 */
export async function tour({ transportOf2025, transportOf2026, asksClient, addTool }) {
  /** Called with the tools after a change. */
  let onTools = (/** @type {{ name: string }[] | null} */ _) => {};
  const options = {
    capabilities: asksClient ? { elicitation: {} } : {},
    listChanged: {
      tools: {
        onChanged: (/** @type {unknown} */ _, /** @type {{ name: string }[] | null} */ tools) =>
          onTools(tools),
      },
    },
  };
  /** @type {number[]} */
  const progress = [];
  /**
   * Records progress notifications as they arrive: a client loses one that it reads together with the result.
   * @param {any} transport
   */
  const watched = (transport) => {
    transport.onmessage = (/** @type {any} */ { method, params }) => {
      if (method === 'notifications/progress') progress.push(params.progress);
    };
    return transport;
  };
  let asked = 0;
  /** @type {() => { action: 'accept', content: {} }} */
  const accept = () => {
    asked += 1;
    return { action: 'accept', content: {} };
  };
  const lines = [];

  const first = new ClientOf2025(me, options);
  if (asksClient) first.setRequestHandler(ElicitRequestSchema, accept);
  await first.connect(watched(transportOf2025()));
  lines.push(
    await tryOut('v1', first, (name, more) =>
      first.callTool({ name, arguments: {} }, undefined, more),
    ),
  );
  for (const mode of /** @type {const} */ ([undefined, 'legacy', 'auto', { pin: '2026-07-28' }])) {
    const client = new ClientOf2026(me, {
      ...options,
      ...(mode !== undefined && { versionNegotiation: { mode } }),
    });
    if (asksClient) client.setRequestHandler('elicitation/create', accept);
    await client.connect(watched(transportOf2026()));
    const kind = `v2, ${mode === undefined ? 'default' : JSON.stringify(mode)}`;
    lines.push(
      await tryOut(kind, client, (name, more) => client.callTool({ name, arguments: {} }, more)),
    );
  }
  return lines;

  /**
   * @param {string} kind
   * @param {{ listTools(): Promise<{ tools: { name: string }[] }>, close(): Promise<void> }} client
   * @param {(name: string, more?: { signal?: AbortSignal, onprogress?: (one: { progress: number }) => void }) => Promise<{ content?: unknown }>} call
   */
  async function tryOut(kind, client, call) {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    same(names.includes('test_simple_text'), true);
    same((await call('test_simple_text')).content, [{ type: 'text', text }]);
    progress.length = 0;
    await call('test_tool_with_progress', { onprogress: () => {} });
    same(progress, [0, 50, 100]);
    asked = 0;
    const answered = await call('test_streaming_elicitation');
    same(answered.content, [{ type: 'text', text: 'User response: accept' }]);
    same(asked, asksClient ? 1 : 0);
    const stop = new AbortController();
    const stopped = call('test_that_waits', {
      signal: stop.signal,
      onprogress: () => stop.abort(),
    });
    same(await stopped.then(String, () => 'stopped'), 'stopped');
    if (addTool !== null) await followChange(`added_${Date.now()}`);
    await client.close();
    return `✓ ${kind}: ${names.length} tools`;
  }

  /**
   * Adds a tool to the folder, and waits until the client has its name.
   * @param {string} name
   */
  async function followChange(name) {
    const changed = new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`No list with ${name} came in 30 s.`)),
        30_000,
      );
      onTools = (tools) => {
        if (tools?.some((tool) => tool.name === name) !== true) return;
        clearTimeout(timer);
        resolve(undefined);
      };
    });
    await addTool?.(name);
    await changed;
  }
}

/**
 * @param {unknown} given
 * @param {unknown} expected
 */
function same(given, expected) {
  const [one, other] = [given, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${one} came instead of ${other}.`);
}
