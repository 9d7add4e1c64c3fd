/** `cloche eval`: runs the evaluations of a folder as the page does, and prints pass rates. */

import { stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { EndpointModel, Evaluating } from '../runtime/protocol/headless.ts';
import { errorText } from '../runtime/spec/error.ts';
import type { ProviderKind } from '../runtime/spec/model.ts';
import type { DrivenPage } from './driven-page.ts';
import { onePlace, resultsFile, readWholeNumber, type Typed } from './options.ts';

export interface EvalRequest {
  readonly folder: string;
  /** Path of the only evaluation to run, inside the folder; null for all. */
  readonly file: string | null;
  readonly only: string;
  readonly json: string | undefined;
  readonly model: EndpointModel;
  readonly repeats: number | undefined;
  readonly limits: Evaluating['limits'];
}

/** The results of one evaluation, as the page saves them. */
interface Result {
  readonly name: string;
  readonly file: string;
  readonly state: string;
  readonly reason: string;
  readonly missed: readonly string[];
  readonly models: readonly ModelResult[];
  /** Present only if the evaluation has versions. */
  readonly versions?: readonly VersionResult[];
  readonly verdict?: { readonly words: string };
}

interface VersionResult {
  readonly name: string;
  readonly chosenBy: Pick<ModelResult, 'rate' | 'interval'>;
  readonly heldOut: Pick<ModelResult, 'rate' | 'interval'>;
  readonly tokens: number | null;
  readonly requests: number | null;
}

interface ModelResult {
  readonly model: string;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly rate: number | null;
  readonly interval: readonly [number, number] | null;
  readonly requests: number;
  readonly tokens: number;
  readonly cost: number | null;
}

type Page = Pick<DrivenPage, 'ask'>;
type Print = (text: string) => void;

const kinds: readonly ProviderKind[] = [
  'openai-compatible',
  'openai-chat',
  'openai-responses',
  'anthropic',
  'google',
];

/** @throws {Error} */
export async function readEvalOptions(
  typed: Typed,
  env: Readonly<Record<string, string | undefined>>,
): Promise<EvalRequest> {
  const place = resolve(onePlace(typed));
  const [, provider, model] = /^([^/]+)\/(.+)$/.exec(typed.text('model') ?? '') ?? [];
  const baseUrl = typed.text('base-url');
  const asked = typed.text('kind') ?? 'openai-compatible';
  const kind = kinds.find((one) => one === asked);
  if (provider === undefined || model === undefined)
    throw new Error('--model needs PROVIDER/MODEL.');
  if (baseUrl === undefined)
    throw new Error('--base-url is missing. It is the address of the model’s API.');
  if (kind === undefined)
    throw new Error(`--kind ${asked} is unknown. Use one of ${kinds.join(', ')}.`);
  const requests = readWholeNumber(typed, 'max-requests', 1, 1e9);
  const tokens = readWholeNumber(typed, 'max-tokens', 1, 1e9);
  const costText = typed.text('max-cost');
  const cost = Number(costText);
  if (costText !== undefined && !(cost > 0 && cost < Infinity))
    throw new Error(`--max-cost needs a number of US dollars, not ${costText}.`);
  const isFile = (await stat(place).catch(() => undefined))?.isFile() ?? false;
  const parent = dirname(place);
  if (isFile && basename(parent) !== 'evals')
    throw new Error(`${place} is not in the folder “evals” of a tools folder.`);
  return {
    folder: isFile ? dirname(parent) : place,
    file: isFile ? `evals/${basename(place)}` : null,
    only: typed.text('only') ?? '',
    // A key that was read from a file often ends with a line break, which a header cannot contain.
    model: { kind, provider, baseUrl, model, key: (env.CLOCHE_MODEL_KEY ?? '').trim() },
    repeats: readWholeNumber(typed, 'repeat', 1, 100),
    json: await resultsFile(typed),
    limits: {
      ...(requests !== undefined && { requests }),
      ...(tokens !== undefined && { tokens }),
      ...(costText !== undefined && { cost }),
    },
  };
}

/** @returns the exit code @throws {Error} if nothing was measured */
export async function runEvals(
  page: Page,
  request: EvalRequest,
  print: Print,
  note: Print,
): Promise<number> {
  const { model, only, file, repeats, limits, json } = request;
  const name = `${model.provider}/${model.model}`;
  const { price } = await page.ask('addModel', model);
  if (price === null && limits.cost !== undefined)
    note(`The price of ${name} is not known, so its cost is not limited.`);
  const all = await page.ask('evaluations');
  const files = all.filter(({ path }) => (file === null ? path.includes(only) : path === file));
  if (files.length === 0)
    throw new Error(
      all.length === 0
        ? `${basename(request.folder)} has no evaluations in evals/.`
        : `No evaluation matches ${file ?? only}. There are: ${all.map(({ path }) => path).join(', ')}.`,
    );
  const faulty = files.flatMap(({ path, problems }) =>
    problems.map(({ line, message, hint }) => `${path}:${line}: ${message}. ${hint}`),
  );
  if (faulty.length > 0) throw new Error(faulty.join('\n'));
  const results: Result[] = [];
  try {
    for (const { path } of files) {
      note(`Running ${path} …`);
      const text = await page.ask('evaluate', { path, model: name, repeats, limits });
      results.push(JSON.parse(text) as Result);
    }
  } catch (thrown) {
    // These results have been paid for, and so have those of an earlier run.
    report(results, print);
    if (json !== undefined && results.length > 0) await keepPartial(json, results, note);
    throw thrown;
  }
  const code = report(results, print);
  if (json !== undefined) await write(json, results);
  return code;
}

/** Writes the results of a run that failed beside the file, which may have the results of an earlier one. */
async function keepPartial(json: string, results: readonly Result[], note: Print): Promise<void> {
  const partial = `${json}.partial`;
  try {
    await write(partial, results);
    note(`The results until then are in ${partial}.`);
  } catch (thrown) {
    note(`${partial} cannot be written: ${errorText(thrown)}`);
  }
}

function write(path: string, results: readonly Result[]): Promise<void> {
  return writeFile(path, `${JSON.stringify(results, null, 2)}\n`);
}

function report(results: readonly Result[], print: Print): number {
  let code = 0;
  for (const { name, file, state, reason, missed, models, versions = [], verdict } of results) {
    print(`\n${name} (${file}): ${state}${reason === '' ? '' : `. ${reason}`}`);
    for (const { model, passed, failed, errors, rate, interval, ...used } of models) {
      const cost = used.cost === null ? 'cost unknown' : `$${used.cost.toFixed(4)}`;
      print(
        `  ${model}: ${rateWords({ rate, interval })}, ${passed} passed, ${failed} failed, ${errors} errors, ` +
          `${used.requests} requests, ${used.tokens} tokens, ${cost}`,
      );
    }
    for (const version of versions) {
      const used = [version.tokens, version.requests].map((one) => one?.toFixed(1) ?? 'unknown');
      print(
        `  ${version.name}: ${rateWords(version.chosenBy)} in the first half, ` +
          `${rateWords(version.heldOut)} held out, ${used[0]} tokens, ${used[1]} requests a trial`,
      );
    }
    if (verdict !== undefined) print(`  ${verdict.words}`);
    for (const text of missed) print(`Below the threshold. ${text}`);
    if (state !== 'done' || models.some(({ errors }) => errors > 0)) code = 2;
    else if (missed.length > 0) code = Math.max(code, 1);
  }
  return code;
}

function rateWords({ rate, interval }: Pick<ModelResult, 'rate' | 'interval'>): string {
  const range = interval === null ? '' : ` (95 %: ${interval.map(percent).join(' to ')})`;
  return rate === null ? 'no rate' : `${percent(rate)}${range}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
