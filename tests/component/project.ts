/** The Playwright project of the component tests, and the server of their page. */
import type { PlaywrightTestConfig } from '@playwright/test';
import { freePort } from '../../scripts/free-port.mjs';
import type { WorkerFixtures } from '../support/test.ts';

type Config = PlaywrightTestConfig<object, WorkerFixtures>;
type Servers = NonNullable<Config['webServer']>;

// Kept in the environment because each of Playwright's workers reads the configuration again.
const port = (process.env.CLOCHE_COMPONENT_PORT ??= String(await freePort()));
// A server that already runs: `npm run dev:component`.
const { CLOCHE_COMPONENT_URL: running = '' } = process.env;
const url = running === '' ? `http://localhost:${port}/` : running;

const common = {
  testDir: 'tests/component',
  testIgnore: [],
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: { baseURL: url },
};

export const componentProjects: NonNullable<Config['projects']> = [
  { name: 'component', ...common, grepInvert: /@full/ },
  { name: 'component-full', ...common, grep: /@full/, fullyParallel: true },
];

/** @param app the server of the built app, which component tests do without */
export function neededServers(app: Exclude<Servers, readonly unknown[]>): Servers {
  const asked = projectsAsked(process.argv);
  const ours = componentProjects.map(({ name }) => name);
  const isAsked = asked.length === 0 || asked.some((one) => ours.includes(one));
  const isOnlyComponent = asked.length > 0 && asked.every((one) => ours.includes(one));
  const page = {
    command: 'node tests/component/page/serve.mjs',
    env: { PORT: port },
    // Playwright asks for an address once a second, which is long for a page that is built in two.
    wait: { stdout: /The test page is ready/ },
    timeout: 120_000,
    reuseExistingServer: false,
  };
  return [...(isAsked && running === '' ? [page] : []), ...(isOnlyComponent ? [] : [app])];
}

/** The projects of the command line; none: all of them. */
function projectsAsked(argv: readonly string[]): readonly string[] {
  const asked: string[] = [];
  let isName = false;
  for (const argument of argv) {
    if (argument.startsWith('--project=')) asked.push(argument.slice('--project='.length));
    // Several names may follow.
    if (isName && !argument.startsWith('-')) asked.push(argument);
    else isName = argument === '--project';
  }
  return asked;
}
