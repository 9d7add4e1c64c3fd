/** Stops an endless loop and calls the next tool at once, on our page and on the plain one. */

import { echoFiles, echoTool, spinFiles, spinTool, writeFolder } from './folders.mjs';
import { allStored, openFolder, openOurs, openPlain, spareReady } from './pages.mjs';

const files = [...echoFiles(), ...spinFiles()];
/** How long the loop has run when it is stopped; milliseconds. */
const spunMs = 100;

/**
 * Both pages, with the same files; ours has been open for long enough to have its snapshot.
 * @param {import('./row.mjs').Bench} bench
 * @param {number} count stops in a row on our page
 * @returns {Promise<{ours: () => Promise<number>, floor: () => Promise<number>}>} milliseconds from a stop to the result
 * of the next call: the mean
 */
export async function stopping({ newPage, sites }, count) {
  const ours = await newPage();
  const plain = await newPage();
  await openPlain(plain, sites.plain, files);
  await openOurs(ours, sites.ours);
  await openFolder(ours, await writeFolder(`${sites.temporary}/stopping`, files));
  await allStored(ours);
  return {
    ours: async () => {
      await calm(ours);
      return mean(await stopOurs(ours, count));
    },
    floor: () => stopPlain(plain, files),
  };
}

/** @param {import('@playwright/test').Page} page */
async function calm(page) {
  await spareReady(page, 60_000);
  // The interpreter that was killed last has had time to end.
  await page.waitForTimeout(3_000);
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {number} count
 */
export function stopOurs(page, count) {
  return page.evaluate(async ([spin, echo, times, ms]) => {
    const { calls } = globalThis.cloche;
    /** @param {string} tool @param {string} args @param {AbortSignal} signal */
    const call = (tool, args, signal) =>
      calls.call(signal, {
        id: crypto.randomUUID(),
        tool,
        arguments: args,
        caller: 'page',
        sessionId: '',
        sessionKey: '',
        turnId: '',
        agentId: '',
        validate: true,
      });
    const took = [];
    for (let n = 0; n < times; n += 1) {
      const stop = new AbortController();
      const started = new Promise((resolve) => {
        const end = calls.observe(({ type }) => {
          if (type !== 'call-started') return;
          end();
          resolve(null);
        });
      });
      void call(spin, '{}', stop.signal);
      await started;
      await new Promise((resolve) => setTimeout(resolve, ms));
      const from = performance.now();
      stop.abort();
      const result = await call(echo, '{"text": "next"}', new AbortController().signal);
      took.push(performance.now() - from);
      if (result.resultType !== 'success') throw new Error(result.textResultForLlm);
    }
    return took;
  }, /** @type {const} */ ([spinTool, echoTool, count, spunMs]));
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {[name: string, text: string][]} files
 */
export function stopPlain(page, files) {
  return page.evaluate(async ([spin, echo, all, ms]) => {
    const { plain } = globalThis;
    void plain.ask({ op: 'call', tool: spin, arguments: '{}' });
    await new Promise((resolve) => setTimeout(resolve, ms));
    const from = performance.now();
    await plain.restart();
    await plain.ask({ op: 'load', root: '/tools', files: all });
    await plain.ask({ op: 'call', tool: echo, arguments: '{"text": "next"}' });
    return performance.now() - from;
  }, /** @type {const} */ ([spinTool, echoTool, files, spunMs]));
}

/** @param {readonly number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
