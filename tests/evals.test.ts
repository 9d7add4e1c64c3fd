/** Evaluations run over a local model endpoint: interrupted, resumed, saved, and once more without a window. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scanned } from './support/app.ts';
import { commandLine } from './support/command-line.ts';
import { isFull } from './support/is-full.ts';
import type { ModelEndpoint } from './support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from './support/model-endpoint/script.ts';
import { addOneModel, adder, startOneModel } from './support/one-model.ts';
import { press, pressUntil } from './support/press-until.ts';
import * as session from './support/session-page.ts';
import { expect, test } from './support/shared-page.ts';

/** Every fourth prompt is about a number that the model gets wrong. */
function evaluation(prompts: number, repeats: number): string {
  const list = Array.from({ length: prompts }, (_, n) => ({
    name: `Prompt ${n}`,
    text: `add ${n} and 1`,
    expect: {
      calls: { must: [{ tool: 'work:add', equals: { a: n, b: 1 } }], may: [] },
      answer: { includes: String(n + 1), regex: '^The sum is \\d+\\.$' },
    },
  }));
  return JSON.stringify({ name: 'Sums', repeats, threshold: 0.7, tools: 'all', prompts: list });
}

/** Calls the tool, and says what it returned. */
function model({ body }: ReceivedRequest): Scripted {
  const { messages } = body as { messages: { role: string; content: unknown }[] };
  const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
  const result = messages.findLast(({ role }) => role === 'tool');
  const usage = { input: 100, cached: 0, output: 10, reasoning: 0 };
  if (result !== undefined) {
    const sum = /\d+/.exec(JSON.stringify(result.content))?.[0] ?? '';
    return { text: `The sum is ${sum}.`, usage, paceMs: 10 };
  }
  const a = Number(/add (\d+) and/.exec(asked)?.[1]);
  const args = JSON.stringify({ a: a % 4 === 3 ? a + 1 : a, b: 1 });
  return { calls: [{ name: 'work__add', arguments: args }], usage };
}

interface Results {
  readonly state: string;
  readonly fileHash: string;
  readonly toolsHash: string;
  readonly models: readonly {
    readonly model: string;
    readonly passed: number;
    readonly failed: number;
    readonly errors: number;
    readonly rate: number;
    readonly interval: readonly number[];
    readonly requests: number;
    readonly calls: number;
    readonly tokens: number;
    readonly prompts: readonly { readonly trials: readonly { readonly state: string }[] }[];
  }[];
}

let endpoint: ModelEndpoint;

test.beforeAll(async () => {
  endpoint = await startOneModel();
  endpoint.habits.otherwise = model;
});
test.afterAll(() => endpoint.close());
test.beforeEach(() => {
  endpoint.requests.length = 0;
});

/** What must be the same in every run of the same file. */
function figures({ fileHash, toolsHash, models }: Results) {
  return {
    fileHash,
    toolsHash,
    models: models.map(({ prompts, ...one }) => ({
      model: one.model,
      passed: one.passed,
      failed: one.failed,
      errors: one.errors,
      rate: one.rate,
      interval: one.interval,
      requests: one.requests,
      calls: one.calls,
      tokens: one.tokens,
      trials: prompts.map(({ trials }) => trials.map(({ state }) => state)),
    })),
  };
}

const title = 'are interrupted, resumed and saved, and give the same figures without a window';

for (const { prompts, repeats } of [
  { prompts: 4, repeats: 2 },
  // Takes three minutes, so only where all tests of @full run.
  ...(isFull ? [{ prompts: 20, repeats: 3 }] : []),
])
  test(`${prompts} prompts × ${repeats} ${title}`, { tag: '@full' }, async ({ shared, folder }) => {
    test.setTimeout(600_000);
    const files = { 'work.py': adder, 'evals/sums.json': evaluation(prompts, repeats) };
    await shared.open(files);
    session.expectModelRequests(shared.trouble);
    const { page } = shared;
    await addOneModel(page, endpoint);
    await page.goto('./#/evals');
    await page.getByRole('button', { name: 'Run Sums' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run this evaluation' });
    const trials = prompts * repeats;
    await expect(dialog.getByRole('status')).toContainText(`at least ${trials} requests`);
    // Nothing is sent before the press that says how much it may be.
    expect(session.asked(endpoint)).toEqual([]);
    await press(dialog.getByRole('button', { name: `Run ${trials} trials` }));
    await expect(page.getByText(/^Running, [1-9]/)).toBeVisible({ timeout: 120_000 });
    await page.reload();
    await expect(page.getByText(/^Interrupted, /)).toBeVisible({ timeout: 60_000 });
    // Until the folder is open again, it is refused.
    await scanned(page);
    await pressUntil(
      page.getByRole('button', { name: 'Resume' }),
      page.getByText(/^(Running|Done), /),
    );
    await expect(page.getByText(`Done, ${trials} trials`)).toBeVisible({ timeout: 400_000 });
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save …' }).click();
    await page.getByRole('button', { name: 'Save as JSON' }).click();
    const saved = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as Results;
    const failed = trials / 4;
    expect(saved.models).toMatchObject([
      { passed: trials - failed, failed, errors: 0, rate: 0.75, requests: 2 * trials },
    ]);
    const made = await folder(files);
    const { path: place } = await folder({}, 'place');
    const json = join(place, 'results.json');
    const cloche = await commandLine(place);
    const model = `--model Mine/small --base-url ${endpoint.url}/v1`;
    const { code, output } = await cloche.run(`eval '${made.path}' ${model} --json '${json}'`);
    expect(code, output).toBe(0);
    expect(output).toContain('75 %');
    const [again] = JSON.parse(await readFile(json, 'utf8')) as Results[];
    expect(again && figures(again)).toEqual(figures(saved));
  });
