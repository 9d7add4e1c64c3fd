/** The measured pages: Cloche with a folder open, and the plain page with the same files loaded. */

import { drop } from './drop.mjs';
import { storedSnapshotBytes } from './stored-snapshot.mjs';

/** @typedef {import('@playwright/test').Page} Page */

/** How long an idle page may take to store everything that it uses later; milliseconds. */
const patience = 180_000;

/**
 * @param {Page} page
 * @param {string} url
 */
export async function openOurs(page, url) {
  await page.goto(url);
  await page.waitForFunction(() => 'cloche' in globalThis);
  await page.waitForFunction(() => globalThis.cloche.status.get().python === 'ready', null, {
    timeout: 180_000,
  });
}

/**
 * Drops a folder and waits until its tools are listed.
 * @param {Page} page
 * @param {string} folder absolute
 * @returns {Promise<number>} milliseconds from the drop to the end of the scan
 */
export async function openFolder(page, folder) {
  await page.evaluate(() => {
    globalThis.opened = new Promise((resolve) => {
      let from = 0;
      addEventListener('drop', () => (from = performance.now()), { capture: true, once: true });
      const stop = globalThis.cloche.status.observe(({ phase }) => {
        if (from === 0 || (phase !== 'ready' && phase !== 'failed')) return;
        stop();
        resolve(performance.now() - from);
      });
    });
  });
  await drop(page, folder);
  return page.evaluate(() => globalThis.opened);
}

/**
 * @param {Page} page
 * @param {string} url
 * @param {readonly (readonly [string, string])[]} [files]
 */
export async function openPlain(page, url, files) {
  await page.goto(url);
  await page.evaluate(() => globalThis.plain.ready);
  if (files)
    await page.evaluate(
      (all) => globalThis.plain.ask({ op: 'load', root: '/tools', files: all }),
      files,
    );
}

/**
 * The times of calls made one after the other. The clock of a page ticks every 0.1 ms, which is longer than a call to plain
 * Pyodide: the mean is therefore taken over the whole batch.
 * @typedef {{times: number[], mean: number}} Batch milliseconds of each call, and of one call on average
 */

/**
 * Calls a tool repeatedly on our page, through the whole path.
 * @param {Page} page
 * @param {{tool: string, args: string, count: number, sessionId?: string}} calls
 * @returns {Promise<Batch>}
 */
export function callOurs(page, calls) {
  return page.evaluate(async ({ tool, args, count, sessionId = '' }) => {
    const { signal } = new AbortController();
    globalThis.cloche.sessions.open(sessionId);
    const times = [];
    const begin = performance.now();
    for (let n = 0; n < count; n += 1) {
      const from = performance.now();
      const result = await globalThis.cloche.calls.call(signal, {
        id: crypto.randomUUID(),
        tool,
        arguments: args,
        caller: 'page',
        sessionId,
        sessionKey: '',
        turnId: '',
        agentId: '',
        validate: true,
      });
      times.push(performance.now() - from);
      if (result.resultType !== 'success') throw new Error(result.textResultForLlm);
    }
    return { times, mean: (performance.now() - begin) / count };
  }, calls);
}

/**
 * @param {Page} page
 * @param {{tool: string, args: string, count: number}} calls
 * @returns {Promise<Batch>}
 */
export function callPlain(page, calls) {
  return page.evaluate(async ({ tool, args, count }) => {
    const times = [];
    const begin = performance.now();
    for (let n = 0; n < count; n += 1) {
      const from = performance.now();
      await globalThis.plain.ask({ op: 'call', tool, arguments: args });
      times.push(performance.now() - from);
    }
    return { times, mean: (performance.now() - begin) / count };
  }, calls);
}

/**
 * Waits until there is a spare interpreter.
 * @param {Page} page
 * @param {number} timeout milliseconds
 */
export async function spareReady(page, timeout) {
  await page.waitForFunction(
    () =>
      globalThis.cloche.interpreters
        .list()
        .some(({ role, state }) => role === 'spare' && state === 'ready'),
    null,
    { timeout },
  );
}

/**
 * Waits until our page has stored its files and its snapshot.
 * @param {Page} page
 */
export async function allStored(page) {
  const stored = async () =>
    (await page.evaluate(() => globalThis.cloche.status.get().offline.at === 'ready')) &&
    (await page.evaluate(storedSnapshotBytes)) > 0;
  const until = Date.now() + patience;
  while (!(await stored())) {
    if (Date.now() > until) throw new Error('The page has stored no snapshot.');
    await page.waitForTimeout(300);
  }
}
