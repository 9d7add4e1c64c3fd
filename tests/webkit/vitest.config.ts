/** Tests in WebKitGTK, which neither Playwright nor Puppeteer can drive: `npm test -- webkit`. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests of Firefox that run here as they are. docs/security.md says which attacks are among the others. */
const shared = ['app', 'framing', 'grants', 'headers', 'starts', 'threats'];
/** Those of them that run for one commit in five. What they test is mostly the app's own code, less the browser's. */
const repeats = ['bench', 'content', 'data'];
const isFull = (process.env.CLOCHE_FULL ?? '') !== '';
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
    isolate: false,
    retry: (process.env.CI ?? '') === '' ? 0 : 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
