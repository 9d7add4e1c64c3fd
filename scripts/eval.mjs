#!/usr/bin/env node
/**
 * Runs the evaluations of a tools folder in a browser without a window, as the page does, and prints pass rates.
 * `node scripts/eval.mjs FOLDER --model provider/id --base-url ADDRESS`; `--help` prints all options.
 *
 * Exit codes: 0 if all thresholds are reached, 1 if one is missed, 2 for anything else.
 */
import { stat, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const help = `npm run eval -- FOLDER --model PROVIDER/MODEL --base-url ADDRESS [options]

  --model PROVIDER/MODEL  the model; PROVIDER is a name that you choose
  --base-url ADDRESS      of the provider, such as http://localhost:11434/v1; it must allow pages (CORS)
  --kind KIND             openai-compatible (default), openai-chat, openai-responses, anthropic or google
  --only TEXT             only evaluations whose path contains this text
  --repeat N              trials of each prompt, instead of the file's number
  --max-requests N        stop each evaluation after so many requests (default: what its file needs at most)
  --max-tokens N          stop each evaluation after so many tokens (default 1000000)
  --max-cost DOLLARS      stop each evaluation at this cost, where prices are known (default 1)
  --allow-approvals       run tools that require approval; otherwise their calls are refused
  --allow-extensions      give the folder's extensions the powers that they need; otherwise they get none
  --allow-packages        download the packages that the folder declares; otherwise they are missing
  --allow-origin ORIGIN   let tools send requests there, such as https://example.com; may be repeated
  --json FILE             write all results

The key is read from the environment variable CLOCHE_MODEL_KEY.
Exit codes: 0 if every threshold is reached, 1 if one is missed, 2 if trials ended with errors or did not run.`;

/** @typedef {import('../src/app/headless.ts').Headless} Headless */
/** @typedef {import('../src/app/headless.ts').Driver} Driver */
/** @template T @typedef {import('../src/app/headless.ts').Answer<T>} Answer */
/** @typedef {import('../src/runtime/spec/model.ts').ProviderKind} ProviderKind */
/**
 * @typedef {{model: string, passed: number, failed: number, errors: number, waiting: number, rate: number | null,
 *   interval: [number, number] | null, requests: number, tokens: number, cost: number | null}} ModelResult
 * @typedef {{name: string, file: string, state: string, reason: string, missed: string[], models: ModelResult[]}} Result
 */

const kinds = ['openai-compatible', 'openai-chat', 'openai-responses', 'anthropic', 'google'];

// Exit code 1 means that a threshold is missed. Node uses it for uncaught errors too, so they are caught here.
process.on('uncaughtException', fail);
try {
  process.exitCode = await main();
} catch (error) {
  fail(error);
}

/** @param {unknown} error */
function fail(error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}

async function main() {
  const asked = parsedArguments();
  if (asked === null) {
    console.log(help);
    return 0;
  }
  if (!(await stat(asked.folder).catch(() => undefined))?.isDirectory())
    throw new Error(`${asked.folder} is not a folder.`);
  // These modules are imported late, so that a missing package is reported as an error of this program.
  const { startChromium } = await import('./browser.mjs');
  const { distFolder } = await import('./dist.mjs');
  const { run } = await import('./run.mjs');
  const { serveFolder } = await import('./static-server.mjs');
  const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
  if (code !== 0) throw new Error('The app could not be built; see above.');
  const site = await serveFolder({ folder: distFolder });
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    await page.addInitScript(takeHeadless);
    await page.goto(site.url);
    const results = await runAll(page, asked);
    if (asked.json !== undefined)
      await writeFile(asked.json, `${JSON.stringify(results, null, 2)}\n`);
    return report(results);
  } finally {
    await browser.close();
    await site.close();
  }
}

/** @returns null if help is wanted @throws {Error} */
function parsedArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      model: { type: 'string' },
      'base-url': { type: 'string' },
      only: { type: 'string' },
      kind: { type: 'string', default: 'openai-compatible' },
      repeat: { type: 'string' },
      json: { type: 'string' },
      'max-requests': { type: 'string' },
      'max-tokens': { type: 'string' },
      'max-cost': { type: 'string' },
      'allow-approvals': { type: 'boolean', default: false },
      'allow-extensions': { type: 'boolean', default: false },
      'allow-packages': { type: 'boolean', default: false },
      'allow-origin': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const [folder, ...more] = positionals;
  const [, provider, model] = /^([^/]+)\/(.+)$/.exec(values.model ?? '') ?? [];
  const { kind, 'base-url': baseUrl, json, only = '' } = values;
  if (folder === undefined || more.length > 0) throw new Error(`Name one folder.\n\n${help}`);
  if (provider === undefined || model === undefined)
    throw new Error(`--model needs PROVIDER/MODEL.\n\n${help}`);
  if (baseUrl === undefined) throw new Error(`--base-url is missing.\n\n${help}`);
  if (!isKind(kind)) throw new Error(`--kind ${kind}: there are ${kinds.join(', ')}.`);
  const repeats = wholeNumber('--repeat', values.repeat, 100);
  const requests = wholeNumber('--max-requests', values['max-requests'], 1e9);
  const tokens = wholeNumber('--max-tokens', values['max-tokens'], 1e9);
  const cost = values['max-cost'] === undefined ? undefined : Number(values['max-cost']);
  if (cost !== undefined && !(cost > 0 && cost < Infinity))
    throw new Error(`--max-cost needs a number of US dollars, not ${values['max-cost']}.`);
  return {
    folder,
    json,
    only,
    repeats,
    model: { kind, provider, baseUrl, model, key: process.env.CLOCHE_MODEL_KEY ?? '' },
    limits: {
      ...(requests !== undefined && { requests }),
      ...(tokens !== undefined && { tokens }),
      ...(cost !== undefined && { cost }),
    },
    allowed: {
      approvals: values['allow-approvals'],
      extensions: values['allow-extensions'],
      packages: values['allow-packages'],
      origins: values['allow-origin'].map(originOf),
    },
  };
}

/** @param {string} text @returns {text is ProviderKind} */
function isKind(text) {
  return kinds.includes(text);
}

/**
 * @param {string} option
 * @param {string | undefined} text
 * @param {number} max
 */
function wholeNumber(option, text, max) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max)
    throw new Error(`${option} needs a whole number from 1 to ${max}, not ${text}.`);
  return value;
}

/** @param {string} text */
function originOf(text) {
  const { origin = 'null' } = URL.parse(text) ?? {};
  if (origin === 'null')
    throw new Error(`--allow-origin needs an origin such as https://example.com, not ${text}.`);
  return origin;
}

/** Runs in the page before its scripts, and in its frames, which get nothing. */
function takeHeadless() {
  if (window.top !== window) return;
  /** @type {Driver} */
  const clocheDriver = (clocheHeadless) => {
    Object.assign(window, { clocheHeadless });
  };
  Object.assign(window, { clocheDriver });
}

/**
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<import('@playwright/test').JSHandle<Headless>>}
 */
async function headlessOf(page) {
  const found = await page
    .waitForFunction(() => /** @type {{clocheHeadless?: Headless}} */ (window).clocheHeadless)
    .catch((/** @type {unknown} */ error) => {
      throw new Error('The app did not start in the browser.', { cause: error });
    });
  return /** @type {import('@playwright/test').JSHandle<Headless>} */ (found);
}

/**
 * @template T
 * @param {Answer<T>} answer
 */
function valueOf(answer) {
  if ('error' in answer) throw new Error(answer.error);
  return answer.value;
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {NonNullable<ReturnType<typeof parsedArguments>>} asked
 */
async function runAll(page, { folder, model, allowed, only, repeats, limits }) {
  const headless = await headlessOf(page);
  const name = `${model.provider}/${model.model}`;
  const { price } = valueOf(await headless.evaluate((to, one) => to.addModel(one), model));
  if (price === null && limits.cost !== undefined)
    console.error(`The price of ${name} is not known, so its cost is not limited.`);
  const input = await page.evaluateHandle(() =>
    Object.assign(document.createElement('input'), { type: 'file', webkitdirectory: true }),
  );
  await input.setInputFiles(resolve(folder));
  const problems = await headless.evaluate(
    (to, given) => to.openFolder([...(given.input.files ?? [])], given.allowed),
    { input, allowed },
  );
  for (const { file, line, message, hint } of valueOf(problems))
    console.error(`${file}${line === null ? '' : `:${line}`}: ${message} ${hint}`);
  const all = valueOf(await headless.evaluate((to) => to.evaluations()));
  const files = all.filter(({ path }) => path.includes(only));
  const faulty = files.flatMap((file) =>
    file.problems.map(({ line, message, hint }) => `${file.path}:${line}: ${message}. ${hint}`),
  );
  /** @type {Result[]} */
  const results = [];
  if (faulty.length === 0)
    for (const { path } of files) {
      const asked = { path, model: name, repeats, limits };
      const text = valueOf(await headless.evaluate((to, one) => to.evaluate(one), asked));
      /** @type {unknown} */
      const result = JSON.parse(text);
      results.push(/** @type {Result} */ (result));
    }
  const refused = await headless.evaluate((to) => to.refused());
  for (const what of refused) console.error(`Refused, since no user can be asked: ${what}`);
  if (refused.length > 0) console.error('The options --allow-… allow it; see --help.');
  if (files.length === 0)
    throw new Error(
      all.length === 0
        ? `${basename(resolve(folder))} has no evaluations in evals/.`
        : `No evaluation matches ${only}. There are: ${all.map(({ path }) => path).join(', ')}.`,
    );
  if (faulty.length > 0) throw new Error(faulty.join('\n'));
  return results;
}

/**
 * @param {readonly Result[]} results
 * @returns {number} the exit code
 */
function report(results) {
  let code = 0;
  for (const { name, file, state, reason, missed, models } of results) {
    console.log(`\n${name} (${file}): ${state}${reason === '' ? '' : `. ${reason}`}`);
    console.table(
      models.map(({ model, passed, failed, errors, rate, interval, requests, tokens, cost }) => ({
        model,
        'pass rate': rate === null ? '-' : percent(rate),
        '95 % interval': interval === null ? '-' : interval.map(percent).join(' to '),
        passed,
        failed,
        errors,
        requests,
        tokens,
        cost: cost === null ? 'unknown' : `$${cost.toFixed(4)}`,
      })),
    );
    for (const text of missed) console.log(`Below the threshold. ${text}`);
    if (state !== 'done' || models.some(({ errors }) => errors > 0)) code = 2;
    else if (missed.length > 0) code = Math.max(code, 1);
  }
  return code;
}

/** @param {number} share */
function percent(share) {
  return `${(share * 100).toFixed(0)} %`;
}
