/** The Playwright project of the component tests, and the server of their page. */
import type { PlaywrightTestConfig } from '@playwright/test';
import { freePort } from '../support/free-port.ts';
import type { WorkerFixtures } from '../support/test.ts';

type Config = PlaywrightTestConfig<object, WorkerFixtures>;
type Servers = NonNullable<Config['webServer']>;

// Kept in the environment because each of Playwright's workers reads the configuration again.
const port = (process.env.CLOCHE_COMPONENT_PORT ??= String(await freePort()));
const url = `http://localhost:${port}/`;

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
    url,
    timeout: 120_000,
    reuseExistingServer: false,
  };
  return [...(isAsked ? [page] : []), ...(isOnlyComponent ? [] : [app])];
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
