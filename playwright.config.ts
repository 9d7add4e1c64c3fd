/** Browser tests: they drive the built app in a real Chromium, as a person does. */
import { createServer } from 'node:net';
import { defineConfig } from '@playwright/test';
import { findBrowser, launchOptions } from './scripts/browser.mjs';

const browser = findBrowser();
if (browser === undefined) {
  throw new Error('No Chromium found: `npm test` installs one, or set CHROMIUM_PATH.');
}

// Kept in the environment because each of Playwright's workers reads this file again.
const port = (process.env.CLOCHE_TEST_PORT ??= String(await freePort()));
const url = `http://localhost:${port}/`;

// Hosts that are not local by their names, and are this machine all the same.
const hostRules = ['--host-resolver-rules=MAP *.glass.example 127.0.0.1'];

export default defineConfig({
  testDir: 'tests',
  testMatch: '**/*.test.ts',
  // Playwright cannot drive the real Firefox.
  testIgnore: '**/tests/firefox/**',
  outputDir: 'test-results/browser',
  // Timing tests want the machine for themselves.
  workers: 1,
  // A shared machine starves a thread, or ends a browser, now and then: what fails twice is ours. The report names each.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // Python starts anew in every test, which takes seconds on a busy machine.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/reports/browser.json' }]],
  use: {
    baseURL: url,
    launchOptions: launchOptions(browser, ...hostRules),
    serviceWorkers: 'allow',
  },
  projects: [
    {
      name: 'chromium',
      use: { browserName: 'chromium' },
      metadata: { sandboxProcess: 'own' },
    },
    {
      // As in browsers that give a sandboxed frame no process of its own.
      name: 'one-process',
      testMatch: [
        'threats/{escapes,floods,own}.test.ts',
        'grants/{approval,network,rows}.test.ts',
        'packages/requests.test.ts',
      ],
      // A minute of waiting, the same in any process.
      grepInvert: /fails after a minute/,
      use: {
        browserName: 'chromium',
        launchOptions: launchOptions(
          browser,
          ...hostRules,
          '--disable-features=IsolateSandboxedIframes',
        ),
      },
      metadata: { sandboxProcess: 'shared' },
    },
  ],
  webServer: {
    command: 'node scripts/serve.mjs',
    env: { PORT: port },
    url,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 2000 },
  },
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('The system gave no free port.'));
      });
    });
  });
}
