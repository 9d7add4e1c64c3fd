/** The samples' recorded calls in the app: Python in the page returns the same as CPython. */

import { Validator } from '@seriousme/openapi-schema-validator';
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import type * as Client from '../src/embed/client/index.ts';
import type { ToolResult } from '../src/runtime/spec/result.ts';
import { invokeText, listing, type ApiResult } from './support/app.ts';
import { allowing } from './support/questions.ts';
import { recordedCalls, recordedFiles } from './support/recorded-calls.ts';
import type { JsonObject } from '../src/runtime/spec/json.ts';
import { expect, test } from './support/test.ts';

/** What a caller sees of a call, and what only the call log has, in the form of the recorded calls. */
async function outcome(page: Page, tool: string, args: string): Promise<Record<string, unknown>> {
  const answer = await invokeText(page, tool, `{"arguments": ${args}}`);
  const result = JSON.parse(answer) as ApiResult;
  const logged = await page.evaluate(() => {
    const [last] = globalThis.cloche.log.recent(1);
    if (last === undefined) throw new Error('No call was logged.');
    const { recoverable, log, updates, updatesDropped } = last.result;
    return { recoverable, log, updates, updatesDropped } satisfies Partial<ToolResult>;
  });
  return {
    resultType: result.resultType,
    textResultForLlm: result.textResultForLlm,
    error: result.error,
    metadata: result.metadata,
    stdout: result.stdout,
    content: result.content.map(part),
    recoverable: logged.recoverable,
    log: logged.log,
    updates: Math.max(0, ...logged.updates.map(({ n }) => n + 1)),
  };
}

function part({ type, mediaType, data }: ApiResult['content'][number]): Record<string, unknown> {
  if (data === undefined) return { type };
  const sha256 = createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex');
  return { type, mediaType, sha256 };
}

interface OpenApi {
  readonly paths: Record<
    string,
    {
      post?: {
        requestBody?: {
          content: {
            'application/json': {
              examples?: Record<string, { value: { arguments: Record<string, unknown> } }>;
            };
          };
        };
      };
    }
  >;
}

async function opened(page: Page): Promise<void> {
  await page.goto('./');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByRole('button', { name: 'Open samples' }).click();
  await samplesReady(page);
}

async function samplesReady(page: Page): Promise<void> {
  const ready = { state: 'ready', folder: 'samples' };
  await expect.poll(() => listing(page), { timeout: 120_000 }).toMatchObject(ready);
}

/** Makes the calls of a file, in order. */
async function expectAsRecorded(page: Page, file: string): Promise<void> {
  for (const call of await recordedCalls(file)) {
    const given = await allowing(page, outcome(page, call.tool, call.arguments));
    const seen = Object.fromEntries(Object.keys(call.expect).map((key) => [key, given[key]]));
    expect.soft(seen, `${call.tool}: ${call.name}`).toEqual(call.expect);
  }
}

test(
  'the OpenAPI document of the samples is valid, and the client calls each tool with its first example',
  { tag: '@full' },
  async ({ page }) => {
    await opened(page);
    const text = await page.evaluate(async () => (await fetch('api/openapi.json')).text());
    const document = JSON.parse(text) as OpenApi;
    const { errors } = await new Validator().validate(JSON.parse(text) as JsonObject);
    expect(errors).toBeUndefined();
    const calls = Object.entries(document.paths).flatMap(([path, { post }]) => {
      const [, tool] = /^\/tools\/([^{}]+)\/invoke$/.exec(path) ?? [];
      const { examples = {} } = post?.requestBody?.content['application/json'] ?? {};
      const [example] = Object.values(examples);
      if (tool === undefined || example === undefined) return [];
      return [{ tool: decodeURIComponent(tool), args: example.value.arguments }];
    });
    const { tools } = await listing(page);
    expect(calls.map(({ tool }) => tool)).toEqual(tools.map(({ name }) => name));
    const results: Client.Result[] = [];
    for (const { tool, args } of calls) {
      const result = await allowing(
        page,
        page.evaluate(
          async ([name, given]) => {
            const module = new URL('cloche-client.js', location.href).href;
            const { connect } = (await import(module)) as typeof Client;
            return (await connect()).call(name, given);
          },
          [tool, args] as const,
        ),
      );
      results.push(result);
    }
    expect(results).toHaveLength(tools.length);
    // The first recorded call of some tools is one that fails.
    const successes = results.filter(({ resultType }) => resultType === 'success');
    expect(successes.length).toBeGreaterThan(45);
  },
);

// tests/samples/run_samples.py makes the same calls, under CPython and under Pyodide.
test('every recorded call gives what was recorded', { tag: '@full' }, async ({ page }) => {
  test.setTimeout(600_000);
  await opened(page);
  const files = await recordedFiles();
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) {
    await expectAsRecorded(page, file);
    // The calls of each file start with a fresh Python.
    await page.evaluate(() => globalThis.cloche.folder.refresh());
    await samplesReady(page);
  }
});
