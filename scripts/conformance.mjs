/**
 * npm run conformance: the official parts of MCP against Cloche, in each kind of revision. They are installed into
 * tests/conformance, with the newer Node that they need.
 *
 * `cloche mcp` passes requests to api/mcp of its page, so that both are tested. Then follow the page as a client of the
 * suite's servers, and cloche_mcp.py.
 */
import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { chromium } from '@playwright/test';
import { buildCli } from './build-cli.mjs';
import { distFolder } from './dist.mjs';
import { conformanceFolder, installOfficialParts, newerNode } from './official-parts.mjs';
import { run } from './run.mjs';
import { serveFolder } from './static-server.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

const token = 'conformance-of-this-machine';
/** Known beforehand, because the server must allow its own origin. */
const port = 48_731;
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const inspector = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';

await installOfficialParts();
const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
if (code !== 0) process.exit(1);
let faults = 0;
const place = await temporaryFolder('conformance');
// Clients start a server without their own variables.
const settings = [
  ...['env', `CLOCHE_APP=${distFolder}`, `CLOCHE_BROWSER=${findBrowser()}`],
  ...[`CLOCHE_MCP_TOKEN=${token}`, `XDG_CACHE_HOME=${join(place, 'cache')}`],
];
const program = join(place, 'cloche.mjs');
await buildCli(program);
const file = join(place, 'cloche_mcp.py');
await run(['node', 'scripts/python-programs.mjs', 'cloche_mcp', file]);
const tools = join(place, 'tools');
await cp(join(conformanceFolder, 'tools'), tools, { recursive: true });
await check('cloche mcp', join(tools, 'more.py'), [
  ...settings,
  ...[process.execPath, program, 'mcp', tools],
]);
await checkClient();
await checkServers(program);
// cloche_mcp.py reads the folder once.
await check('cloche_mcp.py', '-', [...settings, 'python3', file, tools]);
console.log(faults === 0 ? '\nEverything that is offered conforms.' : `\n${faults} failed.`);
process.exit(faults === 0 ? 0 : 1);

/**
 * @param {string} name
 * @param {string} more a file of the folder that clients may write, or `-`
 * @param {readonly string[]} command
 */
async function check(name, more, command) {
  const origins = ['localhost', '127.0.0.1'].flatMap((host) => [
    '--allow-origin',
    `http://${host}:${port}`,
  ]);
  const stop = await started([...command, '--http', String(port), ...origins]);
  const address = `http://127.0.0.1:${port}/${token}/mcp`;
  try {
    for (const revision of ['2025-11-25', '2026-07-28'])
      await official(`${name}: the conformance suite, ${revision}`, [
        ...[suite, 'server', '--url', address, '--requirements', revision],
        ...['--expected-failures', 'not-offered.yml'],
      ]);
    await withClients(`${name} over HTTP`, more, [address]);
  } finally {
    await stop();
  }
  await withClients(`${name} over standard input and output`, more, command);
}

/** The suite's servers do not allow pages (CORS), so the browser does not ask them. */
function checkClient() {
  const command = `${process.execPath} page-client.mjs`;
  return withPage(['--disable-web-security'], async (env) => {
    for (const revision of ['2025-11-25', '2026-07-28'])
      // One after the other: the suite would begin all of them at once, each with a page.
      for (const scenario of await clientScenarios(revision))
        await official(
          `The page as a client: ${scenario}, ${revision}`,
          [
            ...[suite, 'client', '--command', command, '--scenario', scenario],
            ...['--spec-version', revision, '--expected-failures', 'not-offered.yml'],
          ],
          env,
        );
  });
}

/**
 * The page with the reference servers, which speak over standard input and output.
 * @param {string} program that has the bridge
 */
function checkServers(program) {
  const what = 'The page with the reference servers';
  return withPage([], (env) => official(what, ['page-servers.mjs', program], env));
}

/**
 * @param {string[]} args of the browser
 * @param {(env: Record<string, string>) => Promise<void>} use gets what names the page and the browser
 */
async function withPage(args, use) {
  const site = await serveFolder({ folder: distFolder });
  const executablePath = findBrowser();
  const browser = await chromium.launchServer({
    ...(executablePath !== undefined && { executablePath }),
    args,
  });
  try {
    await use({ CLOCHE_PAGE: site.url, CLOCHE_BROWSER_ENDPOINT: browser.wsEndpoint() });
  } finally {
    await browser.close();
    await site.close();
  }
}

/**
 * The scenarios that a revision requires of clients.
 * @param {string} revision
 */
async function clientScenarios(revision) {
  const list = [newerNode, suite, 'list', '--requirements', revision];
  const { output } = await run(list, { cwd: conformanceFolder, quiet: true });
  const [, ofClients = ''] = /^Client scenarios.*\n((?: {2}- .*\n)*)/m.exec(output) ?? [];
  return [...ofClients.matchAll(/- (\S+)/g)].map(([, name = '']) => name);
}

/**
 * @param {string} what
 * @param {string} more
 * @param {readonly string[]} target an address, or a command
 */
async function withClients(what, more, target) {
  await official(`${what}: the official clients`, ['clients.mjs', more, ...target]);
  for (const era of ['legacy', 'auto', 'modern'])
    await official(`${what}: the Inspector, ${era}`, [
      ...[inspector, '--cli', '--method', 'tools/list', '--strict', '--protocol-era', era],
      ...(target.length === 1 ? ['--transport', 'http'] : []),
      ...target,
    ]);
}

/**
 * Resolves when the server answers.
 * @param {readonly string[]} command
 * @returns {Promise<() => Promise<unknown>>} ends the server
 */
async function started([program = '', ...args]) {
  const server = spawn(program, args);
  const ended = new Promise((resolve) => server.once('close', resolve));
  let said = '';
  await new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        said += text;
        if (said.includes(`/${token}/mcp`)) resolve(undefined);
      });
    server.once('error', reject);
    void ended.then(() => reject(new Error(`${program} ended:\n${said}`)));
  });
  return () => {
    server.kill('SIGINT');
    return ended;
  };
}

/**
 * Runs an official part, and shows what it says where it fails.
 * @param {string} what
 * @param {readonly string[]} args
 * @param {Record<string, string>} env
 */
async function official(what, args, env = {}) {
  const { code, output } = await run([newerNode, ...args], {
    cwd: conformanceFolder,
    env,
    quiet: true,
  });
  const summary = /^Total: .*$/m.exec(output)?.[0];
  console.log(`${code === 0 ? '✓' : '✗'} ${what}${summary === undefined ? '' : `: ${summary}`}`);
  if (code === 0) return;
  faults += 1;
  console.log(output.slice(-20_000));
}
