/** Signing in to an MCP server in the real Firefox: its tabs and the channels between them work differently. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  protect,
  startAuthorizationServer,
  type AuthorizationServer,
} from '../support/authorization-server.ts';
import { callHere } from '../support/call-here.ts';
import { startMcpServer, type TestServer } from '../support/mcp-server.ts';
import { click, fill, shows, useFirefox } from './firefox.ts';

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

async function call(): Promise<string> {
  const { page } = firefox();
  const tool = await page.evaluate(
    () => globalThis.cloche.registry.list().find(({ server: of }) => of !== undefined)?.name ?? '',
  );
  const { result } = await page.evaluate(callHere, [tool, '{}', undefined, 'user'] as const);
  return result.textResultForLlm;
}

async function begin(): Promise<void> {
  const { page } = firefox();
  await click(page, 'button', 'Sign in');
  await shows(page, `wants you to sign in with ${login.origin}`);
  await click(page, 'button', 'Continue');
  await click(page, 'button', 'Open the page');
}

test('a user signs in; an expired token is refreshed, a revoked one ends the sign-in, and a mix-up is refused', async () => {
  const { page, trouble } = firefox();
  trouble.expect(/foreign request/);
  await page.evaluate(() => {
    location.hash = '#/servers';
  });
  await fill(page, '::-p-aria([name="Address of an MCP server"][role="textbox"])', server.url);
  await click(page, 'button', 'Add server');
  await shows(page, 'requires you to sign in');
  expect(login.received).toEqual([]);

  login.habits.issuer.response = 'https://other.example';
  await begin();
  await shows(page, 'Issuer mismatch');
  expect(login.received).not.toContain('/token');
  login.habits.issuer.response = null;

  await begin();
  await shows(page, 'Connected');
  expect(await call()).toBe('You are Ada.');
  login.expire();
  expect(await call()).toBe('You are Ada.');
  expect(login.received.filter((path) => path === '/token')).toHaveLength(2);
  login.revoke();
  expect(await call()).toContain('requires you to sign in');
  await shows(page, 'Not connected');
  await begin();
  await vi.waitFor(async () => expect(await call()).toBe('You are Ada.'), { timeout: 30_000 });
});
