/** The page of MCP servers: links that propose one, configurations of other clients, faults with their reasons, and the messages. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { startMcpServer, type ServerHabits, type TestServer } from '../support/mcp-server.ts';
import { press } from '../support/press-until.ts';
import { expect, test } from './support/test.ts';

const echo = { name: 'echo', inputSchema: { type: 'object' } };
const servers: TestServer[] = [];

async function start(habits: Partial<ServerHabits> = {}): Promise<TestServer> {
  const server = await startMcpServer({ tools: [echo], ...habits });
  servers.push(server);
  return server;
}
test.beforeEach(({ trouble }) =>
  trouble.expect(/^foreign request|CORS|net::ERR_FAILED|status of 4/),
);
test.afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const cardOf = (page: Page, url: string) =>
  page.getByRole('region', { name: new URL(url).host, exact: true });
const addButton = (page: Page) => page.getByRole('button', { name: 'Add server' });

async function add(page: Page, address: string): Promise<void> {
  await page.getByLabel('Address of an MCP server').fill(address);
  await addButton(page).click();
}

async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent('drop', options));
    },
    [name, text] as const,
  );
}

test('row 40: a link proposes a server, and nothing is contacted before a guarded button is pressed', async ({
  page,
}) => {
  const server = await start();
  // A name that is not local.
  const url = server.url.replace('127.0.0.1', 'tools.glass.example');
  const link = (address: string): string => `#/open?${new URLSearchParams({ server: address })}`;
  await page.goto('./');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  const pressed = await page.evaluate(async (hash) => {
    location.hash = hash;
    const find = () =>
      [...document.querySelectorAll('button')].find(({ innerText }) => innerText === 'Add server');
    while (find() === undefined) await new Promise((resolve) => requestAnimationFrame(resolve));
    find()?.click();
    return find()?.ariaDisabled;
  }, link(url));
  expect(pressed).toBe('true');
  await expect(page.getByRole('main')).toContainText(url);
  await expect(page.getByRole('main')).toContainText('The connection is not encrypted');
  expect(await violations(page)).toEqual([]);
  const code = (): Promise<string[]> =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => /\/(client|servers)-[^/]*\.js$/.exec(name)?.[1] ?? []),
    );
  expect([server.received, await code()]).toEqual([[], []]);

  await press(addButton(page));
  await expect(cardOf(page, url).getByRole('status')).toContainText('Connected');
  await expect(page).toHaveURL(/#\/servers$/);
  // Controls.
  expect(server.received.length).toBeGreaterThan(0);
  expect(await code()).toContain('servers');

  await page.evaluate((hash) => (location.hash = hash), link(url));
  await press(addButton(page));
  await expect(page.getByRole('alert')).toContainText('has been added already');
  await page.evaluate((hash) => (location.hash = hash), link(server.url));
  await expect(page.getByRole('heading', { name: 'This link cannot be used' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('on your computer or network');
  await expect(addButton(page)).toHaveCount(0);
});

test('a server that a link proposes is added without leaving the page to which the user has gone on', async ({
  page,
}) => {
  const server = await start();
  const url = server.url.replace('127.0.0.1', 'tools.glass.example');
  let load = (): void => undefined;
  const isAwaited = new Promise<void>((resolve) => (load = resolve));
  await page.route(/\/servers-[^/]*\.js$/, async (route) => {
    await isAwaited;
    await route.continue();
  });
  await page.goto(`./#/open?${new URLSearchParams({ server: url })}`);
  const loading = page.waitForRequest(/\/servers-[^/]*\.js$/);
  await press(addButton(page));
  await loading;
  await page.evaluate(() => (location.hash = '#/workspace'));
  await expect(addButton(page)).toHaveCount(0);
  load();
  await expect
    .poll(() => server.received.some(({ body }) => body.includes('tools/list')))
    .toBe(true);
  await expect(page).toHaveURL(/#\/workspace$/);
  await page.evaluate(() => (location.hash = '#/servers'));
  await expect(cardOf(page, url).getByRole('status')).toContainText('Connected');
});

test('configurations of other clients are dropped or pasted, and add nothing by themselves', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const server = await start();
  await page.goto('./#/servers');
  await expect(page.getByText('No servers yet')).toBeVisible();
  const found = page.getByRole('region', { name: 'Servers found' });
  const bridge = `npx cloche bridge --allow-origin ${new URL(page.url()).origin} --`;
  await expect(page.getByText(`${bridge} COMMAND`)).toBeVisible();
  const toml = `[mcp_servers.here]\nurl = "${server.url}"\n[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "server-files"]\n`;
  const goose = `extensions:\n  b: { type: stdio, cmd: npx, args: [server-notes] }\n  c:\n    type: streamable_http\n    uri: ${server.url}\n`;
  const described = {
    name: 'io.example/notes',
    remotes: [{ type: 'streamable-http', url: 'https://notes.example/mcp' }],
  };
  for (const [name, text, words] of [
    ['empty.toml', '', 'No MCP servers were found'],
    ['config.toml', toml, `${bridge} npx -y server-files`],
    ['server.json', JSON.stringify(described), 'https://notes.example/mcp'],
    ['settings.jsonc', `{"servers": {"a": {"url": "${server.url}",},}, // mine\n}`, server.url],
    ['config.yaml', goose, `${bridge} npx server-notes`],
    ['empty.yml', 'mcpServers: []', 'No MCP servers were found'],
    ['empty.json', '{"mcpServers": {}}', 'No MCP servers were found'],
  ] as const) {
    await dropFile(page, name, text);
    await expect(found, name).toContainText(words);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await dropFile(page, 'long.json', `{"mcpServers": {}, "a": "${'x'.repeat(1_000_000)}"}`);
  await expect(page.getByText('The file has more than 1,000,000 bytes')).toBeVisible();
  await expect(found).toHaveCount(0);
  for (const [name, text] of [
    ['api.json', '{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}'],
    ['api.yaml', 'openapi: 3.1.0\npaths:\n  /a: { get: {} }\n'],
  ] as const) {
    await dropFile(page, name, text);
    await expect(page.getByRole('dialog'), name).toContainText('OpenAPI 3.1.0, 1 operation');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  // A field with a single line would join the pasted lines.
  const field = page.getByLabel('Address of an MCP server');
  for (const [text, words] of [
    [goose, `${bridge} npx server-notes`],
    [toml, `${bridge} npx -y server-files`],
    [`// Mine\n{"servers": {"a": {"url": "${server.url}"}}}`, server.url],
    ['Two lines\nof another text', 'No MCP servers were found'],
  ] as const) {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await field.press('ControlOrMeta+v');
    await expect(found).toContainText(words);
    await expect(field).toHaveValue('');
  }
  await page.evaluate(() => navigator.clipboard.writeText('mcpServers:\n  a: { url: "x"\n'));
  await field.press('ControlOrMeta+v');
  await expect(page.getByRole('alert')).toContainText(/Line \d: /);
  await expect(found).toHaveCount(0);
  await dropFile(page, 'config.toml', toml);
  await expect(found).toContainText('This address is on your computer or network');
  expect(await violations(page)).toEqual([]);
  expect(server.received).toEqual([]);
  await found.getByRole('button', { name: 'Add here' }).click();
  await expect(cardOf(page, server.url).getByRole('status')).toContainText('Connected');
  await expect(found).toContainText('Added');
  await cardOf(page, server.url).getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.goto('./#/');
  await dropFile(page, 'claude_desktop_config.json', '{"mcpServers": {"a": {"command": "x"}}}');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('page Servers');
});

test('what a server does not allow pages is named, also in its report', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const withoutHeaders = await start({
    instead: (_, response) => {
      response.removeHeader('Access-Control-Allow-Headers');
      return false;
    },
  });
  const withoutSession = await start({
    instead: ({ body, headers }, response) => {
      response.setHeader('Access-Control-Expose-Headers', 'X-Other');
      if (!body.includes('notifications/') || 'mcp-session-id' in headers) return false;
      response.writeHead(400).end('Bad Request: no session id');
      return true;
    },
  });
  await page.goto('./#/servers');
  for (const [server, words] of [
    [await start({ cors: false }), 'or does not allow this page (CORS)'],
    [withoutHeaders, 'Access-Control-Allow-Headers'],
    [withoutSession, 'Access-Control-Expose-Headers: Mcp-Session-Id'],
  ] as const) {
    await add(page, server.url);
    const card = cardOf(page, server.url);
    await expect(card.getByRole('alert')).toContainText(words);
    await card.getByRole('button', { name: 'Copy report' }).click();
    await expect(card.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(words);
  }
  // Control: a server that allows everything.
  const fine = await start();
  await add(page, fine.url);
  await expect(cardOf(page, fine.url).getByRole('status')).toContainText('Connected');
});

test('messages are searched, run as curl, and exported, without the key', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const key = 'sk-0123456789abcdef';
  const instructions = `The key is ${key}. It's "$(id)" \`x\``;
  const server = await start({
    results: {
      'resources/list': () => ({ resources: [{ uri: 'file:///a', name: instructions }] }),
    },
    capabilities: { tools: {}, resources: {} },
  });
  const card = cardOf(page, server.url);
  await page.goto('./#/servers');
  await add(page, server.url);
  await expect(card.getByRole('status')).toContainText('Connected');
  await card.getByText('Access', { exact: true }).click();
  await card.getByLabel('Key', { exact: true }).fill(key);
  await card.getByRole('button', { name: 'Save key' }).click();
  await expect(card.getByText('A key is sent as Authorization.')).toBeVisible();
  await expect(card.getByRole('status')).toContainText('Connected');
  await card.getByText('Resources and prompts').click();
  await expect(card.getByText('The key is').first()).toBeVisible();
  await card.getByText('Messages', { exact: true }).click();
  await card.getByRole('searchbox', { name: 'Search messages' }).fill('sent resources/list');
  await card
    .getByRole('button', { name: /resources\/list/ })
    .last()
    .click();
  await expect(card.getByRole('list', { name: 'Headers' })).toContainText(
    'authorization: (hidden)',
  );

  await test.step('the copied command sends the same request', async () => {
    const sent = server.received.findLast(({ body }) => body.includes('resources/list'));
    await card.getByRole('button', { name: 'Copy as curl' }).click();
    await expect(card.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('<authorization>');
    expect(copied).not.toContain(key);
    await runCurl(copied.replace('<authorization>', `Bearer ${key}`));
    const again = server.received.at(-1);
    expect(again).not.toBe(sent);
    expect([again?.method, again?.url, again?.body]).toEqual([sent?.method, sent?.url, sent?.body]);
    for (const name of ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-session-id'])
      expect([name, again?.headers[name]]).toEqual([name, sent?.headers[name]]);
  });

  await test.step('the export has all messages in both directions', async () => {
    await card.getByRole('searchbox', { name: 'Search messages' }).fill('');
    const saving = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Export as JSON' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(/-messages\.json$/);
    const saved = await readFile(await download.path(), 'utf8');
    expect(saved).not.toContain(key);
    const { era, messages, dropped } = JSON.parse(saved) as Exported;
    expect([era, dropped]).toEqual(['legacy', 0]);
    const called = messages.flatMap(({ isSent, body }) =>
      isSent && body.startsWith('{') ? [(JSON.parse(body) as { method: string }).method] : [],
    );
    expect(called).toEqual(expect.arrayContaining(['initialize', 'tools/list', 'resources/list']));
    for (const { n, isSent } of messages)
      if (isSent) expect(messages.some((one) => !one.isSent && one.exchange === n)).toBe(true);
    const answer = messages.find(({ isSent, body }) => !isSent && body.includes('The key is'));
    expect(answer?.body).toContain("It's");
    // Control: the key was sent, and came back.
    expect(server.received.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
  });
});

interface Exported {
  readonly era: string;
  readonly dropped: number;
  readonly messages: readonly {
    readonly n: number;
    readonly exchange: number;
    readonly isSent: boolean;
    readonly body: string;
  }[];
}

/** Runs a command in a shell. A function stands in for curl on machines that lack it: it sends what curl would. */
async function runCurl(command: string): Promise<void> {
  const run = promisify(execFile);
  const isInstalled = await run('curl', ['--version']).then(
    () => true,
    () => false,
  );
  if (isInstalled) {
    await run('sh', ['-c', `${command} --silent --max-time 20`]);
    return;
  }
  const { stdout } = await run('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`]);
  const [, method = '', url = '', ...rest] = stdout.split('\0');
  const of = (option: string) =>
    rest.flatMap((value, at) => (rest[at - 1] === option ? [value] : []));
  const headers = of('-H').map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()];
  });
  await fetch(url, { method, headers, body: of('--data-raw')[0] ?? null });
}
