/** Browser tests: they drive the built app in a real Chromium, as a user does. */
import { defineConfig } from '@playwright/test';
import { findBrowser, launchOptions } from './scripts/browser.mjs';
import { componentProjects, neededServers } from './tests/component/project.ts';
import { freePort } from './scripts/free-port.mjs';
import type { WorkerFixtures } from './tests/support/test.ts';

const browser = findBrowser();
if (browser === undefined) {
  throw new Error('No Chromium found: `npm test` installs one, or set CHROMIUM_PATH.');
}

// Kept in the environment because each of Playwright's workers reads this file again.
const port = (process.env.CLOCHE_TEST_PORT ??= String(await freePort()));
// A server that already runs, such as that of `npm run dev`: then nothing is built.
const { CLOCHE_URL: running = '' } = process.env;
const url = running === '' ? `http://localhost:${port}/` : running;

// Hosts that are not local by their names, and are this machine all the same.
const hostRules = ['--host-resolver-rules=MAP *.glass.example 127.0.0.1'];

const inOneProcess = [
  'threats/{downloads,echoed-keys,escapes,floods,framing,growing,names,own,picture-headers,pictures,questions,redirects,secrets,slow-text,starts}.test.ts',
  'grants/{approval,network,rows}.test.ts',
  'packages/requests.test.ts',
];
/**
 * Compiles WebAssembly once, without its optimising compiler, which took a sixth of the processor time of the tests. The
 * tests tagged `@timing` run as in a user's browser. Stalls are those of the page's thread, which runs no WebAssembly.
 */
const plainCompiler = '--js-flags=--liftoff-only';
/** In ms. A visit without caches loads and compiles all of Python, several times in one test. */
const patientTimeout = 300_000;

const chromium = { browserName: 'chromium', visits: running === '' ? 'warm' : 'fresh' } as const;

// As in browsers that give a sandboxed frame no process of its own.
const oneProcess = {
  testMatch: inOneProcess,
  workers: 1,
  use: {
    ...chromium,
    launchOptions: launchOptions(
      browser,
      ...hostRules,
      plainCompiler,
      '--disable-features=IsolateSandboxedIframes',
    ),
  },
  metadata: { sandboxProcess: 'shared' },
};

export default defineConfig<object, WorkerFixtures>({
  testDir: 'tests',
  testMatch: '**/*.test.ts',
  // Playwright cannot drive the real Firefox and WebKit, in which the tests of public servers run too; the component tests
  // are of another project.
  testIgnore: ['**/tests/{firefox,webkit,servers}/**', '**/tests/component/**'],
  outputDir: 'test-results/browser',
  workers: 2,
  // A shared machine starves a thread, or ends a browser, now and then. What passes at its second try counts as flaky.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // Python starts anew in some tests, which takes seconds on a busy machine.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/reports/browser.json' }]],
  use: {
    baseURL: url,
    launchOptions: launchOptions(browser, ...hostRules, plainCompiler),
    serviceWorkers: 'allow',
  },
  // What each project is for, and which tests belong to it: CONTRIBUTING.md.
  projects: [
    ...componentProjects,
    {
      name: 'app',
      grepInvert: /@timing|@cold|@full/,
      use: chromium,
      metadata: { sandboxProcess: 'own' },
    },
    {
      name: 'timing',
      grep: /@timing/,
      grepInvert: /@full/,
      workers: 1,
      use: { ...chromium, launchOptions: launchOptions(browser, ...hostRules) },
      metadata: { sandboxProcess: 'own' },
    },
    {
      name: 'cold',
      grep: /@cold/,
      grepInvert: /@full/,
      timeout: patientTimeout,
      use: { ...chromium, visits: 'fresh' },
      metadata: { sandboxProcess: 'own' },
    },
    {
      name: 'full',
      grep: /@full/,
      grepInvert: /@cold/,
      workers: 1,
      fullyParallel: true,
      use: chromium,
      metadata: { sandboxProcess: 'own' },
    },
    {
      name: 'cold-full',
      grep: /(?=.*@cold)(?=.*@full)/,
      timeout: patientTimeout,
      workers: 1,
      fullyParallel: true,
      use: { ...chromium, visits: 'fresh' },
      metadata: { sandboxProcess: 'own' },
    },
    { name: 'one-process', ...oneProcess, grep: /@process/ },
    { name: 'one-process-full', ...oneProcess, grepInvert: /@process/, fullyParallel: true },
  ],
  webServer:
    running !== ''
      ? []
      : neededServers({
          command: 'node scripts/serve.mjs',
          env: { PORT: port },
          url,
          timeout: 120_000,
          reuseExistingServer: false,
          gracefulShutdown: { signal: 'SIGTERM', timeout: 2000 },
        }),
});
