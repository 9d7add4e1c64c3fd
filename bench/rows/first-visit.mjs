/** A fresh profile: from the navigation to the first tool's result on the page, against the plain page. */

import { echoFiles, writeFolder } from '../folders.mjs';
import { drop } from '../drop.mjs';
import { alternate } from '../measure.mjs';

const args = '{"text": "hello"}';

/** @param {import('../row.mjs').Bench} bench */
export default async function firstVisit({ newPage, sites }) {
  const files = echoFiles();
  const folder = await writeFolder(`${sites.temporary}/first-visit`, files);
  const measured = await alternate(
    async () => {
      const page = await newPage();
      await page.goto(sites.ours, { waitUntil: 'commit' });
      await page.getByRole('button', { name: 'Open folder' }).first().waitFor();
      await drop(page, folder);
      await page.getByRole('link', { name: 'echo', exact: true }).click();
      await page.getByRole('textbox', { name: 'Arguments' }).fill(args);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const time = await shownAt(page);
      await page.context().close();
      return time;
    },
    async () => {
      const page = await newPage();
      await page.goto(sites.plain, { waitUntil: 'commit' });
      await page.waitForFunction(() => 'plain' in globalThis);
      await page.evaluate(async ([all, text]) => {
        await globalThis.plain.ready;
        await globalThis.plain.ask({ op: 'load', root: '/tools', files: all });
        const result = await globalThis.plain.ask({
          op: 'call',
          tool: 'echo:echo',
          arguments: text,
        });
        document.body.append(result);
      }, /** @type {const} */ ([files, args]));
      const time = await shownAt(page);
      await page.context().close();
      return time;
    },
  );
  return [{ name: 'first-visit', unit: 'ms', ...measured, target: 1.2 }];
}

/**
 * Milliseconds from the navigation until the result can be seen.
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<number>}
 */
function shownAt(page) {
  return page.evaluate(
    () =>
      new Promise((/** @type {(at: number) => void} */ resolve) => {
        const look = () => {
          const texts = [...document.querySelectorAll('pre, body')];
          const shown = texts.some(
            (each) =>
              each.textContent.includes('"text"') &&
              each.textContent.includes('hello') &&
              (each.tagName === 'PRE' || document.querySelector('textarea') === null),
          );
          if (shown) resolve(performance.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}
