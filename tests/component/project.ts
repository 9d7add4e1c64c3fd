/** The Playwright project of the component tests, and the server of their page. */
import type { PlaywrightTestConfig } from '@playwright/test';
import { freePort } from '../support/free-port.ts';
import type { WorkerFixtures } from '../support/test.ts';

type Config = PlaywrightTestConfig<object, WorkerFixtures>;
type Servers = NonNullable<Config['webServer']>;

const name = 'component';
// Kept in the environment because each of Playwright's workers reads the configuration again.
const port = (process.env.CLOCHE_COMPONENT_PORT ??= String(await freePort()));
const url = `http://localhost:${port}/`;

export const componentProject: NonNullable<Config['projects']>[number] = {
  name,
  testDir: 'tests/component',
  testIgnore: [],
  ...((process.env.CLOCHE_FULL ?? '') === '' ? { grepInvert: /@full/ } : {}),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: { baseURL: url },
};

/** @param app the server of the built app, which component tests do without */
export function neededServers(app: Exclude<Servers, readonly unknown[]>): Servers {
  const asked = projectsAsked(process.argv);
  const isAsked = (one: string): boolean => asked.length === 0 || asked.includes(one);
  const isOnlyComponent = asked.length > 0 && asked.every((one) => one === name);
  const page = {
    command: 'node tests/component/page/serve.mjs',
    env: { PORT: port },
    url,
    timeout: 120_000,
    reuseExistingServer: false,
  };
  return [...(isAsked(name) ? [page] : []), ...(isOnlyComponent ? [] : [app])];
}

/** The projects of the command line; none: all of them. */
function projectsAsked(argv: readonly string[]): readonly string[] {
  const asked: string[] = [];
  for (const [index, argument] of argv.entries()) {
    if (argument.startsWith('--project=')) asked.push(argument.slice('--project='.length));
    if (argument === '--project') asked.push(argv[index + 1] ?? '');
  }
  return asked;
}
