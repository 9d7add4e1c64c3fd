/**
 * npm run conformance: the official parts of MCP against Cloche, in each kind of revision. They are installed into
 * tests/conformance, with the newer Node that they need.
 *
 * Checks api/mcp of a page that `cloche FOLDER` has opened, with clients in pages, and through a relay; `cloche mcp`;
 * the page as a client of the suite's servers and of public ones; cloche_mcp.py, and the bundle that the page exports.
 */
import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  clientsInPages,
  exportBundle,
  openPage,
  startRelay,
} from '../tests/conformance/open-page.mjs';
import { findBrowser } from './browser.mjs';
import { chromium } from '@playwright/test';
import { buildCli } from './build-cli.mjs';
import { distFolder } from './dist.mjs';
import { conformanceFolder, installOfficialParts, newerNode } from './mcp-conformance-parts.mjs';
import { readJson } from './read-files.mjs';
import { requireBuild, run, tool } from './run.mjs';
import { serveFolder } from './static-server.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

const token = 'conformance-of-this-machine';
/** Known beforehand, because the server must allow its own origin. */
const port = 48_731;
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const inspector = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const mcpb = 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js';

await installOfficialParts();
await requireBuild();
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
const addedTools = join(tools, 'more.py');
const bundle = join(place, 'tools.mcpb');
await checkEndpoint();
await check('cloche mcp', addedTools, [...settings, process.execPath, program, 'mcp', tools]);
await checkClient();
await checkServers(program);
// cloche_mcp.py reads the folder once.
await check('cloche_mcp.py', '-', [...settings, 'python3', file, tools]);
await checkBundle();
console.log(faults === 0 ? '\nEverything that is offered conforms.' : `\n${faults} failed.`);
process.exit(faults === 0 ? 0 : 1);

/** Checks the page's own endpoint, with clients in pages and through the relay. Also exports the bundle. */
async function checkEndpoint() {
  const command = [...settings, process.execPath, program, tools, '--port', '0', '--no-browser'];
  const { said, stop } = await startUntil(command, /http:\S+\?open=\w+/);
  const opened = await openPage(said, 'test_simple_text');
  try {
    const relay = await startRelay(opened);
    await checkSuite('api/mcp', relay.url);
    await withClients('api/mcp', addedTools, [relay.url]);
    await relay.close();
    const what = 'api/mcp: the official clients in pages';
    await clientsInPages(opened, addedTools).then(
      (lines) => report(what, 0, lines.join('\n')),
      (/** @type {unknown} */ thrown) => report(what, 1, String(thrown)),
    );
    await exportBundle(opened, bundle);
  } finally {
    await opened.close();
    await stop();
  }
}

/**
 * Checks a program over HTTP, and over standard input and output.
 * @param {string} name
 * @param {string} file of the folder that clients may write, or `-`
 * @param {readonly string[]} command
 */
async function check(name, file, command) {
  const origins = ['localhost', '127.0.0.1'].flatMap((host) => [
    '--allow-origin',
    `http://${host}:${port}`,
  ]);
  const listening = [...command, '--http', String(port), ...origins];
  const { said: address, stop } = await startUntil(listening, new RegExp(`http:\\S+/${token}/mcp`));
  try {
    await checkSuite(name, address);
    await withClients(`${name} over HTTP`, file, [address]);
  } finally {
    await stop();
  }
  await withClients(`${name} over standard input and output`, file, command);
}

/**
 * Runs the official suite against a server.
 * @param {string} name
 * @param {string} address
 */
async function checkSuite(name, address) {
  for (const revision of ['2025-11-25', '2026-07-28'])
    await official(`${name}: the conformance suite, ${revision}`, [
      ...[suite, 'server', '--url', address, '--requirements', revision],
      ...['--expected-failures', 'not-offered.yml'],
    ]);
}

/** Checks that the exported bundle is valid, and starts as its manifest says. */
async function checkBundle() {
  const unpacked = join(place, 'unpacked');
  await official('The bundle: unpacked', [mcpb, 'unpack', bundle, unpacked]);
  await official('The bundle: its manifest', [mcpb, 'validate', join(unpacked, 'manifest.json')]);
  await official('The bundle: packed again', [mcpb, 'pack', unpacked, join(place, 'again.mcpb')]);
  const manifest = await readJson(unpacked, 'manifest.json');
  const { server } =
    /** @type {{ server: { mcp_config: { command: string, args: string[] } } }} */ (manifest);
  const words = server.mcp_config.args.map((word) => word.replace('${__dirname}', unpacked));
  await withClients('The bundle', '-', [...settings, server.mcp_config.command, ...words]);
}

/** Checks the page as a client. The suite’s servers send no CORS headers, so the browser’s check is turned off. */
async function checkClient() {
  const command = `${process.execPath} page-client.mjs`;
  const site = await serveFolder({ folder: distFolder });
  const executablePath = findBrowser();
  const browser = await chromium.launchServer({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--disable-web-security'],
  });
  const env = { CLOCHE_PAGE: site.url, CLOCHE_BROWSER_ENDPOINT: browser.wsEndpoint() };
  try {
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
  } finally {
    await browser.close();
    await site.close();
  }
}

/**
 * Checks the page with public servers, in several browsers: uses each capability of a server as users do.
 * @param {string} program that has the bridge
 */
async function checkServers(program) {
  for (const browser of ['chromium', 'firefox']) {
    const { code, output } = await run(
      tool('vitest/vitest.mjs', 'run', '--config', 'tests/servers/vitest.config.ts'),
      { env: { CLOCHE_TEST_BROWSER: browser, CLOCHE_PROGRAM: program }, quiet: true },
    );
    report(`The page with public servers, in ${browser}`, code, output);
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
 * Checks a server with the official clients, and with the Inspector in each kind of revision.
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
 * Resolves when a program has printed a text that matches.
 * @param {readonly string[]} command
 * @param {RegExp} awaited
 * @returns {Promise<{ said: string, stop: () => Promise<unknown> }>} the text, and a function that ends the program
 */
async function startUntil([program = '', ...args], awaited) {
  const server = spawn(program, args);
  const ended = new Promise((resolve) => server.once('close', resolve));
  let printed = '';
  /** @type {string} */
  const said = await new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        printed += text;
        const [found] = awaited.exec(printed) ?? [];
        if (found !== undefined) resolve(found);
      });
    server.once('error', reject);
    void ended.then(() => reject(new Error(`${program} ended:\n${printed}`)));
  });
  return {
    said,
    stop: () => {
      server.kill('SIGINT');
      return ended;
    },
  };
}

/**
 * Runs an official part.
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
  report(what, code, output);
}

/**
 * Reports a check, and shows the output of one that failed.
 * @param {string} what
 * @param {number} code
 * @param {string} output
 */
function report(what, code, output) {
  const summary = /^Total: .*$/m.exec(output)?.[0];
  console.log(`${code === 0 ? '✓' : '✗'} ${what}${summary === undefined ? '' : `: ${summary}`}`);
  if (code === 0) return;
  faults += 1;
  console.log(output.slice(-20_000));
}
