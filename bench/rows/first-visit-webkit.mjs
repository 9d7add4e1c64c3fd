/** The first visit in WebKitGTK's browser. If its driver is not found, the row is left out. */

import { setTimeout as delay } from 'node:timers/promises';
import { findBrowser } from '../../scripts/browser.mjs';
import { startWebKit } from '../../scripts/webkit.mjs';
import { firstResult, firstResultPlain } from '../dropped-visit.mjs';
import { echoFiles } from '../folders.mjs';
import { alternate } from '../measure.mjs';

/** Milliseconds to wait after the browser has started, so that its own startup work does not slow the visit. */
const settleMs = 2_000;

/** @param {import('../row.mjs').Bench} bench */
export default async function firstVisitWebKit({ sites }) {
  const driver = findBrowser('webkit');
  if (driver === undefined) {
    console.log('No WebKitWebDriver found: set WEBKIT_DRIVER_PATH to measure first-visit-webkit.');
    return [];
  }
  const files = echoFiles();
  let browser = '';
  /** @param {(page: import('../dropped-visit.mjs').DrivenPage) => Promise<number>} visit */
  const inNewBrowser = async (visit) => {
    const webkit = await startWebKit(driver, { pageLoad: 'eager' });
    try {
      browser = webkit.version;
      await webkit.commands.resize(1280, 800);
      await delay(settleMs);
      return await visit(pageOf(webkit.commands));
    } finally {
      await webkit.close();
    }
  };
  const measured = await alternate(
    () => inNewBrowser((page) => firstResult(page, sites.ours, files)),
    () => inNewBrowser((page) => firstResultPlain(page, sites.plain, files)),
  );
  return [{ name: 'first-visit-webkit', unit: 'ms', browser, ...measured, target: 0.9 }];
}

/**
 * @param {import('../../scripts/webkit.mjs').Commands} commands
 * @returns {import('../dropped-visit.mjs').DrivenPage}
 */
function pageOf({ goto, script }) {
  return {
    goto,
    evaluate: async (body, ...given) => {
      const answer = await script(
        `const done = arguments[arguments.length - 1];
        (async () => (${String(body)})(...[...arguments].slice(0, -1)))().then(
          (value) => done({ value }),
          (thrown) => done({ thrown: String(thrown) }),
        );`,
        given,
      );
      const { value, thrown } = /** @type {{ value?: unknown; thrown?: string }} */ (answer);
      if (thrown !== undefined) throw new Error(thrown);
      return value;
    },
  };
}
