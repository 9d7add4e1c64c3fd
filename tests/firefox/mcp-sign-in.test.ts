/** Signing in to an MCP server in the real Firefox: its tabs and the channels between them work differently. */

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  protect,
  startAuthorizationServer,
  type AuthorizationServer,
} from '../support/authorization-server.ts';
import { callHere } from '../support/call-here.ts';
import { startMcpServer, type TestServer } from '../support/mcp-server.ts';
import { readFromSite, startSecureSite } from '../support/secure-site.ts';
import { click, fill, isFull, shows, useFirefox } from './firefox.ts';

const firefox = useFirefox();
let login: AuthorizationServer;
let server: TestServer;

beforeAll(async () => {
  login = await startAuthorizationServer();
  server = await startMcpServer({
    tools: [{ name: 'whoami', inputSchema: { type: 'object' } }],
    run: () => ({ content: [{ type: 'text', text: 'You are Ada.' }] }),
  });
  protect(server, login);
});
afterAll(async () => {
  await server.close();
  await login.close();
});

async function addServer(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/servers';
  });
  await fill(page, '::-p-aria([name="Address of an MCP server"][role="textbox"])', server.url);
  await click(page, 'button', 'Add server');
  await shows(page, 'requires you to sign in');
}

async function call(page: Page): Promise<string> {
  const tool = await page.evaluate(
    () => globalThis.cloche.registry.list().find(({ server: of }) => of !== undefined)?.name ?? '',
  );
  const { result } = await page.evaluate(callHere, [tool, '{}', undefined, 'user'] as const);
  return result.textResultForLlm;
}

/** Confirms the authorization server. */
async function begin(page: Page): Promise<void> {
  await click(page, 'button', 'Sign in');
  await shows(page, `wants you to sign in with ${login.origin}`);
  await click(page, 'button', 'Continue');
}

async function signIn(page: Page): Promise<void> {
  await begin(page);
  await click(page, 'button', 'Open the page');
}

test('a user signs in; an expired token is refreshed, a revoked one ends the sign-in, and a mix-up is refused', async () => {
  const { page, trouble } = firefox();
  trouble.expect(/foreign request/);
  await addServer(page);
  expect(login.received).toEqual([]);

  login.habits.issuer.response = 'https://other.example';
  await signIn(page);
  await shows(page, 'Issuer mismatch');
  expect(login.received).not.toContain('/token');
  login.habits.issuer.response = null;

  await signIn(page);
  await shows(page, 'Connected');
  expect(await call(page)).toBe('You are Ada.');
  login.expire();
  expect(await call(page)).toBe('You are Ada.');
  expect(login.received.filter((path) => path === '/token')).toHaveLength(2);
  login.revoke();
  expect(await call(page)).toContain('requires you to sign in');
  await shows(page, 'Not connected');
  await signIn(page);
  await vi.waitFor(async () => expect(await call(page)).toBe('You are Ada.'), { timeout: 30_000 });
});

if (isFull)
  test('a client id that the user has registered is used, and no other client is registered', async () => {
    const { page, trouble } = firefox();
    trouble.expect(/foreign request/);
    login.habits.registers = false;
    const before = login.received.filter((path) => path === '/register').length;
    await page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true;
    });
    await click(page, 'button', 'Sign out');
    await shows(page, 'Not connected');
    await begin(page);
    await shows(page, 'Signing in failed');
    const field = 'Client id, if you have registered Cloche yourself';
    await fill(page, `::-p-aria([name="${field}"][role="textbox"])`, 'typed-client');
    await signIn(page);
    await vi.waitFor(async () => expect(await call(page)).toBe('You are Ada.'), {
      timeout: 30_000,
    });
    expect(login.asked.at(-1)?.get('client_id')).toBe('typed-client');
    expect(login.received.filter((path) => path === '/register')).toHaveLength(before);
    login.habits.registers = true;
  });

if (isFull)
  test('on a site with https, the client id is the address of a document that describes Cloche', async () => {
    const { page: first, url } = firefox();
    const site = await startSecureSite(url);
    login.habits.readClient = readFromSite;
    const page = await first.browser().newPage();
    try {
      await page.goto(site.url);
      await addServer(page);
      await signIn(page);
      await vi.waitFor(async () => expect(await call(page)).toBe('You are Ada.'), {
        timeout: 30_000,
      });
      const asked = login.asked.at(-1);
      expect([asked?.get('client_id'), asked?.get('redirect_uri')]).toEqual([
        site.clientUrl,
        new URL('sign-in.html', site.url).href,
      ]);
    } finally {
      login.habits.readClient = null;
      await page.close();
      await site.close();
    }
  });
