/** Eight stateless calls that each keep a core busy, all at once, compared with one of them times eight divided by the cores. */

import { workFiles, workTool, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { openFolder, openOurs } from '../pages.mjs';

const calls = 8;
const args = JSON.stringify({ rounds: 4_000_000 });

/** @param {import('../row.mjs').Bench} bench */
export default async function parallel({ newPage, sites }) {
  const page = await newPage();
  await openOurs(page, sites.ours);
  await openFolder(page, await writeFolder(`${sites.temporary}/parallel`, workFiles()));
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  // Helper interpreters stay for a while, because a session that fans out once is likely to do so again.
  await atOnce(page, calls);
  await atOnce(page, calls);
  const sides = await alternate(
    () => atOnce(page, calls),
    async () => ((await atOnce(page, 1)) * calls) / cores,
  );
  return [{ name: 'parallel', unit: 'ms', ...sides, target: 1.1 }];
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {number} count
 */
function atOnce(page, count) {
  return page.evaluate(async ([tool, text, times]) => {
    const { calls: path, sessions } = globalThis.cloche;
    sessions.open('bench');
    const from = performance.now();
    const results = await Promise.all(
      Array.from({ length: times }, () =>
        path.call(new AbortController().signal, {
          id: crypto.randomUUID(),
          tool,
          arguments: text,
          caller: 'page',
          sessionId: 'bench',
          sessionKey: '',
          turnId: '',
          agentId: '',
          validate: true,
        }),
      ),
    );
    const took = performance.now() - from;
    for (const { resultType, textResultForLlm } of results)
      if (resultType !== 'success') throw new Error(textResultForLlm);
    return took;
  }, /** @type {const} */ ([workTool, args, count]));
}
