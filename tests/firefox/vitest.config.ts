/** Tests in the real Firefox, which Playwright cannot drive: `npm test -- firefox`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/firefox/*.test.ts'],
    passWithNoTests: false,
    // One browser at a time; Python takes seconds to start.
    fileParallelism: false,
    // As in playwright.config.ts.
    retry: (process.env.CI ?? '') === '' ? 0 : 1,
    // As in playwright.config.ts: Python starts anew in many, which takes seconds on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
