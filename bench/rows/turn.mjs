/**
 * One turn of a model with 50 tools selected: from one question to the next, as the endpoint sees them, against a bare
 * loop on the same library in a page of its own. Both run in the browser, are answered at once by the same words and a
 * call that needs no Python, and send the very same requests. Ours is the built app: its loop, its log in storage, its
 * network worker; `turn` with another place of the page in view, `turn-shown` with the transcript, which is drawn as
 * it grows, and which the bare loop has none of.
 */

import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { serveFolder } from '../../scripts/static-server.mjs';
import { manyFiles, writeFolder } from '../folders.mjs';
import { medians, quantile } from '../measure.mjs';
import { addModel, modelName, providerName, session, startModelEndpoint } from '../models.mjs';
import { openFolder, openOurs } from '../pages.mjs';

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('../models.mjs').ModelEndpoint} ModelEndpoint */

/** Questions after the first of a message. */
const turns = 60;
const pairs = 9;
/** 40 pieces, as it streams. */
const words = 'I look for it among all further tools. '.repeat(7);
const call = { name: 'tool_search', arguments: '{"query":"weather"}' };
/** How long the last answer takes to be stored and shown; milliseconds. */
const settleMs = 500;

/** @param {import('../row.mjs').Bench} bench */
export default async function turn({ newPage, sites }) {
  const endpoint = await startModelEndpoint();
  const loop = await openLoop(`${sites.temporary}/plain-loop`);
  try {
    const arrivals = answerAtOnce(endpoint);
    const ours = await newPage();
    const plain = await newPage();
    await openOurs(ours, sites.ours);
    await openFolder(ours, await writeFolder(`${sites.temporary}/turn`, manyFiles(10, 5)));
    await addModel(ours, endpoint);
    await plain.goto(loop.url);
    await ours.bringToFront();
    await runOurs(ours, endpoint, arrivals, { inView: true });
    const asked = texts(endpoint);
    await runPlain(plain, endpoint, arrivals, asked);
    sayTheSame(asked, texts(endpoint));
    /** @type {{shown: number[], hidden: number[], plain: number[]}} */
    const times = { shown: [], hidden: [], plain: [] };
    for (let pair = 0; pair < pairs; pair += 1) {
      times.shown.push(await runOurs(ours, endpoint, arrivals, { inView: true }));
      times.hidden.push(await runOurs(ours, endpoint, arrivals, { inView: false }));
      times.plain.push(await runPlain(plain, endpoint, arrivals, asked));
    }
    return [
      { name: 'turn', unit: 'ms', ...medians(times.hidden, times.plain), target: 1.5 },
      { name: 'turn-shown', unit: 'ms', ...medians(times.shown, times.plain), target: 2 },
    ];
  } finally {
    await Promise.all([endpoint.close(), loop.close()]);
  }
}

/** @param {string} folder where it is built */
async function openLoop(folder) {
  const root = fileURLToPath(new URL('../plain-loop', import.meta.url));
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
  return serveFolder({ folder });
}

/**
 * @param {ModelEndpoint} endpoint
 * @returns {number[]} when each question came; milliseconds
 */
function answerAtOnce(endpoint) {
  /** @type {number[]} */
  const arrivals = [];
  endpoint.habits.otherwise = () => {
    arrivals.push(performance.now());
    return arrivals.length > turns ? { text: 'Done.' } : { text: words, calls: [call] };
  };
  return arrivals;
}

/**
 * @param {Page} page
 * @param {ModelEndpoint} endpoint
 * @param {number[]} arrivals
 * @param {{inView: boolean}} session whether the page shows the session
 */
async function runOurs(page, endpoint, arrivals, { inView }) {
  await session.newSession(page, providerName, new RegExp(modelName));
  endpoint.reset();
  arrivals.length = 0;
  await session.send(page, 'How is the weather?');
  if (!inView) await page.goto('./#/tools');
  // The driver does not query the page meanwhile, because that would be measured too.
  while (arrivals.length <= turns) await new Promise((wake) => setTimeout(wake, 50));
  await page.waitForTimeout(settleMs);
  return between(arrivals);
}

/**
 * @param {Page} page
 * @param {ModelEndpoint} endpoint
 * @param {number[]} arrivals
 * @param {readonly string[]} asked our page's requests
 */
async function runPlain(page, endpoint, arrivals, asked) {
  const { system, message, tools } = saidFirst(asked);
  const answer = said(asked[1]).messages[3]?.content ?? '';
  endpoint.reset();
  arrivals.length = 0;
  await page.evaluate((/** @type {object} */ given) => globalThis.plainLoop.run(given), {
    baseURL: `${endpoint.url}/v1`,
    model: modelName,
    system,
    message,
    tools,
    answer,
  });
  return between(arrivals);
}

/** @param {readonly number[]} arrivals */
function between(arrivals) {
  if (arrivals.length !== turns + 1)
    throw new Error(`The model was asked ${arrivals.length} times.`);
  return quantile(arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? NaN)));
}

/** @param {readonly string[]} asked */
function saidFirst(asked) {
  const { messages, tools } = said(asked[0]);
  const [system, message] = messages.map(({ content }) => content);
  // The tool of programs is offered, too.
  if (tools.length !== 51) throw new Error(`The model was told of ${tools.length} tools.`);
  return {
    system: system ?? '',
    message: message ?? '',
    tools: tools.map(({ function: { name, description, parameters } }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
  };
}

/**
 * @typedef {object} Said
 * @property {{role: string, content: string}[]} messages
 * @property {{function: {name: string, description: string, parameters: object}}[]} tools
 */

/**
 * @param {string | undefined} text
 * @returns {Said}
 */
function said(text = '') {
  /** @type {unknown} */
  const body = JSON.parse(text);
  return /** @type {Said} */ (body);
}

/** @param {ModelEndpoint} endpoint */
function texts(endpoint) {
  return session.asked(endpoint).map(({ text }) => text.replaceAll(/call_[0-9a-f]{20}/g, 'call'));
}

/**
 * @param {readonly string[]} ours
 * @param {readonly string[]} plain
 */
function sayTheSame(ours, plain) {
  const differs = ours.findIndex((text, index) => text !== plain[index]);
  if (differs !== -1 || ours.length !== plain.length)
    throw new Error(
      `Request ${differs} of the plain loop is another one:\n${String(ours[differs]).slice(-2000)}\n${String(plain[differs]).slice(-2000)}`,
    );
}
