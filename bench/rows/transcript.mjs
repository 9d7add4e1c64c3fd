/**
 * A session of 5,000 messages, imported from its file: opened, scrolled through, and streamed into by a model of the
 * local endpoint; the longest time that the page's main thread is kept.
 */

import { writeFile } from 'node:fs/promises';
import { longestBlock } from '../longest-block.mjs';
import { medians } from '../measure.mjs';
import { addModel, modelName, providerName, session, startModelEndpoint } from '../models.mjs';
import { openOurs } from '../pages.mjs';
import { answerText, sessionFile, title } from '../session-file.mjs';

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('../models.mjs').ModelEndpoint} ModelEndpoint */

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
      // No component holds it any more, so it is read from storage again.
      await page.goto('./#/settings/models');
      await page.goto('./#/sessions/new');
      blocks.opened.push(await longestBlock(page, () => open(page)));
      blocks.scrolled.push(await longestBlock(page, () => scroll(page)));
      blocks.streamed.push(await longestBlock(page, () => stream(page, endpoint, round)));
    }
    const row = { unit: 'ms', target: 0.6 };
    const all = [blocks.opened, blocks.scrolled, blocks.streamed];
    const longest = blocks.opened.map((_, round) =>
      Math.max(...all.map((times) => times[round] ?? NaN)),
    );
    return [
      { name: 'transcript', ...row, ...medians(longest, 50) },
      { name: 'transcript-opened', ...row, ...medians(blocks.opened, 50) },
      { name: 'transcript-scrolled', ...row, ...medians(blocks.scrolled, 50) },
      { name: 'transcript-streamed', ...row, ...medians(blocks.streamed, 50) },
    ];
  } finally {
    await endpoint.close();
  }
}

/**
 * With the app's own import.
 * @param {Page} page
 * @param {string} file
 */
async function takeIn(page, file) {
  await writeFile(file, sessionFile(messages, { provider: providerName, model: modelName }));
  await page.goto('./#/sessions/new');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  await (await chooser).setFiles(file);
  const preview = page.getByRole('dialog', { name: 'Open this session?' });
  await preview.getByRole('button', { name: 'Open' }).click();
  await ended(page);
}

/** @param {Page} page */
async function open(page) {
  await page.locator('a[href*="/sessions/"]', { hasText: title }).click();
  await ended(page);
}

/** @param {Page} page */
async function scroll(page) {
  const view = page.locator('[aria-label="Transcript"]');
  await view.hover();
  for (const [turns, by] of /** @type {const} */ ([
    [20, -4_000],
    [10, 1_000],
  ]))
    for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, by);
  for (const key of ['Home', 'PageDown', 'PageDown']) {
    await view.press(key);
    await page.waitForTimeout(300);
  }
  await page.getByRole('button', { name: /^(Scroll to end|New messages)$/ }).click();
  await ended(page);
}

/**
 * @param {Page} page
 * @param {ModelEndpoint} endpoint
 * @param {number} round
 */
async function stream(page, endpoint, round) {
  endpoint.reset();
  endpoint.answer({ text: `${streamed}\n\nEnd of stream ${round}.`, paceMs: 5 });
  await page.locator('textarea').fill(`Question of round ${round}: and then?`);
  await page.keyboard.press('Enter');
  await ended(page, `End of stream ${round}.`);
  const [request] = session.asked(endpoint);
  if (request === undefined) throw new Error('The model was not asked.');
  const { messages: sent } = /** @type {{messages: unknown[]}} */ (request.body);
  if (sent.length < messages) throw new Error(`The model was sent ${sent.length} messages.`);
}

/**
 * The end of the transcript is drawn. Asked for inside the page, and seldom: the driver's own search for a text, or a
 * role, takes more of the main thread than what is measured.
 * @param {Page} page
 * @param {string} [words] with which it ends
 */
async function ended(page, words = '') {
  await page.evaluate(async (wanted) => {
    const isEnd = (/** @type {Element} */ { textContent }) =>
      wanted === ''
        ? /^(Answer 2499|End of stream \d+)\.$/.test(textContent)
        : textContent === wanted;
    const paragraphs = () => [...document.querySelectorAll('[aria-label="Transcript"] article p')];
    while (!paragraphs().some(isEnd)) await new Promise((wake) => setTimeout(wake, 50));
  }, words);
  await page.waitForTimeout(200);
}
