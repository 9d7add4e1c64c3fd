/** The longest time that the page's main thread works without a pause, by the thread's own clock. */

const tick = 'bench-tick';

/**
 * Milliseconds of processor time: a shared machine takes time from a thread that is not at fault.
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<void>} work
 * @returns {Promise<number>}
 */
export async function longestBlock(page, work) {
  const browser = page.context().browser();
  if (browser === null) throw new Error('Only a browser that was launched can be traced.');
  await browser.startTracing(page, { categories: ['blink.user_timing'] });
  await page.evaluate((name) => {
    const timer = setInterval(() => {
      performance.mark(name);
      performance.clearMarks(name);
    }, 5);
    addEventListener('bench-end', () => clearInterval(timer), { once: true });
  }, tick);
  await work();
  await page.evaluate(() => dispatchEvent(new Event('bench-end')));
  /** @type {unknown} */
  const trace = JSON.parse(String(await browser.stopTracing()));
  const { traceEvents } = /** @type {{traceEvents: {name: string, tts?: number}[]}} */ (trace);
  const times = traceEvents
    .flatMap(({ name, tts }) => (name === tick && tts !== undefined ? [tts / 1000] : []))
    .sort((a, b) => a - b);
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
