/** `npx cloche mcp` with the official client, over stdio and HTTP, in each era. */

import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { chromium, test, type Browser, type Page } from '@playwright/test';
import { commandLine, processesOf, type CommandLine } from './support/command-line.ts';
import { expect } from './support/expect.ts';
import { freePort } from '../scripts/free-port.mjs';
import { makeFolder } from './support/make-folder.ts';

test.describe.configure({ timeout: 300_000 });

const tools = `
import asyncio

async def count(context, to):
    for n in range(to):
        context.update({"progress": (n + 1) / to})
        await asyncio.sleep(0.02)
    return {"big": 12345678901234567891}

async def ask(context):
    return "yes" if await context.approve("May I?") else "no"

def fails():
    raise ValueError("no way")

def note(context, to):
    with open(f"{context.workspace_path}/notes.txt", "a") as notes:
        notes.write(f"{to}\\n")
    with open(f"{context.workspace_path}/notes.txt") as notes:
        return notes.read()

def danger():
    return "ran"

def _spec(handler, **more):
    return {"name": f"demo:{handler.__name__}", "description": "Demo.", "handler": handler,
            "parameters": {"type": "object", "properties": {"to": {"type": "integer"}}}, **more}

TOOL_SPECS = [_spec(count, returns={"type": "object"}), _spec(ask), _spec(fails), _spec(note),
              _spec(danger, requires_approval=True)]
`;
const secret = `
import os
from langchain_core.tools import tool
KEY = os.environ.get("API_KEY", "none")
@tool
def shown() -> str:
    "Shows the key."
    return f"key {KEY} {len(KEY)}"
`;
const more = tools.replaceAll('demo:', 'more:').replaceAll('danger', 'added');

const modernMeta =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';

type Mode = 'legacy' | 'auto' | { readonly pin: string };
const modes: readonly Mode[] = ['legacy', 'auto', { pin: '2026-07-28' }];

interface Connected {
  readonly client: Client;
  /** What the user was asked. */
  readonly asked: readonly string[];
  /** The progress values that have arrived. */
  readonly progress: readonly number[];
  /** Resolves when the list has changed. */
  readonly changed: Promise<void>;
}

async function connected(
  mode: Mode,
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  canAsk = true,
): Promise<Connected> {
  let onChanged: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => {
    onChanged = resolve;
  });
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: canAsk ? { elicitation: {} } : {},
      versionNegotiation: { mode },
      // A client of 2026 subscribes to changes only if it wants them.
      listChanged: { tools: { autoRefresh: false, onChanged: () => onChanged() } },
    },
  );
  const asked: string[] = [];
  if (canAsk)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: {} };
    });
  const progress: number[] = [];
  // The client loses a progress notification that it reads together with the result.
  transport.onmessage = (message) => {
    if ('method' in message && message.method === 'notifications/progress')
      progress.push(Number(message.params?.progress));
  };
  await client.connect(transport);
  return { client, asked, progress, changed };
}

async function call(client: Client, name: string, args: object = {}): Promise<CallToolResult> {
  return client.callTool({ name, arguments: { ...args } });
}

/** What every transport and era has in common. @param page the page that runs the tools */
async function tour({ client, asked, progress }: Connected, page: Page): Promise<void> {
  const listed = await client.listTools();
  expect(listed.tools.map(({ name }) => name)).toEqual(['count', 'ask', 'fails', 'note', 'danger']);
  const counted = await client.callTool(
    { name: 'count', arguments: { to: 2 } },
    { onprogress: () => undefined },
  );
  expect(progress).toEqual([0.5, 1]);
  expect(counted.content).toEqual([{ type: 'text', text: '{"big": 12345678901234567891}' }]);
  expect((await call(client, 'ask')).content).toEqual([{ type: 'text', text: 'yes' }]);
  expect((await call(client, 'danger')).content).toEqual([{ type: 'text', text: 'ran' }]);
  expect(asked).toEqual([
    expect.stringContaining('May I?'),
    expect.stringContaining('May the tool demo:danger run'),
  ]);
  const failed = await call(client, 'fails');
  expect([failed.isError, JSON.stringify(failed.content)]).toEqual([
    true,
    expect.stringContaining('ValueError: no way'),
  ]);
  await expect(call(client, 'nope')).rejects.toThrow('Unknown tool: nope');
  const stop = new AbortController();
  const stopped = client.callTool(
    { name: 'count', arguments: { to: 5_000 } },
    { signal: stop.signal, onprogress: () => stop.abort() },
  );
  await expect(stopped).rejects.toThrow();
  // The call ends in the page too, and is logged under the caller's name.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const [last] = globalThis.cloche.log.recent(1);
        return [last?.call.caller, last?.result.error];
      }),
    )
    .toEqual(['mcp', 'cancelled']);
}

let place: string;
/** At which the browser can be looked into. */
let port: number;
let cloche: CommandLine;

test.beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'cloche-mcp-'));
  cloche = await commandLine(place);
  // A test looks into the page that the program drives.
  port = await freePort();
  const browser = join(place, 'browser.sh');
  await writeFile(
    browser,
    `#!/bin/sh\nexec '${cloche.env.CLOCHE_BROWSER}' --remote-debugging-port=${port} "$@"\n`,
    { mode: 0o755 },
  );
  cloche = { ...cloche, env: { ...cloche.env, CLOCHE_BROWSER: browser } };
});
// A browser that ends still writes.
test.afterAll(() => rm(place, { recursive: true, maxRetries: 10 }));

/** Looks into the page of the only program that runs. */
async function lookingInside(use: (page: Page) => Promise<void>): Promise<void> {
  let browser: Browser | undefined;
  await expect(async () => {
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  }).toPass({ timeout: 60_000 });
  try {
    const page = browser?.contexts()[0]?.pages()[0];
    if (page === undefined) throw new Error('The browser has no page.');
    await use(page);
  } finally {
    await browser?.close();
  }
}

function stdio(
  words: readonly string[],
  cache: string,
): { readonly transport: StdioClientTransport; readonly said: () => string } {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cloche.file, 'mcp', ...words],
    env: { ...cloche.env, XDG_CACHE_HOME: cache, MY_KEY: 'my-secret' },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (piece: Buffer) => (said += String(piece)));
  return { transport, said: () => said };
}

test('the official client over stdio: the first start, the second one, edits and approvals', async () => {
  const folder = await makeFolder({ files: { 'demo.py': tools } });
  const workspace = join(place, 'work');
  await mkdir(workspace);
  const cache = join(place, 'stdio');
  const notes = (): Promise<string> => readFile(join(workspace, 'notes.txt'), 'utf8');

  await test.step('legacy: a client that does not wait for the first list learns of it', async () => {
    const words = [folder.path, '--workspace', workspace, '--allow-writes'];
    const { transport } = stdio(words, cache);
    const one = await connected('legacy', transport);
    const impatient = one.client.listTools({}, { timeout: 1 });
    await expect(impatient).rejects.toThrow();
    await one.changed;
    await lookingInside((page) => tour(one, page));
    expect((await call(one.client, 'note', { to: 1 })).content).toEqual([
      { type: 'text', text: '1\n' },
    ]);
    expect(await notes()).toBe('1\n');
    await one.client.close();
  });

  await test.step('auto: the list is there before the page, and nothing is written', async () => {
    const { transport, said } = stdio([folder.path, '--workspace', workspace], cache);
    const one = await connected('auto', transport);
    expect(one.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await one.client.listTools()).tools).toHaveLength(5);
    await lookingInside((page) => tour(one, page));
    // The tool sees its own change, which no user reviews.
    expect((await call(one.client, 'note', { to: 2 })).content).toEqual([
      { type: 'text', text: '1\n2\n' },
    ]);
    expect(await notes()).toBe('1\n');
    await one.client.close();
    expect(said()).toContain('A change of notes.txt in the workspace.');
    expect(said()).toContain('Options allow most of this');
  });

  await test.step('a client that leaves while the browser starts gets no error', async () => {
    const env = { ...cloche.env, XDG_CACHE_HOME: cache };
    const child = cloche.start(`mcp '${folder.path}'`, env);
    const ended = once(child, 'close');
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const listing = once(child.stdout, 'data');
    child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${modernMeta}}}\n`);
    await listing;
    child.stdin.end();
    expect([(await ended)[0], errors]).toEqual([0, '']);
  });

  await test.step('pinned: with --allow-approvals nothing is asked, secrets are masked, and edits change the list', async () => {
    await writeFile(join(folder.path, 'secret.py'), secret);
    const words = ['--allow-approvals', '--secret', 'API_KEY=MY_KEY'];
    const { transport } = stdio([folder.path, ...words], cache);
    const one = await connected({ pin: '2026-07-28' }, transport);
    expect((await call(one.client, 'ask')).content).toEqual([{ type: 'text', text: 'yes' }]);
    expect((await call(one.client, 'danger')).content).toEqual([{ type: 'text', text: 'ran' }]);
    expect(one.asked).toEqual([]);
    const masked = [{ type: 'text', text: `key ${'*'.repeat(9)} 9` }];
    await expect.poll(async () => (await call(one.client, 'shown')).content).toEqual(masked);
    await writeFile(join(folder.path, 'more.py'), more);
    await one.changed;
    await expect
      .poll(async () => (await one.client.listTools()).tools.map(({ name }) => name))
      .toContain('added');
    await one.client.close();
  });
  await folder.dispose();
});

/** Serves a folder over HTTP while `use` runs. */
async function overHttp(
  words: string,
  cache: string,
  use: (url: URL, token: string, said: () => string) => Promise<void>,
): Promise<void> {
  const child = cloche.start(`mcp ${words} --http 0`, { ...cloche.env, XDG_CACHE_HOME: cache });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(() => said).toMatch(/Bearer \w+/);
  const [, address = '', token = ''] = /MCP at (\S+) .*Bearer (\w+)/.exec(said) ?? [];
  try {
    await use(new URL(address), token, () => said);
    expect(await processesOf(cache)).not.toEqual([]);
  } finally {
    child.kill('SIGINT');
  }
  expect(await ended).toBe(130);
  expect(await processesOf(cache)).toEqual([]);
}

test('the official client over HTTP: one page for all eras', { tag: '@full' }, async () => {
  const folder = await makeFolder({ files: { 'demo.py': tools } });
  const cache = join(place, 'http');
  await overHttp(`'${folder.path}'`, cache, async (url, token) => {
    const open = (mode: Mode, canAsk = true): Promise<Connected> => {
      const headers = { Authorization: `Bearer ${token}` };
      const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
      return connected(mode, transport, canAsk);
    };
    await lookingInside(async (page) => {
      for (const mode of modes)
        await test.step(JSON.stringify(mode), async () => {
          const one = await open(mode);
          await tour(one, page);
          await one.client.close();
        });
    });
    const plain = await open('auto', false);
    expect((await call(plain.client, 'ask')).content).toEqual([{ type: 'text', text: 'no' }]);
    const refused = JSON.stringify(await call(plain.client, 'danger'));
    expect(refused).toContain('--allow-approvals');
    await plain.client.close();
    const watching = [await open('legacy'), await open({ pin: '2026-07-28' })];
    for (const { client } of watching) await client.listTools();
    await writeFile(join(folder.path, 'more.py'), more);
    for (const { changed, client } of watching) {
      await changed;
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('added');
      await client.close();
    }
    const response = await fetch(url, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });
  await folder.dispose();
});
