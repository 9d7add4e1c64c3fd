/**
 * A session of 5,000 messages, imported from its file: opened, scrolled through, and streamed into by a model of the
 * local endpoint; the longest time that the page's main thread is kept.
 */

import { writeFile } from 'node:fs/promises';
import { longestBlock } from '../longest-block.mjs';
import { quantile } from '../measure.mjs';
import { addModel, modelName, providerName, session, startModelEndpoint } from '../models.mjs';
import { openOurs } from '../pages.mjs';
import { answerText, sessionFile } from '../session-file.mjs';

/** @typedef {import('@playwright/test').Page} Page */

const messages = 5_000;
const rounds = 7;
/** About 4,000 characters, in 600 pieces. */
const streamed = [2, 3, 4, 8, 9].map(answerText).join('\n\n');

/** @param {import('../row.mjs').Bench} bench */
export default async function transcript({ newPage, sites }) {
  const endpoint = await startModelEndpoint();
  try {
    const page = await newPage();
    await openOurs(page, sites.ours);
    await addModel(page, endpoint);
    await takeIn(page, `${sites.temporary}/session.json`);
    /** @type {{opened: number[], scrolled: number[], streamed: number[]}} */
    const blocks = { opened: [], scrolled: [], streamed: [] };
    for (let round = 0; round < rounds; round += 1) {
      // What shows it no more has let go of it: it is read from storage again.
      await page.goto('./#/settings');
      await page.goto('./#/sessions/new');
      blocks.opened.push(await longestBlock(page, () => open(page)));
      blocks.scrolled.push(await longestBlock(page, () => scroll(page)));
      blocks.streamed.push(await longestBlock(page, () => stream(page, endpoint, round)));
    }
    const row = { unit: 'ms', floor: 50, target: 1 };
    const all = [blocks.opened, blocks.scrolled, blocks.streamed];
    const longest = blocks.opened.map((_, round) =>
      Math.max(...all.map((times) => times[round] ?? NaN)),
    );
    return [
      { name: 'transcript', ours: quantile(longest), ...row },
      { name: 'transcript-opened', ours: quantile(blocks.opened), ...row },
      { name: 'transcript-scrolled', ours: quantile(blocks.scrolled), ...row },
      { name: 'transcript-streamed', ours: quantile(blocks.streamed), ...row },
    ];
  } finally {
    await endpoint.close();
  }
}

/**
 * By the app's own import.
 * @param {Page} page
 * @param {string} file
 */
async function takeIn(page, file) {
  await writeFile(file, sessionFile(messages, { provider: providerName, model: modelName }));
  await page.goto('./#/sessions/new');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  await (await chooser).setFiles(file);
  await lastAnswer(page).waitFor({ timeout: 60_000 });
}

/** @param {Page} page */
async function open(page) {
  await page.getByRole('link', { name: 'A long session' }).click();
  await lastAnswer(page).waitFor();
  await page.waitForTimeout(200);
}

/** @param {Page} page */
async function scroll(page) {
  await page.getByRole('group', { name: 'Transcript' }).hover();
  for (const [turns, by] of /** @type {const} */ ([
    [20, -4_000],
    [10, 1_000],
  ]))
    for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, by);
  for (const key of ['Home', 'PageDown', 'PageDown']) {
    await page.getByRole('group', { name: 'Transcript' }).press(key);
    await page.waitForTimeout(300);
  }
  await page.getByRole('button', { name: 'To the end' }).click();
  await lastAnswer(page).waitFor();
}

/**
 * @param {Page} page
 * @param {import('../models.mjs').ModelEndpoint} endpoint
 * @param {number} round
 */
async function stream(page, endpoint, round) {
  const ending = `End of stream ${round}.`;
  endpoint.reset();
  endpoint.answer({ text: `${streamed}\n\n${ending}`, paceMs: 5 });
  await session.send(page, `Question of round ${round}: and then?`);
  await page.getByText(ending).waitFor({ timeout: 60_000 });
  await session.idle(page);
  const [request] = session.asked(endpoint);
  const { messages: sent } = /** @type {{messages: unknown[]}} */ (request?.body);
  if (sent.length < messages) throw new Error(`The model was sent ${sent.length} messages.`);
}

/** @param {Page} page */
function lastAnswer(page) {
  return page.getByText(/^(Answer 2499|End of stream \d)\.$/).last();
}
