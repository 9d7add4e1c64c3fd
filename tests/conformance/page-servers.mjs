/**
 * The built app with the reference servers of MCP, through `cloche bridge`: every capability that they offer, used as
 * users do. `node page-servers.mjs BRIDGE_PROGRAM`; scripts/conformance.mjs says the rest by variables.
 */
import { spawn } from 'node:child_process';
import { deepStrictEqual, ok } from 'node:assert';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

const { CLOCHE_PAGE = '', CLOCHE_BROWSER_ENDPOINT = '' } = process.env;
const program = process.argv[2] ?? '';
/** A picture of one pixel. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const serverOf = (/** @type {string} */ name) =>
  `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;

const browser = await chromium.connect(CLOCHE_BROWSER_ENDPOINT);
const page = await browser.newPage();
page.setDefaultTimeout(30_000);
const folder = await realpath(await mkdtemp(join(tmpdir(), 'cloche-servers-')));
/** @type {(() => Promise<void>)[]} */
const stops = [];
try {
  const everything = await added('everything', 'stdio');
  await useEverything(everything);
  // Cloche does not offer tasks, which this tool needs.
  deepStrictEqual(everything.left(), ['simulate-research-query']);
  const memory = await added('memory');
  await useMemory(memory);
  deepStrictEqual(memory.left(), []);
  const files = await added('filesystem', folder);
  await useFiles(files);
  deepStrictEqual(files.left(), []);
} catch (thrown) {
  console.log(await page.locator('body').ariaSnapshot());
  throw thrown;
} finally {
  await browser.close();
  for (const stop of stops) await stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * @typedef {object} Added
 * @property {string} name
 * @property {import('@playwright/test').Locator} card
 * @property {(tool: string, args: object, expected: string | RegExp) => Promise<void>} run runs a tool on its page
 * @property {() => string[]} left names of tools that were not run
 */

/**
 * Starts a server behind the bridge, and adds it on the Servers page.
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Promise<Added>}
 */
async function added(name, ...args) {
  const address = await bridged([process.execPath, serverOf(name), ...args]);
  await page.goto(`${CLOCHE_PAGE}#/servers`);
  await page.getByLabel('Address of an MCP server').fill(address);
  await page.getByRole('button', { name: 'Add server' }).click();
  const card = page.getByRole('region', { name: new URL(address).host, exact: true });
  await card
    .getByRole('status')
    .filter({ hasText: /^Connected/ })
    .waitFor();
  const tools = await page.evaluate(
    (url) =>
      globalThis.cloche.registry
        .list()
        .filter(({ server }) => server?.url === url)
        .map((tool) => tool.name),
    address,
  );
  const listed = await card
    .getByRole('list', { name: /^Tools of/ })
    .getByRole('link')
    .count();
  deepStrictEqual(listed, tools.length);
  const problems = card.getByRole('list', { name: 'Problems of this server' });
  const found = await problems.getByRole('listitem').allTextContents();
  // Programs of Node start slowly on a busy machine.
  deepStrictEqual(
    found.filter((problem) => !problem.startsWith('Connecting took')),
    [],
  );
  console.log(`✓ ${name}: ${tools.length} tools`);
  const left = new Set(tools);
  return {
    name,
    card,
    left: () => [...left].map((id) => id.split(':')[1] ?? ''),
    run: async (tool, given, expected) => {
      const id = tools.find((one) => one.endsWith(`:${tool}`)) ?? '';
      ok(id !== '', `${name} lists ${tool}`);
      await runOnPage(id, given, expected);
      left.delete(id);
      console.log(`✓ ${name}: ${tool}`);
    },
  };
}

/**
 * @param {string} tool
 * @param {object} args
 * @param {string | RegExp} expected
 */
async function runOnPage(tool, args, expected) {
  await page.goto(`${CLOCHE_PAGE}#/tools/${tool}`);
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Arguments', exact: true }).fill(JSON.stringify(args));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText(expected).first().waitFor();
}

/** Presses a button of the question that is open, again where it has just appeared. @param {string} name */
async function answer(name) {
  const dialog = page.getByRole('dialog');
  const button = dialog.getByRole('button', { name });
  await button.waitFor();
  while (await button.isVisible()) await button.click({ timeout: 1_000 }).catch(() => undefined);
}

/** @param {Added} server */
async function useEverything({ card, run }) {
  await run('echo', { message: 'hello' }, 'Echo: hello');
  await run('get-sum', { a: 2, b: 3 }, 'The sum of 2 and 3 is 5.');
  await run('get-env', {}, 'PATH');
  await run('get-annotated-message', { messageType: 'error' }, 'Error: Operation failed');
  await run('get-resource-links', { count: 2 }, 'demo://resource/dynamic');
  await run('get-resource-reference', { resourceType: 'Text', resourceId: 1 }, 'Resource 1');
  await run('get-structured-content', { location: 'Chicago' }, /conditions/);
  await run('get-tiny-image', {}, 'The image above is the MCP logo.');
  await page.getByRole('img').last().waitFor();
  const data = `data:text/plain;base64,${Buffer.from('hello').toString('base64')}`;
  await run('gzip-file-as-resource', { name: 'a.gz', data, outputType: 'resource' }, /gzip/);
  const reported = page.locator('progress[max="4"]').first().waitFor();
  await run('trigger-long-running-operation', { duration: 4, steps: 4 }, /operation completed/);
  await reported;
  await run('toggle-simulated-logging', {}, /Started simulated/);
  await run('trigger-long-running-operation', { duration: 8, steps: 2 }, /level message|-level/);
  await run('toggle-simulated-logging', {}, /Stopped simulated/);
  await run('toggle-subscriber-updates', {}, /Started/);
  await run('toggle-subscriber-updates', {}, /Stopped/);
  const asked = run('trigger-elicitation-request', {}, 'User provided the requested information');
  const given = page.getByRole('dialog').getByRole('textbox', { name: 'Your answer' });
  await given.fill('{"name": "Ada", "integer": 7}');
  await answer('Send');
  await asked;
  const url = new URL('badge.svg', CLOCHE_PAGE).href;
  const opened = run('trigger-url-elicitation', { url }, 'User completed the URL elicitation flow');
  await answer('Open in a new tab');
  await opened;

  await page.goto(`${CLOCHE_PAGE}#/servers`);
  await card.getByText('Resources and prompts').click();
  const features = card.getByRole('form', { name: 'features.md' });
  await features.getByRole('button', { name: 'Read' }).click();
  await card
    .getByText(/Everything Server/)
    .first()
    .waitFor();
  const template = card.getByRole('form', { name: 'Dynamic Text Resource' });
  await template.getByLabel('resourceId').fill('7');
  await template.getByRole('button', { name: 'Read' }).click();
  await card
    .getByText(/Resource 7/)
    .first()
    .waitFor();
  const blob = card.getByRole('form', { name: 'Dynamic Blob Resource' });
  await blob.getByLabel('resourceId').fill('7');
  await blob.getByRole('button', { name: 'Read' }).click();
  const team = card.getByRole('form', { name: 'Team Management' });
  await team.getByLabel(/^department/).fill('S');
  await team.locator('option[value=Sales]').waitFor({ state: 'attached' });
  await team.getByLabel(/^department/).fill('Sales');
  await team.getByLabel(/^name/).fill('E');
  await team.locator('option[value=Eve]').waitFor({ state: 'attached' });
  await team.getByLabel(/^name/).fill('Eve');
  await team.getByRole('button', { name: 'Fill in' }).click();
  await card.getByText('Please promote Eve to the head of the Sales team.').waitFor();
  console.log('✓ everything: resources, templates, prompts and completion');
}

/** @param {Added} server */
async function useMemory({ card, run }) {
  const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
  const relation = { from: 'Ada', to: 'Ada', relationType: 'knows' };
  await run('create_entities', { entities: [entity] }, 'writes programs');
  await run('create_relations', { relations: [relation] }, 'knows');
  const observed = { entityName: 'Ada', contents: ['likes tea'] };
  await run('add_observations', { observations: [observed] }, 'likes tea');
  await run('read_graph', {}, 'likes tea');
  await run('search_nodes', { query: 'tea' }, 'likes tea');
  await run('open_nodes', { names: ['Ada'] }, 'likes tea');
  await page.goto(`${CLOCHE_PAGE}#/servers`);
  await card.getByText('Resources and prompts').click();
  await card.getByRole('button', { name: 'Read' }).click();
  await card
    .getByText(/likes tea/)
    .first()
    .waitFor();
  const deletion = { entityName: 'Ada', observations: ['likes tea'] };
  await run('delete_observations', { deletions: [deletion] }, /deleted successfully/);
  await run('delete_relations', { relations: [relation] }, /deleted successfully/);
  await run('delete_entities', { entityNames: ['Ada'] }, /deleted successfully/);
}

/** @param {Added} server */
async function useFiles({ run }) {
  const path = join(folder, 'a.txt');
  await writeFile(join(folder, 'dot.png'), Buffer.from(dot, 'base64'));
  await run('list_allowed_directories', {}, folder);
  await run('write_file', { path, content: 'one\ntwo\n' }, /Successfully wrote/);
  await run('read_file', { path }, /two/);
  await run('read_text_file', { path, head: 1 }, /one/);
  await run('read_media_file', { path: join(folder, 'dot.png') }, /image\/png|dot/);
  await run('read_multiple_files', { paths: [path] }, /two/);
  await run('edit_file', { path, edits: [{ oldText: 'two', newText: 'three' }] }, /\+three/);
  await run('create_directory', { path: join(folder, 'sub') }, /Successfully created/);
  await run('move_file', { source: path, destination: join(folder, 'sub/b.txt') }, /moved/);
  await run('list_directory', { path: folder }, /\[DIR\] sub/);
  await run('list_directory_with_sizes', { path: folder, sortBy: 'size' }, /Total/);
  await run('directory_tree', { path: folder }, /b\.txt/);
  await run('search_files', { path: folder, pattern: '**/*.txt' }, /b\.txt/);
  await run('get_file_info', { path: join(folder, 'sub/b.txt') }, /isFile/);
  await run('read_file', { path: '/etc/hostname' }, /Access denied/);
}

/**
 * @param {readonly string[]} command
 * @returns {Promise<string>} the address that the bridge prints
 */
async function bridged(command) {
  const { origin } = new URL(CLOCHE_PAGE);
  const args = ['bridge', '--port', '0', '--allow-origin', origin, '--', ...command];
  const bridge = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
  });
  const ended = new Promise((resolve) => bridge.once('close', resolve));
  stops.push(async () => {
    bridge.kill('SIGINT');
    await ended;
  });
  let said = '';
  return new Promise((resolve, reject) => {
    for (const stream of [bridge.stdout, bridge.stderr])
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        said += text;
        const [url] = /http:\/\/127\.0\.0\.1:\d+\/\w+\/mcp/.exec(said) ?? [];
        if (url !== undefined) resolve(url);
      });
    void ended.then(() => reject(new Error(`The bridge ended:\n${said}`)));
  });
}
