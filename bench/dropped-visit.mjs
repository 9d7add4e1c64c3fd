/** A first visit in browsers into which a test cannot drag files: the page simulates the drop of a file. */

import { runEcho, shownAt } from './user.mjs';

/**
 * What a driver of any browser can do.
 * @typedef {object} DrivenPage
 * @property {(url: string) => Promise<unknown>} goto resolves when the document has been read
 * @property {(body: (...given: any[]) => unknown, ...given: unknown[]) => Promise<any>} evaluate
 */

const args = '{"text": "hello"}';

/**
 * @param {DrivenPage} page
 * @param {string} url
 * @param {readonly (readonly [string, string])[]} files
 * @returns {Promise<number>} milliseconds from the navigation to the first result
 */
export async function firstResult(page, url, files) {
  await page.goto(url);
  await page.evaluate(async (/** @type {readonly (readonly [string, string])[]} */ all) => {
    // Without a folder picker, the page offers no “Open folder”.
    const isListening = () =>
      [...document.querySelectorAll('button')].some((each) =>
        each.textContent.includes('Upload folder'),
      );
    while (!isListening()) await new Promise((resolve) => setTimeout(resolve, 10));
    const dataTransfer = new DataTransfer();
    for (const [name, text] of all) dataTransfer.items.add(new File([text], name));
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(drop);
  }, files);
  return runEcho(asPlaywright(page));
}

/**
 * The same visit in the plain page.
 * @param {DrivenPage} page
 * @param {string} url
 * @param {readonly (readonly [string, string])[]} files
 * @returns {Promise<number>} milliseconds from the navigation to the first result
 */
export async function firstResultPlain(page, url, files) {
  await page.goto(url);
  await page.evaluate(
    async (
      /** @type {readonly (readonly [string, string])[]} */ all,
      /** @type {string} */ text,
    ) => {
      while (!('plain' in globalThis)) await new Promise((resolve) => setTimeout(resolve, 10));
      const { plain } = globalThis;
      await plain.ready;
      await plain.ask({ op: 'load', root: '/tools', files: all });
      document.body.append(await plain.ask({ op: 'call', tool: 'echo:echo', arguments: text }));
    },
    files,
    args,
  );
  return shownAt(asPlaywright(page));
}

/**
 * The steps in user.mjs only call `evaluate` with one argument, which all drivers support.
 * @param {DrivenPage} page
 * @returns {import('@playwright/test').Page}
 */
function asPlaywright(page) {
  return /** @type {import('@playwright/test').Page} */ (/** @type {unknown} */ (page));
}
