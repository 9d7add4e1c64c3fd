/** What goes on beside the sessions of the soak: a model at work in another page, playgrounds in a third, and edits of a file. */

import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { projectFolder } from '../../scripts/dist.mjs';
import {
  addModel,
  modelName,
  press,
  providerName,
  runPlan,
  session,
  startModelEndpoint,
} from '../models.mjs';
import { openFolder, openOurs } from '../pages.mjs';

/** @typedef {import('@playwright/test').Page} Page */

/**
 * @typedef {object} Work
 * @property {string} name of a round, such as `plan`
 * @property {(n: number) => Promise<void>} round throws if something is not as it must be
 * @property {() => Promise<void>} end throws if a call has not ended once
 */

/** How long a step of a round may take on a busy machine; milliseconds. */
export const patience = 120_000;

/**
 * A model that calls tools directly and from a program, is stopped in an endless loop, and works through a plan. What it has
 * done is deleted, so that storage can level off.
 * @param {Page} page
 * @param {{url: string, folder: string}} place
 * @returns {Promise<Work>}
 */
export async function startModelWork(page, { url, folder }) {
  const endpoint = await startModelEndpoint();
  await openOurs(page, url);
  await openFolder(page, folder);
  await addModel(page, endpoint);
  await page.evaluate(() => {
    const endings = /** @type {Record<string, number>} */ ({});
    Object.assign(globalThis, { endings });
    globalThis.cloche.calls.observe((event) => {
      if (event.type === 'call-ended') endings[event.call.id] = (endings[event.call.id] ?? 0) + 1;
    });
  });
  return {
    name: 'model',
    round: async (n) => {
      endpoint.reset();
      await (n % 3 === 2 ? plan(page, endpoint) : turn(page, endpoint, n));
    },
    end: async () => {
      await endpoint.close();
      const wrong = await page.evaluate(() => {
        const { endings } = /** @type {{endings: Record<string, number>}} */ (
          /** @type {unknown} */ (globalThis)
        );
        return Object.entries(endings).filter(([, times]) => times !== 1);
      });
      if (wrong.length > 0) throw new Error(`calls ended not once: ${JSON.stringify(wrong)}`);
    },
  };
}

/** @param {Page} page @param {import('../models.mjs').ModelEndpoint} endpoint @param {number} n */
async function turn(page, endpoint, n) {
  const code = `a, b = await asyncio.gather(soak.add(a=${n}, b=1), soak.add(a=${n}, b=2))\nint(a) + int(b)`;
  await session.newSession(page, providerName, new RegExp(modelName));
  endpoint.answer(
    { calls: [{ name: 'soak__add', arguments: JSON.stringify({ a: n, b: 3 }) }] },
    { calls: [{ name: 'run_python', arguments: JSON.stringify({ code }) }] },
    { text: `Round ${n} is over.` },
  );
  await session.send(page, 'Add them up.');
  await page.getByText(`Round ${n} is over.`).waitFor({ timeout: patience });
  await session.idle(page);
  const answers = session.asked(endpoint).at(-1)?.text ?? '';
  for (const expected of [n + 3, 2 * n + 3])
    if (!answers.includes(String(expected)))
      throw new Error(`The model did not get ${String(expected)} in round ${n}.`);
  endpoint.answer({ calls: [{ name: 'soak__spin', arguments: '{}' }] });
  await session.send(page, 'Spin.');
  await session.cards(page, 'spin').getByText('Running').first().waitFor({ timeout: patience });
  await page.getByRole('button', { name: 'Stop', exact: true }).first().click();
  await session.idle(page);
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
}

/** @param {Page} page @param {import('../models.mjs').ModelEndpoint} endpoint */
async function plan(page, endpoint) {
  endpoint.habits.otherwise = () => ({
    text: '',
    calls: [{ name: 'finish', arguments: '{"result":"done"}' }],
  });
  const tasks = ['one', 'two', 'three'].map((id) => ({
    id,
    instructions: 'Do it.',
    output: { type: 'string' },
  }));
  await page.goto('./#/plans/new');
  await page
    .getByRole('textbox', { name: 'Plan', exact: true })
    .fill(JSON.stringify({ goal: 'Soak', parallel: 2, tasks }));
  await runPlan(page);
  await page.waitForURL(/plans\/[\w-]{20,}/, { timeout: patience });
  const status = page.getByRole('status').filter({ hasText: 'Done, 3 of 3' });
  await status.first().waitFor({ timeout: patience });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
  await page.waitForURL((url) => !/plans\/[\w-]{20,}/.test(url.href), { timeout: patience });
  endpoint.habits.otherwise = null;
}

/**
 * A page of another site with two playgrounds, which run in turns and lend Python to each other; now and then it is loaded again.
 * @param {Page} page
 * @param {string} app the address of the app
 * @returns {Promise<Work>}
 */
export async function startPlaygroundWork(page, app) {
  const source = await readFile(`${projectFolder}/tests/support/counting.py`, 'utf8');
  const text = source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const tag = `<cloche-playground tool="count" arguments='{"to": 3}'><pre><code>${text}</code></pre></cloche-playground>`;
  const docs = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><title>Docs</title><link rel="icon" href="data:," /><script async src="${app}cloche-playground.js"></script><body>${tag}${tag}`,
    );
  });
  await new Promise((resolve) => void docs.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = docs.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const url = `http://127.0.0.1:${address.port}/`;
  return {
    name: 'playground',
    round: async (n) => {
      if (n % 10 === 0) await page.goto(url);
      const frame = page
        .locator('cloche-playground iframe')
        .nth(n % 2)
        .contentFrame();
      await frame.getByRole('button', { name: 'Run' }).press('Enter', { timeout: patience });
      await frame
        .getByRole('region', { name: 'Result' })
        .getByText('Success')
        .waitFor({ timeout: patience });
    },
    end: () => new Promise((resolve) => void docs.close(() => resolve())),
  };
}

/**
 * Saves a file of the open folder, and waits until its tool answers with the new text.
 * @param {Page} page
 * @param {string} folder
 * @returns {Work}
 */
export function startEdits(page, folder) {
  return {
    name: 'edit',
    round: async (n) => {
      await writeFile(`${folder}/edited.py`, editedFile(n));
      await page.waitForFunction(
        async (expected) => {
          const result = await globalThis.cloche.calls.call(new AbortController().signal, {
            id: crypto.randomUUID(),
            tool: 'edited:value',
            arguments: '{}',
            caller: 'page',
            sessionId: '',
            sessionKey: '',
            turnId: '',
            agentId: '',
            validate: true,
          });
          return result.textResultForLlm === expected;
        },
        String(n),
        { timeout: patience, polling: 500 },
      );
    },
    end: () => Promise.resolve(),
  };
}

/** @param {number} n */
export function editedFile(n) {
  return `TOOL_SPECS = [{"name": "edited:value", "description": "Gives ${n}.", "parameters": {"type": "object"}, "handler": lambda: ${n}}]\n`;
}
