/** Documents and tokens of authorization servers that break their specifications. */

import { expect, test } from 'vitest';
import { metadataAddress, readSignIn } from './sign-in.ts';

const server = new URL('https://mcp.example.com/mcp');

async function read(body: unknown, sent: object = {}): Promise<[unknown, string[]]> {
  const notes: string[] = [];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const note = (problem: string) => notes.push(problem);
  const response = await readSignIn(new Response(text), JSON.stringify(sent), server, note);
  return [await response.json(), notes];
}

const token = { access_token: 'a', token_type: 'bearer', expires_in: 5, refresh_token: 'r' };
const metadata = {
  issuer: 'https://login.example',
  authorization_endpoint: 'https://login.example/authorize',
  token_endpoint: 'https://login.example/token',
  response_types_supported: ['code'],
};
const openId = {
  ...metadata,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  jwks_uri: 'https://login.example/keys',
};

test('valid documents stay as they are', async () => {
  for (const body of [token, openId, { resource: server.href, authorization_servers: [] }])
    expect(await read(body)).toEqual([body, []]);
});

test.each<[string, unknown, object, RegExp]>([
  [
    'a form',
    'access_token=a&token_type=bearer&scope=x+y',
    { access_token: 'a', token_type: 'bearer', scope: 'x y' },
    /a form, not JSON/,
  ],
  [
    'no token_type',
    { access_token: 'a' },
    { access_token: 'a', token_type: 'Bearer' },
    /no token_type/,
  ],
  [
    'null',
    { ...token, refresh_token: null, scope: '' },
    { access_token: 'a', token_type: 'bearer', expires_in: 5 },
    /refresh_token is null or empty/,
  ],
  [
    'a list of scopes',
    { ...token, scope: ['x', 'y'] },
    { ...token, scope: 'x y' },
    /scope of the token response is a list/,
  ],
  [
    'a time in words',
    { ...token, expires_in: 'never' },
    { access_token: 'a', token_type: 'bearer', refresh_token: 'r' },
    /expires_in/,
  ],
  ['no response types', { ...openId, response_types_supported: null }, openId, /null or empty/],
  [
    'scopes as a text',
    { ...openId, scopes_supported: 'a b' },
    { ...openId, scopes_supported: ['a', 'b'] },
    /scopes_supported is a string/,
  ],
  [
    'http behind a proxy',
    {
      resource: 'http://mcp.example.com/mcp',
      authorization_servers: ['http://mcp.example.com', 'http://other.example'],
    },
    {
      resource: server.href,
      authorization_servers: ['https://mcp.example.com', 'http://other.example'],
    },
    /http addresses/,
  ],
])('%s', async (_, body, expected, problem) => {
  const [value, notes] = await read(body);
  expect(value).toEqual(expected);
  expect(notes[0]).toMatch(problem);
});

test('an error in a form is an error, and other texts stay', async () => {
  expect((await read('error=bad_code&error_description=No'))[0]).toEqual({
    error: 'bad_code',
    error_description: 'No',
  });
  // A page in place of metadata, for which nothing was sent, is no form, whatever its links are.
  const text = '<html><a href="/?page=1&error=none">Help</a></html>';
  const page = new Response(text, { headers: { 'Content-Type': 'text/html' } });
  const same = await readSignIn(page, undefined, server, () => undefined);
  expect(await same.text()).toBe(text);
});

test('metadata of OAuth at the address of OpenID has what the client requires of OpenID', async () => {
  expect((await read(metadata))[0]).toMatchObject({
    subject_types_supported: ['public'],
    jwks_uri: metadata.token_endpoint,
  });
});

test('a registration has what was sent, where the response leaves it out', async () => {
  const sent = { redirect_uris: ['https://cloche.example/sign-in.html'] };
  expect(await read({ client_id: 'c', client_secret_expires_at: '0' }, sent)).toEqual([
    { client_id: 'c', ...sent },
    [
      'the registration response has no redirect_uris: read as those that were sent.',
      'client_secret_expires_at of the registration response is not a number.',
    ],
  ]);
});

test('only an address of the server itself is read as https', () => {
  const address = (named: string, at = server) => metadataAddress(new URL(named), at)?.href;
  expect(address('http://mcp.example.com/.well-known/x')).toBe(
    'https://mcp.example.com/.well-known/x',
  );
  expect(address('http://other.example/x')).toBe('http://other.example/x');
  expect(address('http://mcp.example.com:8080/x')).toBe('http://mcp.example.com:8080/x');
  const local = new URL('http://127.0.0.1:3000/mcp');
  expect(address('http://127.0.0.1:3000/x', local)).toBe('http://127.0.0.1:3000/x');
});
