/**
 * Public MCP servers in the page of the built app. `npm run conformance` installs them, and names the browser: chromium,
 * firefox or webkit.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const { CLOCHE_TEST_BROWSER: browser = 'chromium' } = process.env;
const setupFile = browser === 'webkit' ? '../webkit/global-setup.ts' : './browser-setup.ts';
const setup = fileURLToPath(new URL(setupFile, import.meta.url));

export default defineConfig({
  resolve: {
    // As in tests/webkit/vitest.config.ts.
    alias: [{ find: /^\.\/global-setup\.ts$/, replacement: setup }],
  },
  test: {
    include: ['tests/servers/*.test.ts'],
    globalSetup: [setup],
    passWithNoTests: false,
    fileParallelism: false,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
