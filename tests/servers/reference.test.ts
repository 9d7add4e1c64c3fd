/** The reference servers of MCP through `npx cloche bridge`: every capability that they offer, used as users do. */

import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { answer, click, press, resize, shows, useFirefox } from '../firefox/firefox.ts';
import { addProvider, fillNamed, go, idle, newSession, send } from '../firefox/session.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import {
  addServer,
  fillOffer,
  openOffers,
  openTool,
  suggests,
  textIs,
  type AddedServer,
} from './added-server.ts';
import { bridged, type RunningServer } from './running-server.ts';

const patience = { timeout: 60_000, interval: 100 };
/** A picture of one pixel. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const browser = useFirefox();
const running: RunningServer[] = [];
let endpoint: ModelEndpoint;
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'cloche-servers-')));
  endpoint = await startModelEndpoint();
  // What is out of view is not laid out.
  await resize(browser().page, 1280, 2_400);
});
afterAll(async () => {
  for (const server of running) await server.end();
  await endpoint.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => browser().trouble.expect(/^foreign request: \S+ http:\/\/127\.0\.0\.1:/));

async function added(...server: readonly string[]): Promise<AddedServer> {
  const { page, url } = browser();
  const started = await bridged(url, server, { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') });
  running.push(started);
  return addServer(page, started.url);
}

let everything: AddedServer;

test('server-everything: all its tools run, log, report progress and ask', async () => {
  const { page, url } = browser();
  everything = await added('server-everything', 'stdio');
  const { run, idOf } = everything;
  await run('echo', { message: 'hello' }, 'Echo: hello');
  await run('get-sum', { a: 2, b: 3 }, 'The sum of 2 and 3 is 5.');
  await run('get-env', {}, 'PATH');
  await run('get-annotated-message', { messageType: 'error' }, 'Error: Operation failed');
  await run('get-resource-links', { count: 2 }, 'demo://resource/dynamic');
  await run('get-resource-reference', { resourceType: 'Text', resourceId: 1 }, 'Resource 1');
  await run('get-structured-content', { location: 'Chicago' }, /conditions/);
  await run('get-tiny-image', {}, 'The image above is the MCP logo.');
  await vi.waitFor(async () => {
    expect(await page.$('section[aria-label="Result"] img')).not.toBeNull();
  }, patience);
  const reported = vi.waitFor(async () => {
    expect(await page.$('progress[max="4"]')).not.toBeNull();
  }, patience);
  await run('trigger-long-running-operation', { duration: 4, steps: 4 }, /operation completed/);
  await reported;
  await run('toggle-simulated-logging', {}, /Started simulated/);
  await run('trigger-long-running-operation', { duration: 8, steps: 2 }, /Duration: 8/);
  await shows(page, '-level');
  await run('toggle-simulated-logging', {}, /Stopped simulated/);

  const asking = run('trigger-elicitation-request', {}, 'User provided the requested information');
  await vi.waitFor(async () => {
    await fillNamed(page, 'Your answer', '{"name": "Ada", "integer": 7}');
    await answer(page, 'Please provide inputs', 'Send');
  }, patience);
  await asking;
  const pages = await page.browser().pages();
  const { href } = new URL('badge.svg', url);
  const opening = run('trigger-url-elicitation', { url: href }, 'User completed');
  await answer(page, href, 'Open in a new tab');
  await opening;
  for (const other of await page.browser().pages()) if (!pages.includes(other)) await other.close();

  await openTool(page, idOf('trigger-long-running-operation'));
  await click(page, 'button', 'Run');
  await click(page, 'button', 'Stop');
  await textIs(page, 'section[aria-label="Result"]', /cancelled|stopped/i);
});

test('server-everything: resources, templates, prompts and completion, in a message', async () => {
  const { page } = browser();
  const { card, run, left } = everything;
  await openOffers(page, card);
  const form = (name: string): string => `${card} form[aria-label="${name}"]`;
  const ask = (name: string): Promise<void> => press(page, `${form(name)} button[type=submit]`);
  await ask('features.md');
  await textIs(page, card, /Everything Server/);
  await fillOffer(page, form('Dynamic Text Resource'), 'resourceId', '7');
  await ask('Dynamic Text Resource');
  await textIs(page, card, /Resource 7/);
  await fillOffer(page, form('Dynamic Blob Resource'), 'resourceId', '7');
  await ask('Dynamic Blob Resource');
  await textIs(page, card, /Resource 7|\[text\/plain\]/);
  await ask('Simple Prompt');
  await textIs(page, card, /simple prompt without arguments/i);
  await fillOffer(page, form('Arguments Prompt'), 'city', 'Graz');
  await ask('Arguments Prompt');
  await textIs(page, card, /weather in Graz/);
  await fillOffer(page, form('Team Management'), 'department', 'S');
  await suggests(page, form('Team Management'), 'Sales');
  await fillOffer(page, form('Team Management'), 'department', 'Sales');
  await fillOffer(page, form('Team Management'), 'name', 'E');
  await suggests(page, form('Team Management'), 'Eve');
  await fillOffer(page, form('Team Management'), 'name', 'Eve');
  await ask('Team Management');
  await textIs(page, card, /Please promote Eve to the head of the Sales team\./);

  // A new resource of the server is listed without a reload.
  const data = `data:text/plain;base64,${Buffer.from('hello').toString('base64')}`;
  await run('gzip-file-as-resource', { name: 'a.gz', data, outputType: 'resource' }, /gzip/);
  await openOffers(page, card);
  await ask('a.gz');
  await textIs(page, card, /\[application\/gzip\]/);

  await addProvider(page, { kind: 'openai-chat', name: 'Mine', url: `${endpoint.url}/v1` });
  await newSession(page, 'Mine');
  await openOffers(page, card);
  await ask('features.md');
  await click(page, 'button', 'Attach to a message');
  await shows(page, 'features.md');
  await openOffers(page, card);
  await fillOffer(page, form('Resource Prompt'), 'resourceType', 'Text');
  await fillOffer(page, form('Resource Prompt'), 'resourceId', '3');
  await ask('Resource Prompt');
  await click(page, 'button', 'Put into a message');
  await vi.waitFor(async () => {
    const written = await page.$eval('textarea', ({ value }) => value);
    expect(written).toContain('This prompt includes the Text resource with id: 3.');
  }, patience);
  endpoint.answer({ text: 'I have read it.' });
  await page.focus('textarea');
  await page.keyboard.press('Enter');
  await shows(page, 'I have read it.');
  for (const text of ['Everything Server', 'This prompt includes', 'Resource 3'])
    expect(endpoint.requests.at(-1)?.text).toContain(text);
  await idle(page);
  await run('toggle-subscriber-updates', {}, /Started/);
  await run('toggle-subscriber-updates', {}, /Stopped/);
  // Cloche does not offer tasks, which this tool needs.
  expect([...left]).toEqual(['simulate-research-query']);
});

test('server-everything: a model calls its tools after the user has allowed it, and a call is stopped', async () => {
  const { page } = browser();
  const { idOf } = everything;
  await newSession(page, 'Mine');
  const named = (tool: string): string => idOf(tool).replace(':', '__');
  endpoint.answer(
    { calls: [{ name: named('get-sum'), arguments: '{"a": 20, "b": 22}' }] },
    { text: 'It is done.' },
  );
  await send(page, 'Add.');
  await answer(page, 'get-sum', 'Allow once');
  await shows(page, 'It is done.');
  expect(endpoint.requests.at(-1)?.text).toContain('The sum of 20 and 22 is 42.');
  await idle(page);
  expect(await page.$$('section[aria-label^="Call to"]')).toHaveLength(1);
  const args = '{"duration": 60, "steps": 30}';
  endpoint.answer({ calls: [{ name: named('trigger-long-running-operation'), arguments: args }] });
  await send(page, 'Take your time.');
  await answer(page, 'trigger-long-running-operation', 'Allow once');
  await shows(page, 'Running tools');
  await page.keyboard.press('Escape');
  await idle(page);
});

test('server-memory: all its tools and its resource', async () => {
  const { page } = browser();
  const { card, run, left } = await added('server-memory');
  const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
  const relation = { from: 'Ada', to: 'Ada', relationType: 'knows' };
  await run('create_entities', { entities: [entity] }, 'writes programs');
  await run('create_relations', { relations: [relation] }, 'knows');
  const observed = { entityName: 'Ada', contents: ['likes tea'] };
  await run('add_observations', { observations: [observed] }, 'likes tea');
  await run('read_graph', {}, 'likes tea');
  await run('search_nodes', { query: 'tea' }, 'likes tea');
  await run('open_nodes', { names: ['Ada'] }, 'likes tea');
  await openOffers(page, card);
  await press(page, `${card} form button[type=submit]`);
  await textIs(page, card, /likes tea/);
  const deletion = { entityName: 'Ada', observations: ['likes tea'] };
  await run('delete_observations', { deletions: [deletion] }, /deleted successfully/);
  await run('delete_relations', { relations: [relation] }, /deleted successfully/);
  await run('delete_entities', { entityNames: ['Ada'] }, /deleted successfully/);
  expect([...left]).toEqual([]);
});

test('server-filesystem: all its tools, and a refused path', async () => {
  const { run, left } = await added('server-filesystem', folder);
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
  expect([...left]).toEqual([]);
});

test('a server is removed and brought back, and connects again', async () => {
  const { page } = browser();
  const { card } = everything;
  await go(page, '#/servers');
  await press(page, `${card} ::-p-aria([name="Remove"][role="button"])`);
  await click(page, 'button', 'Undo');
  await textIs(page, `${card} [role=status]`, /^Connected/);
  await press(page, `${card} ::-p-aria([name="Reconnect"][role="button"])`);
  await textIs(page, `${card} [role=status]`, /^Connected/);
});
