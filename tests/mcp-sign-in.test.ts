/** Users sign in to MCP servers in the built app: with a document of its site, typed ids, refreshed and revoked tokens, more rights. */

import type { Page } from '@playwright/test';
import {
  protect,
  startAuthorizationServer,
  type AuthorizationServer,
} from './support/authorization-server.ts';
import { callHere } from './support/call-here.ts';
import { startMcpServer, type TestServer } from './support/mcp-server.ts';
import { adder } from './support/one-model.ts';
import { readFromSite, startSecureSite } from './support/secure-site.ts';
import { expect, test } from './support/shared-page.ts';

const whoami = { name: 'whoami', inputSchema: { type: 'object' } };

let login: AuthorizationServer;
let server: TestServer;
test.beforeAll(async ({ shared }) => {
  login = await startAuthorizationServer();
  server = await startMcpServer({
    tools: [whoami],
    run: () => ({ content: [{ type: 'text', text: 'You are Ada.' }] }),
  });
  protect(server, login, { scopes_supported: ['notes:read'] });
  await shared.open({ 'work.py': adder });
});
test.afterAll(async () => {
  await server.close();
  await login.close();
});

const cardOf = (page: Page) =>
  page.getByRole('region', { name: new URL(server.url).host, exact: true });

async function addServer(page: Page): Promise<void> {
  await page.getByLabel('Address of an MCP server').fill(server.url);
  await page.getByRole('button', { name: 'Add server' }).click();
}

/** Begins to sign in, and confirms the authorization server. */
async function begin(page: Page): Promise<void> {
  const card = cardOf(page);
  await card.getByRole('button', { name: 'Sign in' }).first().click();
  await expect(card.getByRole('region', { name: 'Signing in' })).toContainText(login.origin);
  await card.getByRole('button', { name: 'Continue' }).click();
}

async function agree(page: Page): Promise<void> {
  await cardOf(page).getByRole('button', { name: 'Open the page' }).click();
}

async function signIn(page: Page): Promise<void> {
  await begin(page);
  await agree(page);
  await expect(cardOf(page).getByRole('status').first()).toContainText('Connected');
}

async function signOut(page: Page): Promise<void> {
  const card = cardOf(page);
  const out = card.getByRole('button', { name: 'Sign out' });
  const access = card.getByText('Access', { exact: true });
  // While the server reconnects, its card may be drawn anew, with its parts closed.
  await expect(async () => {
    if (!(await out.isVisible())) await access.click();
    await out.click({ timeout: 2_000 });
  }).toPass();
  await expect(out).toBeHidden();
}

/** Calls the tool as its user does. */
async function call(page: Page): Promise<string> {
  const [tool = ''] = await page.evaluate(() =>
    globalThis.cloche.registry
      .list()
      .flatMap(({ name }) => (name.endsWith(':whoami') ? [name] : [])),
  );
  const { result } = await page.evaluate(callHere, [tool, '{}', undefined, 'user'] as const);
  return result.textResultForLlm;
}

const tokens = (): number => login.received.filter((path) => path === '/token').length;

test('a sign-in is refreshed, ends when it is revoked, and gets more rights', async ({
  page,
  trouble,
}) => {
  trouble.expect(/^foreign request|status of 40[13]/);
  const card = cardOf(page);
  await page.goto('./#/servers');
  await addServer(page);
  await signIn(page);
  expect(await call(page)).toBe('You are Ada.');

  await test.step('an expired token is refreshed without a question', async () => {
    login.expire();
    const before = tokens();
    expect(await call(page)).toBe('You are Ada.');
    expect(tokens()).toBe(before + 1);
    // The fresh one is stored.
    await page.reload();
    await expect(card.getByRole('status').first()).toContainText('Connected');
    expect([await call(page), tokens()]).toEqual(['You are Ada.', before + 1]);
  });

  await test.step('a revoked token ends the sign-in, with words', async () => {
    login.revoke();
    expect(await call(page)).toContain('requires you to sign in');
    await expect(card.getByRole('status').first()).toContainText('Not connected');
    await signIn(page);
    expect(await call(page)).toBe('You are Ada.');
  });

  await test.step('a call that needs more rights asks for these and the earlier ones', async () => {
    const { instead } = server.habits;
    server.habits.instead = (request, response) => {
      if (!request.body.includes('"tools/call"')) return instead?.(request, response) === true;
      const challenge = 'Bearer error="insufficient_scope", scope="notes:write"';
      response.writeHead(403, { 'WWW-Authenticate': challenge }).end();
      return true;
    };
    expect(await call(page)).toContain('sign in again, with more rights');
    server.habits.instead = instead;
    expect(login.asked.at(-1)?.get('scope')).toBe('notes:read');
    await signIn(page);
    expect(login.asked.at(-1)?.get('scope')).toBe('notes:read notes:write');
    expect(await call(page)).toBe('You are Ada.');
  });

  await test.step('a token for another server is not accepted', async () => {
    const token = server.received.at(-1)?.headers.authorization?.replace('Bearer ', '') ?? '';
    expect(login.tokens.has(token)).toBe(true);
    await signOut(page);
    await expect.poll(() => login.tokens.has(token)).toBe(false);
    login.habits.audience = 'https://other.example/';
    const before = tokens();
    await begin(page);
    await agree(page);
    // The server refuses the token, and a fresh one as well.
    await expect.poll(tokens).toBeGreaterThan(before);
    await expect(card.getByRole('status').first()).toContainText('Not connected');
    login.habits.audience = null;
    await signOut(page);
  });

  await test.step('a client that the user has registered needs no registration', async () => {
    login.habits.registers = false;
    await begin(page);
    await expect(card.getByRole('alert').filter({ hasText: 'Signing in failed' })).toBeVisible();
    await card.getByLabel('Client id, if you have registered').fill('typed-client');
    await signIn(page);
    expect(login.asked.at(-1)?.get('client_id')).toBe('typed-client');
    expect(await call(page)).toBe('You are Ada.');
    login.habits.registers = true;
  });
});

test(
  'a sign-in with a fault ends before a code is sent',
  { tag: '@full' },
  async ({ page, trouble }) => {
    trouble.expect(/^foreign request|status of 40[13]/);
    const card = cardOf(page);
    await page.goto('./#/servers');
    if (await card.isVisible()) await signOut(page);
    else await addServer(page);
    const plain = { ...login.habits };
    const before = tokens();
    for (const [habits, words] of [
      [{ pkce: false }, 'PKCE'],
      [{ issuer: { metadata: null, response: 'https://other.example' } }, 'Issuer mismatch'],
      [{ issuer: { metadata: null, response: '' } }, 'Issuer mismatch'],
      [{ issuer: { metadata: 'https://other.example', response: null } }, 'Issuer mismatch'],
      [{ refuses: 'access_denied' }, 'access_denied'],
    ] as const) {
      Object.assign(login.habits, habits);
      await begin(page);
      const failed = card.getByRole('alert').filter({ hasText: words });
      const open = card.getByRole('button', { name: 'Open the page' });
      await expect(failed.or(open).first()).toBeVisible();
      if (await open.isVisible()) await open.click();
      await expect(failed, JSON.stringify(habits)).toBeVisible();
      Object.assign(login.habits, plain);
    }
    expect(tokens()).toBe(before);
    // Control: nothing else was in the way.
    await signIn(page);
    expect(tokens()).toBe(before + 1);
  },
);

test(
  'a site with https describes Cloche in a document, whose address is the client id',
  { tag: '@full' },
  async ({ playwright }, { project }) => {
    const { baseURL = '', launchOptions } = project.use;
    const site = await startSecureSite(baseURL);
    const args = [...(launchOptions?.args ?? []), '--ignore-certificate-errors'];
    const browser = await playwright.chromium.launch({ ...launchOptions, args });
    const page = await browser.newPage({ baseURL: site.url });
    login.habits.readClient = readFromSite;
    const before = login.received.filter((path) => path === '/register').length;
    await page.goto('./#/servers');
    await addServer(page);
    await signIn(page);
    expect(await call(page)).toBe('You are Ada.');
    const asked = login.asked.at(-1);
    expect([asked?.get('client_id'), asked?.get('redirect_uri')]).toEqual([
      site.clientUrl,
      new URL('sign-in.html', site.url).href,
    ]);
    login.expire();
    expect(await call(page)).toBe('You are Ada.');
    expect(login.received.filter((path) => path === '/register')).toHaveLength(before);
    login.habits.readClient = null;
    await browser.close();
    await site.close();
  },
);
