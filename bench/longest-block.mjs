/** The longest time that the page's main thread works without a pause, in the thread's own processor time. */

const tick = 'longest-block-tick';
/** Short work is over before the timer has fired often enough for a measurement. */
const leastTicks = 8;

/**
 * Milliseconds of processor time, because on a shared machine other processes interrupt the thread. Garbage of earlier
 * work is collected before, because a collection takes as long as everything that the page has ever left behind.
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<void>} work
 * @returns {Promise<number>}
 */
export async function longestBlock(page, work) {
  const browser = page.context().browser();
  if (browser === null) throw new Error('Only a browser that was launched can be traced.');
  await collectGarbage(page);
  await browser.startTracing(page, { categories: ['blink.user_timing'] });
  const timer = await page.evaluate(startTicks, tick);
  try {
    await work();
  } finally {
    await page.evaluate(stopTicks, { timer, leastTicks, tick });
  }
  /** @type {unknown} */
  const trace = JSON.parse(String(await browser.stopTracing()));
  const times = ticksOf(trace);
  if (times.length < leastTicks) throw new Error(`Only ${String(times.length)} ticks were traced.`);
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? NaN)));
}

/** @param {import('@playwright/test').Page} page */
async function collectGarbage(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
}

/**
 * Runs in the page. The first tick comes at once: the work may block the thread before the timer fires.
 * @param {string} name
 * @returns {number}
 */
function startTicks(name) {
  performance.mark(name);
  return Number(setInterval(() => performance.mark(name), 5));
}

/**
 * Runs in the page: ticks on after the work, whose last part may still be to come.
 * @param {{timer: number, leastTicks: number, tick: string}} ticks
 */
async function stopTicks({ timer, leastTicks: least, tick: name }) {
  performance.clearMarks(name);
  while (performance.getEntriesByName(name).length < least)
    await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  performance.clearMarks(name);
}

/**
 * Milliseconds of the thread's processor time at each tick, in order.
 * @param {unknown} trace
 * @returns {number[]}
 */
function ticksOf(trace) {
  const { traceEvents } = /** @type {{traceEvents: {name: string, tts?: number}[]}} */ (trace);
  return traceEvents
    .flatMap(({ name, tts }) => (name === tick && tts !== undefined ? [tts / 1000] : []))
    .sort((a, b) => a - b);
}
