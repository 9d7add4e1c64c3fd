/**
 * One task of a plan: from its first question to that of the next task, against a bare loop on the same library in a
 * page of its own, which makes the same requests. A task has ten answers: nine that hand over a result which is refused,
 * and one whose result is accepted. None needs Python, because the start of an interpreter would take longer than everything
 * else. Another page of the app is in view.
 */

import { echoFiles, writeFolder } from '../folders.mjs';
import { medians, quantile } from '../measure.mjs';
import { addModel, modelName, session, startModelEndpoint } from '../models.mjs';
import { openFolder, openOurs } from '../pages.mjs';
import { openLoop } from './turn.mjs';

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('../models.mjs').ModelEndpoint} ModelEndpoint */

const tasks = 12;
const steps = 10;
const pairs = 5;
/** 40 pieces, as it streams. */
const words = 'I look for it among all further tools. '.repeat(7);

/** @param {import('../row.mjs').Bench} bench */
export default async function task({ newPage, sites }) {
  const endpoint = await startModelEndpoint();
  const loop = await openLoop(`${sites.temporary}/plain-loop-tasks`);
  try {
    /** @type {number[]} when each question came; milliseconds */
    const arrivals = [];
    endpoint.habits.otherwise = () => {
      arrivals.push(performance.now());
      const isLast = arrivals.length % steps === 0;
      const call = { name: 'finish', arguments: isLast ? '{"result":"done"}' : '{"result":5}' };
      return { text: words, calls: [call] };
    };
    const ours = await newPage();
    const plain = await newPage();
    await openOurs(ours, sites.ours);
    await openFolder(ours, await writeFolder(`${sites.temporary}/task`, echoFiles()));
    await addModel(ours, endpoint);
    await plain.goto(loop.url);
    await ours.bringToFront();
    // The first loads the code of plans.
    await runOurs(ours, endpoint, arrivals);
    /** @type {{ours: number[], plain: number[]}} */
    const times = { ours: [], plain: [] };
    for (let pair = 0; pair < pairs; pair += 1) {
      times.ours.push(await runOurs(ours, endpoint, arrivals));
      const asked = session.asked(endpoint).map(({ text }) => text);
      times.plain.push(await runPlain(plain, endpoint, arrivals, asked));
    }
    return [{ name: 'task', unit: 'ms', ...medians(times.ours, times.plain), target: 1.5 }];
  } finally {
    await Promise.all([endpoint.close(), loop.close()]);
  }
}

/**
 * @param {Page} page
 * @param {ModelEndpoint} endpoint
 * @param {number[]} arrivals
 */
async function runOurs(page, endpoint, arrivals) {
  endpoint.reset();
  arrivals.length = 0;
  const list = Array.from({ length: tasks }, (_, n) => ({
    id: `t${n}`,
    instructions: 'Do it.',
    output: { type: 'string' },
  }));
  const plan = JSON.stringify({ goal: 'Measure', parallel: 1, tasks: list });
  await page.goto('./#/plans/new');
  await page.getByRole('textbox', { name: 'Plan', exact: true }).fill(plan);
  await page.getByRole('button', { name: 'Run plan' }).click();
  await page.waitForURL(/plans\/[\w-]{20,}/);
  await page.goto('./#/tools');
  // The driver does not query the page meanwhile, because that would be measured too.
  while (arrivals.length < tasks * steps) await new Promise((wake) => setTimeout(wake, 50));
  await page.waitForTimeout(500);
  return between(arrivals);
}

/**
 * @param {Page} page
 * @param {ModelEndpoint} endpoint
 * @param {number[]} arrivals
 * @param {readonly string[]} asked our page's requests
 */
async function runPlain(page, endpoint, arrivals, asked) {
  const [first, second] = asked.map(said);
  if (first === undefined || second === undefined) throw new Error('The model was not asked.');
  const [system, message] = first.messages.map(({ content }) => content);
  endpoint.reset();
  arrivals.length = 0;
  const given = {
    baseURL: `${endpoint.url}/v1`,
    model: modelName,
    system,
    message,
    answer: second.messages[3]?.content ?? '',
    max: steps,
    tools: first.tools.map(({ function: { name, description, parameters } }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
  };
  await page.evaluate(async ([one, count]) => {
    for (let n = 0; n < count; n += 1) await globalThis.plainLoop.run(one);
  }, /** @type {const} */ ([given, tasks]));
  return between(arrivals);
}

/** The time of one task; milliseconds. @param {readonly number[]} arrivals */
function between(arrivals) {
  if (arrivals.length !== tasks * steps)
    throw new Error(`The model was asked ${arrivals.length} times.`);
  const firsts = arrivals.filter((_, index) => index % steps === 0);
  return quantile(firsts.slice(1).map((at, index) => at - (firsts[index] ?? NaN)));
}

/**
 * @typedef {object} Said
 * @property {{role: string, content: string}[]} messages
 * @property {{function: {name: string, description: string, parameters: object}}[]} tools
 */

/**
 * @param {string} text
 * @returns {Said}
 */
function said(text) {
  /** @type {unknown} */
  const body = JSON.parse(text);
  return /** @type {Said} */ (body);
}
