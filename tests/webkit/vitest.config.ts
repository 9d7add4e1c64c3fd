/** Tests in WebKitGTK, which neither Playwright nor Puppeteer can drive: `npm test -- webkit`. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isFull } from '../support/is-full.ts';

/** Tests of Firefox that run here as they are. docs/security.md says which attacks are among the others. */
const shared = ['app', 'framing', 'grants', 'headers', 'runtime', 'starts', 'threats'];
/** Further tests of Firefox, which run for one commit in seven: they test the app's own code more than the browser's. */
const repeats = ['plans', 'bench', 'content', 'data'];
const files = isFull ? [...shared, ...repeats] : shared;

export default defineConfig({
  resolve: {
    // These tests get their browser from this file alone.
    alias: [
      {
        find: /^\.\/global-setup\.ts$/,
        replacement: fileURLToPath(new URL('global-setup.ts', import.meta.url)),
      },
    ],
  },
  test: {
    include: ['tests/webkit/*.test.ts', ...files.map((name) => `tests/firefox/${name}.test.ts`)],
    globalSetup: ['tests/webkit/global-setup.ts'],
    passWithNoTests: false,
    // As in tests/firefox/vitest.config.ts.
    fileParallelism: false,
    // As in tests/firefox/vitest.config.ts.
    isolate: false,
    retry: (process.env.CI ?? '') === '' ? 0 : 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
