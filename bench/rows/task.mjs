/**
 * One task of a plan: from its first question to that of the next task, against ten turns of a session with the same answers. A
 * task has ten answers: nine that hand over a result which is refused, and one whose result is accepted. None needs Python,
 * because the start of an interpreter would take longer than everything else. Another page of the app is in view.
 */

import { echoFiles, writeFolder } from '../folders.mjs';
import { medians, quantile } from '../measure.mjs';
import {
  addModel,
  modelName,
  providerName,
  runPlan,
  session,
  startModelEndpoint,
} from '../models.mjs';
import { openFolder, openOurs } from '../pages.mjs';

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('../models.mjs').ModelEndpoint} ModelEndpoint */

const tasks = 12;
const steps = 10;
const pairs = 5;
/** Sessions of a pair. */
const sessions = 5;
/** 40 pieces, as it streams. */
const words = 'I look for it among all further tools. '.repeat(7);

/** @param {import('../row.mjs').Bench} bench */
export default async function task({ newPage, sites }) {
  const endpoint = await startModelEndpoint();
  try {
    /** @type {number[]} when each question came; milliseconds */
    const arrivals = [];
    let ends = true;
    endpoint.habits.otherwise = () => {
      arrivals.push(performance.now());
      if (!ends && arrivals.length > steps) return { text: 'Done.' };
      const isLast = ends && arrivals.length % steps === 0;
      const call = { name: 'finish', arguments: isLast ? '{"result":"done"}' : '{"result":5}' };
      return { text: words, calls: [call] };
    };
    const ours = await newPage();
    await openOurs(ours, sites.ours);
    await openFolder(ours, await writeFolder(`${sites.temporary}/task`, echoFiles()));
    await addModel(ours, endpoint);
    await ours.bringToFront();
    // The first loads the code of plans.
    await runOurs(ours, endpoint, arrivals);
    /** @type {{ours: number[], session: number[]}} */
    const times = { ours: [], session: [] };
    for (let pair = 0; pair < pairs; pair += 1) {
      ends = true;
      times.ours.push(await runOurs(ours, endpoint, arrivals));
      ends = false;
      times.session.push(await runSession(ours, endpoint, arrivals));
    }
    return [{ name: 'task', unit: 'ms', ...medians(times.ours, times.session), target: 1.25 }];
  } finally {
    await endpoint.close();
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
  await runPlan(page);
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
 */
async function runSession(page, endpoint, arrivals) {
  /** @type {number[]} */
  const times = [];
  for (let run = 0; run < sessions; run += 1) {
    await session.newSession(page, providerName, new RegExp(modelName));
    endpoint.reset();
    arrivals.length = 0;
    await session.send(page, 'Do it.');
    await page.goto('./#/tools');
    while (arrivals.length <= steps) await new Promise((wake) => setTimeout(wake, 50));
    await page.waitForTimeout(500);
    times.push((arrivals[steps] ?? NaN) - (arrivals[0] ?? NaN));
  }
  return quantile(times);
}

/** The time of one task; milliseconds. @param {readonly number[]} arrivals */
function between(arrivals) {
  if (arrivals.length !== tasks * steps)
    throw new Error(`The model was asked ${arrivals.length} times.`);
  const firsts = arrivals.filter((_, index) => index % steps === 0);
  return quantile(firsts.slice(1).map((at, index) => at - (firsts[index] ?? NaN)));
}
