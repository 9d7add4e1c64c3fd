/** Signing in to servers, against a real authorization server. */

import { afterEach, expect, test } from 'vitest';
import {
  protect,
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../../tests/support/authorization-server.ts';
import type { TestServer } from '../../../tests/support/mcp-server.ts';
import { reasonAgainstOrigin } from './server-sign-in.ts';
import type { Fetch } from './wire/server-fetch.ts';
import { Tokens } from './wire/sign-in.ts';
import { added, endServers, serve, until, type Bench } from '../../../tests/support/mcp-bench.ts';

const slow = { name: 'slow', inputSchema: { type: 'object' } };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  await endServers();
  for (const end of ends.splice(0)) await end();
});

async function setUp(
  metadata?: Parameters<typeof protect>[2],
): Promise<{ server: TestServer; login: AuthorizationServer; made: Bench & { key: string } }> {
  const login = await startAuthorizationServer();
  ends.push(() => login.close());
  const server = await serve({
    tools: [slow],
    run: () => ({ content: [{ type: 'text', text: 'Done.' }] }),
  });
  protect(server, login, metadata);
  return { server, login, made: await added(server.url) };
}

const view = ({ servers }: Bench) => servers.list()[0];
const access = (made: Bench) => made.servers.server(view(made)?.id ?? '');
const stepOf = (made: Bench) => view(made)?.signIn?.step;

/** Opens the page of the authorization server, whose user agrees. */
async function agree(made: Bench): Promise<Record<string, string>> {
  const shown = view(made)?.signIn;
  const url = shown?.step === 'open' ? shown.url : '';
  const response = await fetch(url, { redirect: 'manual' });
  return Object.fromEntries(new URL(response.headers.get('Location') ?? '').searchParams);
}

/** Signs in as far as the page of the authorization server, which is not contacted before the user confirms its origin. */
async function confirm(made: Bench, login: AuthorizationServer): Promise<void> {
  access(made).signIn(null);
  await until(() => expect(stepOf(made)).toBe('confirm'));
  expect([view(made)?.signIn, login.received]).toEqual([
    { step: 'confirm', origin: login.origin },
    [],
  ]);
  access(made).confirmSignIn();
  await until(() => expect(stepOf(made)).toBe('open'));
}

async function signIn(
  made: Bench,
  client: Parameters<ReturnType<typeof access>['signIn']>[0] = null,
): Promise<void> {
  access(made).signIn(client);
  await until(() => expect(stepOf(made)).toBe('confirm'));
  access(made).confirmSignIn();
  await until(() => expect(stepOf(made)).toBe('open'));
  made.respond(await agree(made));
  await until(() => expect(view(made)?.state).toBe('connected'));
}

test('a user signs in, and the authorization server is contacted only after it is confirmed', async () => {
  const { server, login, made } = await setUp();
  expect(view(made)).toMatchObject({ state: 'failed', fault: { cause: 'sign-in' } });
  await confirm(made, login);
  const response = await agree(made);
  // A response to another sign-in is ignored.
  made.respond({ ...response, state: 'other' });
  expect(stepOf(made)).toBe('open');
  // A page that is loaded again sends its response again.
  made.respond(response);
  made.respond(response);
  await until(() => expect(view(made)).toMatchObject({ state: 'connected', isSignedIn: true }));
  expect(login.received).toContain('/register');
  expect(login.received.filter((path) => path === '/token')).toHaveLength(1);
  expect(await made.call(`${made.key}:slow`)).toMatchObject({ resultType: 'success' });
  const [token] = login.tokens.keys();
  expect(server.received.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  expect(JSON.stringify([...made.stored])).not.toContain(token);
  expect(JSON.stringify([...made.keys])).toContain(token);

  // Expired: refreshed once, and stored.
  login.expire();
  expect(await made.call(`${made.key}:slow`)).toMatchObject({ resultType: 'success' });
  const [fresh] = login.tokens.keys();
  expect(fresh).not.toBe(token);
  await until(() => expect(JSON.stringify([...made.keys])).toContain(fresh));

  // Revoked: the user is told to sign in again.
  login.revoke();
  const refused = await made.call(`${made.key}:slow`);
  expect(refused.error).toContain('requires you to sign in');
  expect(view(made)).toMatchObject({ state: 'failed', fault: { cause: 'sign-in', status: 401 } });
  await signIn(made);
  expect(await made.call(`${made.key}:slow`)).toMatchObject({ resultType: 'success' });

  access(made).signOut();
  await until(() => expect(view(made)).toMatchObject({ state: 'failed', isSignedIn: false }));
  expect([...made.keys]).toEqual([]);
});

test('a refresh that ends after a new sign-in does not replace its tokens', async () => {
  const { server, login, made } = await setUp();
  await signIn(made);
  login.expire();
  let answerOld: () => void = () => undefined;
  login.habits.refreshes = new Promise((resolve) => {
    answerOld = resolve;
  });
  const call = made.call(`${made.key}:slow`);
  await until(() => expect(login.tokens.size).toBe(1));
  login.habits.refreshes = null;
  login.expire();
  await signIn(made);
  await until(() => expect(login.tokens.size).toBe(1));
  const [fresh] = login.tokens.keys();
  await until(() => expect(server.received.at(-1)?.headers.authorization).toBe(`Bearer ${fresh}`));
  await until(() => expect(view(made)).toMatchObject({ state: 'connected', signIn: null }));
  const before = JSON.stringify([...made.keys]);
  expect(before).toContain(fresh);
  answerOld();
  await call;
  // The worker reports the refresh within 50 ms.
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(JSON.stringify([...made.keys])).toBe(before);
  await made.servers.reconnect(view(made)?.id ?? '');
  expect(server.received.at(-1)?.headers.authorization).toBe(`Bearer ${fresh}`);
  // Later refreshes are stored.
  login.expire();
  expect(await made.call(`${made.key}:slow`)).toMatchObject({ resultType: 'success' });
  const [latest] = login.tokens.keys();
  await until(() => expect(JSON.stringify([...made.keys])).toContain(latest));
});

test('metadata of the resource at another origin is read once the user has confirmed it', async () => {
  const { server, login, made } = await setUp();
  const { instead } = server.habits;
  login.habits.documents = {
    '/meta': {
      resource: server.url,
      authorization_servers: [login.origin],
      scopes_supported: null,
    },
  };
  login.habits.written = (granted) => {
    const { access_token, refresh_token } = granted as Record<string, string>;
    return new URLSearchParams({ access_token, refresh_token } as Record<
      string,
      string
    >).toString();
  };
  const challenge = `Bearer resource_metadata="${login.origin}/meta"`;
  server.habits.instead = (request, response) => {
    const isMetadata = request.url.includes('.well-known');
    if (isMetadata) response.writeHead(404).end();
    else if (request.headers.authorization === undefined && request.method !== 'OPTIONS')
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
    else return instead?.(request, response) === true;
    return true;
  };
  await made.servers.reconnect(view(made)?.id ?? '');
  await confirm(made, login);
  made.respond(await agree(made));
  await until(() => expect(view(made)).toMatchObject({ state: 'connected', isSignedIn: true }));
  // What signing in has shown outlives the connection that follows.
  const problems = () => view(made)?.problems.join('\n');
  await until(() => expect(problems()).toContain('Signing in: the token response is a form'));
  expect(problems()).toContain(
    `Signing in: resource_metadata is at another origin, ${login.origin}`,
  );
  expect(problems()).toContain('Signing in: scopes_supported is null');
});

test('a server that has the metadata itself needs no other origin for it', async () => {
  const { server, login, made } = await setUp();
  const { instead } = server.habits;
  const challenge = 'Bearer resource_metadata="https://elsewhere.example/meta"';
  server.habits.instead = (request, response) => {
    const isOpen = request.url.includes('.well-known') || request.method === 'OPTIONS';
    if (isOpen || request.headers.authorization !== undefined)
      return instead?.(request, response) === true;
    response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
    return true;
  };
  await made.servers.reconnect(view(made)?.id ?? '');
  access(made).signIn(null);
  await until(() => expect(view(made)?.signIn).toEqual({ step: 'confirm', origin: login.origin }));
});

test('a typed client is used instead of a registered one, and each origin is confirmed', async () => {
  const { login, made } = await setUp();
  login.habits.registers = false;
  const tokens = await startAuthorizationServer();
  ends.push(() => tokens.close());
  login.habits.tokenOrigin = tokens.origin;
  access(made).signIn({ id: 'typed-client', secret: '' });
  await until(() => expect(stepOf(made)).toBe('confirm'));
  access(made).confirmSignIn();
  await until(() => expect(view(made)?.signIn).toEqual({ step: 'confirm', origin: tokens.origin }));
  expect(tokens.received).toEqual([]);
  access(made).cancelSignIn();
  expect(view(made)?.signIn).toBeNull();
  login.habits.tokenOrigin = '';
  await signIn(made, { id: 'typed-client', secret: '' });
  expect(login.received).not.toContain('/register');
});

test('the document of the site describes Cloche, and its address is the client id', async () => {
  const { login, made } = await setUp();
  const url = 'https://cloche.example/oauth-client.json';
  const redirect_uris = ['https://cloche.example/sign-in.html'];
  login.habits.readClient = () => Promise.resolve({ client_id: url, redirect_uris });
  made.clientUrl = url;
  await signIn(made);
  expect(login.asked.map((asked) => asked.get('client_id'))).toEqual([url]);
  expect(login.received).not.toContain('/register');
  expect(await made.call(`${made.key}:slow`)).toMatchObject({ resultType: 'success' });
  // A refresh names the same client.
  login.expire();
  expect(await made.call(`${made.key}:slow`)).toMatchObject({ resultType: 'success' });
  expect(login.received.filter((path) => path === '/token')).toHaveLength(2);
  access(made).signOut();
  await until(() => expect(view(made)?.isSignedIn).toBe(false));
  // A typed id takes precedence, and a server that takes no documents gets a registration.
  await signIn(made, { id: 'typed-client', secret: '' });
  access(made).signOut();
  await until(() => expect(view(made)?.isSignedIn).toBe(false));
  login.habits.readClient = null;
  await signIn(made);
  const [, typed, registered] = login.asked.map((asked) => asked.get('client_id'));
  expect([typed, registered === url]).toEqual(['typed-client', false]);
  expect(login.received).toContain('/register');
});

test('what could give a token to another server is refused', async () => {
  const other = await setUp({ resource: 'http://127.0.0.1:1/other' });
  access(other.made).signIn(null);
  await until(() => expect(stepOf(other.made)).toBe('confirm'));
  access(other.made).confirmSignIn();
  await until(() => expect(stepOf(other.made)).toBe('failed'));
  expect(view(other.made)?.signIn).toMatchObject({
    why: expect.stringContaining('does not match') as string,
  });

  const { login, made } = await setUp();
  login.habits.audience = 'https://other.example/';
  access(made).signIn(null);
  await until(() => expect(stepOf(made)).toBe('confirm'));
  access(made).confirmSignIn();
  await until(() => expect(stepOf(made)).toBe('open'));
  made.respond(await agree(made));
  await until(() => expect(view(made)).toMatchObject({ state: 'failed', isSignedIn: true }));
  expect(view(made)?.fault?.cause).toBe('sign-in');
});

test('signing out ends the tokens at the authorization server', async () => {
  const { login, made } = await setUp();
  await signIn(made);
  expect(login.tokens.size).toBe(1);
  access(made).signOut();
  await until(() => expect(login.received.filter((path) => path === '/revoke')).toHaveLength(2));
  expect(login.tokens.size).toBe(0);
  await until(() => expect(view(made)).toMatchObject({ state: 'failed', isSignedIn: false }));
});

test('a server that wants more rights for a call has the user sign in again, for these and the earlier ones', async () => {
  const { server, login, made } = await setUp({ scopes_supported: ['notes:read'] });
  await signIn(made);
  const { instead } = server.habits;
  const challenge = 'Bearer error="insufficient_scope", scope="notes:write"';
  server.habits.instead = (request, response) => {
    if (!request.body.includes('"tools/call"')) return instead?.(request, response) === true;
    response.writeHead(403, { 'WWW-Authenticate': challenge }).end();
    return true;
  };
  const refused = await made.call(`${made.key}:slow`);
  expect(refused.textResultForLlm).toContain('sign in again, with more rights');
  expect(view(made)).toMatchObject({ state: 'failed', fault: { cause: 'sign-in' } });
  access(made).signIn(null);
  await until(() => expect(stepOf(made)).toBe('confirm'));
  access(made).confirmSignIn();
  await until(() => expect(stepOf(made)).toBe('open'));
  const shown = view(made)?.signIn;
  const page = new URL(shown?.step === 'open' ? shown.url : '');
  expect(page.searchParams.get('scope')).toBe('notes:read notes:write');
  server.habits.instead = instead;
  made.respond(await agree(made));
  await until(() => expect(view(made)?.state).toBe('connected'));
  expect((await made.call(`${made.key}:slow`)).textResultForLlm).toBe('Done.');
  // Revoking the old tokens could end the new ones, too: see docs/decisions/mcp.md.
  expect(login.received).not.toContain('/revoke');
  expect(new Set(JSON.stringify([...made.keys]).match(/access-[\w-]+/g)).size).toBe(1);
});

test.each([
  [{ pkce: false }, 'PKCE'],
  [{ refuses: 'access_denied' }, 'access_denied'],
  [{ registers: false }, 'Signing in failed'],
  // A mix-up of authorization servers (RFC 9207), and metadata that another one has copied (RFC 8414).
  [{ issuer: { metadata: null, response: 'https://other.example' } }, 'Issuer mismatch'],
  [{ issuer: { metadata: null, response: '' } }, 'Issuer mismatch'],
  [{ issuer: { metadata: 'https://other.example', response: null } }, 'Issuer mismatch'],
] as const)('signing in fails with words, and no code is sent: %j', async (habits, words) => {
  const { login, made } = await setUp();
  Object.assign(login.habits, habits);
  access(made).signIn(null);
  await until(() => expect(stepOf(made)).toBe('confirm'));
  access(made).confirmSignIn();
  await until(() => expect(stepOf(made)).toMatch(/open|failed/));
  if (stepOf(made) === 'open') made.respond(await agree(made));
  await until(() =>
    expect(view(made)?.signIn).toMatchObject({
      step: 'failed',
      why: expect.stringContaining(words) as string,
    }),
  );
  expect(login.received).not.toContain('/token');
  expect([...made.keys]).toEqual([]);
});

test.each([
  ['http://login.example', 'not encrypted'],
  ['https://cloche.example', 'own address'],
])('a user cannot confirm %s', async (origin, words) => {
  const { made } = await setUp({ authorization_servers: [origin] });
  access(made).signIn(null);
  await until(() => expect(stepOf(made)).toBe('failed'));
  expect(view(made)?.signIn).toMatchObject({ why: expect.stringContaining(words) as string });
});

test('only a local server names a local authorization server', () => {
  const page = 'https://cloche.example';
  expect([
    reasonAgainstOrigin('http://127.0.0.1:8080', 'https://public.example.com/mcp', page),
    reasonAgainstOrigin('http://127.0.0.1:8080', 'http://localhost:3000/mcp', page),
    reasonAgainstOrigin('https://login.example.com', 'https://public.example.com/mcp', page),
  ]).toEqual(['it is a local address', null, null]);
});

const kept = {
  client: { client_id: 'c' },
  tokens: { access_token: 'a', refresh_token: 'r', token_type: 'bearer' },
  discovery: { authorizationServerUrl: 'https://login.example/' },
};
const signedIn = { origins: ['https://login.example'], state: JSON.stringify(kept), secrets: [] };

test('a refresh without a new refresh token keeps the old one', async () => {
  for (const more of [{}, { refresh_token: null }, { refresh_token: '' }]) {
    const states: string[] = [];
    const answer = { access_token: 'b', token_type: 'bearer', ...more };
    const fetch: Fetch = () => Promise.resolve(Response.json(answer));
    const tokens = new Tokens(fetch, new URL('https://a.example'), signedIn, {
      onRefreshed: ({ before, signedIn: { state } }) => {
        expect(before).toBe(signedIn.state);
        states.push(state);
      },
      note: () => undefined,
    });
    await tokens.onUnauthorized();
    expect(states.map((state) => (JSON.parse(state) as typeof kept).tokens)).toMatchObject([
      { access_token: 'b', refresh_token: 'r' },
    ]);
  }
});

test('a sign-in that cannot be refreshed offline has not ended', async () => {
  const refreshed = (fetch: Fetch) =>
    new Tokens(fetch, new URL('https://a.example'), signedIn, {
      onRefreshed: () => undefined,
      note: () => undefined,
    }).onUnauthorized();
  await expect(refreshed(() => Promise.reject(new TypeError('offline')))).rejects.toMatchObject({
    fault: { cause: 'network' },
  });
  // Positive control: a refusal ends it.
  await expect(
    refreshed(() => Promise.resolve(new Response('{"error":"invalid_grant"}', { status: 400 }))),
  ).rejects.toMatchObject({ fault: { cause: 'sign-in', status: 401 } });
});
