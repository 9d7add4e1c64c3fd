/** Tests in the real Firefox, which Playwright cannot drive: `npm test -- firefox`. */
import { defineConfig } from 'vitest/config';
import { isFull } from '../support/is-full.ts';

/** Files that repeat what other tests show: the same attacks in Chromium, a recording, what `strangers` shows too. */
const repeats = ['hostile-mcp-server', 'recordings', 'starts'];

export default defineConfig({
  test: {
    include: ['tests/firefox/*.test.ts'],
    exclude: isFull ? [] : repeats.map((name) => `tests/firefox/${name}.test.ts`),
    globalSetup: ['tests/firefox/global-setup.ts'],
    passWithNoTests: false,
    // All share one browser, which takes one connection at a time.
    fileParallelism: false,
    // The files share no state of their own, and Puppeteer is imported once.
    isolate: false,
    // As in playwright.config.ts.
    retry: (process.env.CI ?? '') === '' ? 0 : 1,
    // As in playwright.config.ts: Python restarts in many tests, which takes seconds on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
