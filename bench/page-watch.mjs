/** Ends a measurement whose page makes no progress, and reports the text and the console of the page. */

/** @typedef {import('@playwright/test').Page} Page */

/** How long a step may take; milliseconds. */
const patience = 120_000;
/** How long to wait for the text of a page, which a page with a busy thread never returns; milliseconds. */
const textPatience = 5_000;
const longestText = 2_000;

/**
 * Watches all pages of a browser, from now on.
 * @param {import('@playwright/test').BrowserContext} browser
 * @returns {<T>(page: Page, step: string, work: Promise<T>) => Promise<T>} waits for the work, and rejects if it fails or takes
 * longer than two minutes; the error's message has the step, the page's text, and its console
 */
export function watchPages(browser) {
  /** @type {string[]} */
  const messages = [];
  browser.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  browser.on('weberror', (thrown) => messages.push(`thrown: ${String(thrown.error())}`));
  browser.on('requestfailed', (request) =>
    messages.push(`no answer from ${request.url()}: ${request.failure()?.errorText ?? ''}`),
  );
  browser.on('response', (response) => {
    if (response.status() >= 400) messages.push(`${response.status()} from ${response.url()}`);
  });
  return async (page, step, work) => {
    try {
      return await before(patience, work);
    } catch (error) {
      const shown = await before(
        textPatience,
        page.evaluate(() => document.body.innerText),
      ).catch(() => '(it does not respond)');
      const lines = [
        `${step}: ${String(error)}`,
        `The page ${page.url()} shows: ${shown.slice(0, longestText) || '(nothing)'}`,
        `Its console:`,
        ...(messages.length === 0 ? ['(nothing)'] : messages),
      ];
      throw new Error(lines.join('\n'), { cause: error });
    }
  };
}

/**
 * @template T
 * @param {number} milliseconds
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
async function before(milliseconds, work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((/** @type {(value: never) => void} */ _, reject) => {
    timer = setTimeout(
      () => reject(new Error(`not done after ${milliseconds / 1000} s`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
