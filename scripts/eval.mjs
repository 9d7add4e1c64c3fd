#!/usr/bin/env node
/**
 * Runs the evaluations of a tools folder in a browser without a window, as the page does, and prints pass rates.
 * `node scripts/eval.mjs FOLDER --model provider/id --base-url ADDRESS`; `--help` prints all options.
 *
 * Exit codes: 0 if all thresholds are reached, 1 if one is missed, 2 if trials ended with errors or did not run.
 */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from './browser.mjs';
import { distFolder } from './dist.mjs';
import { run } from './run.mjs';
import { serveFolder } from './static-server.mjs';

const help = `node scripts/eval.mjs FOLDER --model PROVIDER/MODEL --base-url ADDRESS [options]

  --model PROVIDER/MODEL  the model; PROVIDER is a name that you choose
  --base-url ADDRESS      of the provider, such as http://localhost:11434/v1; it must allow pages (CORS)
  --kind KIND             openai-compatible (default), openai-chat, openai-responses, anthropic or google
  --only TEXT             only evaluations whose path contains this text
  --repeat N              trials of each prompt, instead of the file's number
  --max-requests N        stop each evaluation after so many requests (default: what its file needs at most)
  --max-tokens N          stop each evaluation after so many tokens (default 1000000)
  --max-cost DOLLARS      stop each evaluation at this cost, where prices are known (default 1)
  --allow-approvals       run tools that require approval; otherwise their calls are refused
  --json FILE             write all results

The key is read from the environment variable CLOCHE_MODEL_KEY.`;

/**
 * @typedef {{model: string, passed: number, failed: number, errors: number, waiting: number, rate: number | null,
 *   interval: [number, number] | null, requests: number, tokens: number, cost: number | null}} ModelResult
 * @typedef {{name: string, file: string, state: string, reason: string, missed: string[], models: ModelResult[]}} Result
 */

const longest = 24 * 3_600_000;

main().then(
  (code) => {
    process.exitCode = code;
  },
  (/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  },
);

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ model: { type: 'string' }, 'base-url': { type: 'string' }, only: { type: 'string' } },
      kind: { type: 'string', default: 'openai-compatible' },
      ...{ repeat: { type: 'string' }, json: { type: 'string' } },
      ...{ 'max-requests': { type: 'string' }, 'max-tokens': { type: 'string' } },
      ...{ 'max-cost': { type: 'string' }, 'allow-approvals': { type: 'boolean', default: false } },
      help: { type: 'boolean', default: false },
    },
  });
  const [folder] = positionals;
  const { model = '', 'base-url': baseUrl = '' } = values;
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (folder === undefined || !/^[^/]+\/.+$/.test(model) || baseUrl === '') throw new Error(help);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new Error(`${folder} is no folder.`);
  const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
  if (code !== 0) throw new Error('The app could not be built; see above.');
  const site = await serveFolder({ folder: distFolder });
  const browser = await chromium.launch(launchOptions(await ensureBrowser()));
  try {
    const page = await browser.newPage({ acceptDownloads: true });
    page.setDefaultTimeout(60_000);
    await page.goto(site.url);
    await addProvider(page, site.url, model, baseUrl, values.kind);
    await openFolder(page, site.url, folder);
    const results = await runAll(page, site.url, model, values);
    if (values.json !== undefined)
      await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
    return report(results);
  } finally {
    await browser.close();
    await site.close();
  }
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @param {string} model `provider/model`
 * @param {string} baseUrl
 * @param {string} kind
 */
async function addProvider(page, url, model, baseUrl, kind) {
  await page.goto(`${url}#/settings/models`);
  const name = model.slice(0, model.indexOf('/'));
  await page.getByRole('button', { name: 'Other endpoint' }).click();
  await page.getByRole('combobox', { name: 'API' }).selectOption(kind);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Base URL' }).fill(baseUrl);
  await page.getByLabel('API key').fill(process.env.CLOCHE_MODEL_KEY ?? '');
  await page.getByRole('button', { name: 'Add provider' }).click();
  await page
    .getByRole('group', { name })
    .getByText(/[1-9]\d* models? found/)
    .waitFor()
    .catch(() => {
      throw new Error(
        `${baseUrl} lists no models: is it running, does it allow pages, is the key right?`,
      );
    });
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @param {string} folder
 */
async function openFolder(page, url, folder) {
  await page.goto(`${url}#/`);
  // A browser without a window cannot pick folders, but takes uploads.
  await page.locator('input[type=file][webkitdirectory]').setInputFiles(resolve(folder));
  await page.getByRole('button', { name: `Folder ${basename(resolve(folder))}` }).waitFor();
  await page.goto(`${url}#/evals`);
  await page
    .getByRole('list', { name: 'Evaluations' })
    .waitFor({ timeout: 300_000 })
    .catch(() => {
      throw new Error(`${folder} has no evaluations in evals/, or could not be opened.`);
    });
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @param {string} model
 * @param {Record<string, string | boolean | undefined>} values
 */
async function runAll(page, url, model, values) {
  const rows = page.getByRole('list', { name: 'Evaluations' }).getByRole('listitem');
  const count = await rows.count();
  /** @type {Result[]} */
  const results = [];
  for (let n = 0; n < count; n += 1) {
    const row = rows.nth(n);
    const path = (await row.getByRole('link').first().textContent()) ?? '';
    if (typeof values.only === 'string' && !path.includes(values.only)) continue;
    const start = row.getByRole('button', { name: /^Run / });
    if ((await start.count()) === 0) throw new Error(`${path}: ${await row.innerText()}`);
    await start.click();
    const dialog = page.getByRole('dialog', { name: 'Run this evaluation' });
    for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck();
    await dialog.getByRole('checkbox', { name: model, exact: true }).check();
    const fields = /** @type {const} */ ([
      ['Trials of each prompt', values.repeat],
      ['Most requests', values['max-requests']],
      ['Most tokens', values['max-tokens']],
      ['Most US dollars', values['max-cost']],
    ]);
    for (const [label, value] of fields)
      if (typeof value === 'string') await dialog.getByLabel(label).fill(value);
    await dialog
      .getByLabel('Tools that require approval')
      .selectOption(values['allow-approvals'] === true ? 'allow' : 'refuse');
    await dialog.getByRole('button', { name: /^Run \d/ }).click();
    await page
      .getByRole('status')
      .getByText(/^(Done|Stopped|Interrupted), /)
      .or(page.locator('main').getByRole('alert'))
      .first()
      .waitFor({ timeout: longest });
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as JSON' }).click();
    const text = await readFile(await (await saving).path(), 'utf8');
    /** @type {unknown} */
    const result = JSON.parse(text);
    results.push(/** @type {Result} */ (result));
    await page.goto(`${url}#/evals`);
    await rows.first().waitFor();
  }
  if (results.length === 0) throw new Error('No evaluation matches.');
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
        ...{ passed, failed, errors, requests, tokens },
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
