/** The samples over MCP: each server gives the same results as `api/tools`, with exact numbers, in each era. */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { projectFolder } from '../scripts/dist.mjs';
import { run } from '../scripts/run.mjs';
import { invokeText, listing, type ApiResult } from './support/app.ts';
import { commandLine, processesOf } from './support/command-line.ts';
import { allowing } from './support/questions.ts';
import { recordedCalls, recordedFiles, type RecordedCall } from './support/recorded-calls.ts';
import { expect, test } from './support/test.ts';

/** Sends a request to a server. */
type Post = (
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<{ readonly session: string; readonly text: string }>;

/** What a client gets of a call. */
interface Outcome {
  readonly call: string;
  readonly isError: boolean;
  readonly content: readonly unknown[];
  readonly structured: unknown;
}

const samples = join(projectFolder, 'tools-samples');
const eras = ['2025-11-25', '2026-07-28'] as const;
type Era = (typeof eras)[number];

test(
  'all samples give over MCP what api/tools gives',
  { tag: '@full' },
  async ({ page, browser }) => {
    test.setTimeout(600_000);
    const calls = (await Promise.all((await recordedFiles()).map(recordedCalls))).flat();
    expect(new Set(calls.map(({ tool }) => tool)).size).toBe(53);
    await openSamples(page);
    const expected = await resultsOfApi(page, calls);
    const wanted = (era: Era): readonly Outcome[] => expected.map((one) => inEra(one, era));

    for (const era of eras)
      await test.step(`api/mcp, ${era}`, async () => {
        // In a new page, since some samples remember earlier calls.
        const context = await browser.newContext();
        const other = await context.newPage();
        await openSamples(other);
        expect(await resultsOf(overPage(other), era, calls)).toEqual(wanted(era));
        await context.close();
      });

    const place = await mkdtemp(join(tmpdir(), 'cloche-samples-'));
    const { file, env } = await commandLine(place);
    const program = join(place, 'cloche_mcp.py');
    await run(['node', 'scripts/python-programs.mjs', 'cloche_mcp', program]);
    const options = [samples, '--allow-approvals', '--http', '0'];
    for (const era of eras)
      for (const [name, ...command] of [
        ['cloche mcp', process.execPath, file, 'mcp'],
        ['cloche_mcp.py', 'python3', '-B', program],
      ])
        await test.step(`${name}, ${era}`, async () => {
          const [first = '', ...words] = command;
          const server = spawn(first, [...words, ...options], { env });
          const closed = new Promise((resolve) => server.once('close', resolve));
          try {
            expect(await resultsOf(await overHttp(server), era, calls)).toEqual(wanted(era));
          } finally {
            server.kill('SIGKILL');
            await closed;
          }
          // Also a program that is killed leaves no browser.
          await expect.poll(() => processesOf(place)).toEqual([]);
        });
    await rm(place, { recursive: true, maxRetries: 10 });
  },
);

async function openSamples(page: Page): Promise<void> {
  await page.goto('./');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByRole('button', { name: 'Open samples' }).click();
  const ready = { state: 'ready', folder: 'samples' };
  await expect.poll(() => listing(page), { timeout: 120_000 }).toMatchObject(ready);
}

async function resultsOfApi(page: Page, calls: readonly RecordedCall[]): Promise<Outcome[]> {
  const returns = await page.evaluate(() =>
    Object.fromEntries(globalThis.cloche.registry.list().map((one) => [one.name, one.returns])),
  );
  const outcomes: Outcome[] = [];
  for (const { tool, name, arguments: args } of calls) {
    const answer = await allowing(page, invokeText(page, tool, `{"arguments":${args}}`));
    const result = JSON.parse(answer) as ApiResult & { readonly isError: boolean };
    const isError = result.resultType === 'failure' || result.isError;
    const [part] = result.content;
    const isStructured = !isError && returns[tool] !== null;
    outcomes.push({
      call: `${tool}: ${name}`,
      isError,
      content:
        result.content.length === 0
          ? [{ type: 'text', text: result.textResultForLlm }]
          : result.content.map(block),
      structured: isStructured ? exact(part?.text ?? '') : undefined,
    });
  }
  return outcomes;
}

/** A part of a result, as MCP has it. */
function block({ type, text, mediaType, data }: ApiResult['content'][number], at: number): object {
  if (data === undefined) return { type: 'text', text };
  if (type === 'image') return { type, mimeType: mediaType, data };
  return {
    type: 'resource',
    resource: { uri: `cloche:result/${at}`, mimeType: mediaType, blob: data },
  };
}

/** The revisions of 2025 have only structured results that are objects. */
function inEra(outcome: Outcome, era: Era): Outcome {
  const isObject = typeof outcome.structured === 'object';
  return era === '2026-07-28' || isObject ? outcome : { ...outcome, structured: undefined };
}

async function resultsOf(
  post: Post,
  era: Era,
  calls: readonly RecordedCall[],
): Promise<readonly Outcome[]> {
  let session = '';
  const send = async (method: string, members: readonly string[], name = ''): Promise<string> => {
    const prefix = 'io.modelcontextprotocol/';
    const meta = `"_meta":{"${prefix}protocolVersion":"${era}","${prefix}clientCapabilities":{}}`;
    const isModern = era === '2026-07-28';
    const params = [...members, ...(isModern ? [meta] : [])].join();
    const answer = await post(
      {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(method !== 'initialize' && { 'MCP-Protocol-Version': era }),
        ...(isModern && { 'Mcp-Method': method, ...(name !== '' && { 'Mcp-Name': name }) }),
        ...(session !== '' && { 'Mcp-Session-Id': session }),
      },
      `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params}}}`,
    );
    if (method === 'initialize') session = answer.session;
    const events = answer.text.split('\n').filter((line) => line.startsWith('data: {'));
    return events.at(-1)?.slice(6) ?? answer.text;
  };
  const client = '"capabilities":{},"clientInfo":{"name":"test","version":"1"}';
  if (era === '2025-11-25') await send('initialize', [`"protocolVersion":"${era}"`, client]);
  const { result } = JSON.parse(await send('tools/list', [])) as {
    result: { tools: { name: string }[] };
  };
  const names = result.tools.map(({ name }) => name);
  expect(names).toHaveLength(53);
  const outcomes: Outcome[] = [];
  for (const { tool, name, arguments: args } of calls) {
    const [module = '', short = ''] = tool.split(':');
    const wire = names.find((one) => one === short || one === `${module}__${short}`) ?? tool;
    const answer = await send('tools/call', [`"name":"${wire}"`, `"arguments":${args}`], wire);
    const { content, isError = false, structuredContent } = fields(fields(exact(answer)).result);
    outcomes.push({
      call: `${tool}: ${name}`,
      isError: isError as boolean,
      content: content as unknown[],
      structured: structuredContent,
    });
  }
  return outcomes;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return value as Readonly<Record<string, unknown>>;
}

/** Parses JSON, with its numbers as texts. */
function exact(text: string): unknown {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
  return JSON.parse(
    text.replace(tokens, (token) => (token.startsWith('"') ? token : `"#${token}"`)),
  );
}

function overPage(page: Page): Post {
  return (headers, body) =>
    allowing(
      page,
      page.evaluate(
        async ([given, text]) => {
          const response = await fetch('api/mcp', { method: 'POST', headers: given, body: text });
          const session = response.headers.get('Mcp-Session-Id') ?? '';
          return { session, text: await response.text() };
        },
        [headers, body] as const,
      ),
    );
}

/** @param server prints its address, and the header with its token */
async function overHttp(server: ReturnType<typeof spawn>): Promise<Post> {
  let said = '';
  const find = (): RegExpExecArray | null =>
    /(http:\S+\/mcp)\b[^]*Authorization: (Bearer [\w-]+)/.exec(said);
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(find, { timeout: 60_000 }).not.toBe(null);
  const [, url = '', authorization = ''] = find() ?? [];
  return async (headers, body) => {
    const all = { ...headers, Authorization: authorization };
    const response = await fetch(url, { method: 'POST', headers: all, body });
    const session = response.headers.get('Mcp-Session-Id') ?? '';
    return { session, text: await response.text() };
  };
}
