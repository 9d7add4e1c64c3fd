/** Reads what resource and authorization servers send during a sign-in, where it breaks their specifications and has one reading. */

import { isObject, isStrings, parseJson, type Fields } from '../../../../runtime/spec/guards.ts';
import { isMissing, isText, omitMember, type Note } from './reading.ts';

/** Lists that some servers send as a string, separated by spaces. */
const lists = [
  ...['scopes_supported', 'authorization_servers', 'bearer_methods_supported'],
  ...['response_types_supported', 'grant_types_supported', 'code_challenge_methods_supported'],
  ...['token_endpoint_auth_methods_supported', 'redirect_uris', 'grant_types', 'response_types'],
];
/** Numbers of a registration. */
const times = ['client_id_issued_at', 'client_secret_expires_at'];

/**
 * Returns the response in a form that the client can read.
 * @param sent the body of the request
 */
export async function readSignIn(
  response: Response,
  sent: unknown,
  server: URL,
  note: Note,
): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  const text = await response.text();
  const parsed = parseJson(text);
  // Only tokens are sent as a form: a page in place of a document may have a link with such a parameter.
  const isForm =
    sent !== undefined &&
    sent !== null &&
    !isObject(parsed) &&
    /(^|&)(access_token|error)=/.test(text.trim());
  const value = isForm ? Object.fromEntries(new URLSearchParams(text.trim())) : parsed;
  if (!isObject(value)) return new Response(text, response);
  if (isForm) note('the token response is a form, not JSON (RFC 6749, 5.1).');
  const read = readDocument(value, sent, server, note);
  if (read === value && !isForm) return new Response(text, response);
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(read), { status: response.status, headers });
}

/**
 * Returns the address of the resource's metadata that a refusal names, with https if the server is reached over it: a
 * server behind a proxy that ends TLS does not know.
 */
export function metadataAddress(named: URL | undefined, server: URL): URL | undefined {
  return named === undefined ? undefined : new URL(useHttps(named.href, server));
}

function readDocument(value: Fields, sent: unknown, server: URL, note: Note): Fields {
  let read = withoutEmpty(value, note);
  read = withLists(read, note);
  if ('access_token' in read) return tokens(read, note);
  if ('token_endpoint' in read) return authorizationServer(read, note);
  if ('client_id' in read) return registration(read, sent, note);
  return 'resource' in read ? protectedResource(read, server, note) : read;
}

/** Leaves out members that are null, which these documents may not have, or empty strings, which mean nothing in them. */
function withoutEmpty(value: Fields, note: Note): Fields {
  const empty = Object.keys(value).filter((name) => value[name] === null || value[name] === '');
  if (empty.length === 0) return value;
  note(`${empty[0]?.slice(0, 60)} is null or empty: left out.`);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !empty.includes(name)));
}

function withLists(value: Fields, note: Note): Fields {
  const texts = lists.filter((name) => isText(value[name]));
  if (texts.length === 0) return value;
  note(`${texts[0]} is a string, not a list.`);
  const read = texts.map((name): [string, string[]] => [
    name,
    String(value[name])
      .split(' ')
      .filter((one) => one !== ''),
  ]);
  return { ...value, ...Object.fromEntries(read) };
}

/** Reads a response with tokens: RFC 6749, 5.1. */
function tokens(value: Fields, note: Note): Fields {
  let read = value;
  if (!isText(value.token_type)) {
    note('the token response has no token_type: read as Bearer.');
    read = { ...read, token_type: 'Bearer' };
  }
  if (isStrings(value.scope)) {
    note('scope of the token response is a list.');
    read = { ...read, scope: value.scope.join(' ') };
  }
  if (value.expires_in !== undefined && !Number.isFinite(Number(value.expires_in))) {
    note('expires_in of the token response is not a number.');
    read = omitMember(read, 'expires_in');
  }
  return read;
}

/** Reads metadata of an authorization server: RFC 8414, and OpenID Connect Discovery, whose members the client requires without using them. */
function authorizationServer(value: Fields, note: Note): Fields {
  const required: Fields = {
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    jwks_uri: value.token_endpoint,
  };
  if (isMissing(value.response_types_supported))
    note('the metadata of the authorization server has no response_types_supported: read as code.');
  const missing = Object.entries(required).filter(([name]) => isMissing(value[name]));
  return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing) };
}

/** Reads the response to a registration, which must repeat what was registered: RFC 7591, 3.2.1. */
function registration(value: Fields, sent: unknown, note: Note): Fields {
  let read = value;
  const asked = parseJson(sent);
  if (!isStrings(value.redirect_uris) && isObject(asked)) {
    note('the registration response has no redirect_uris: read as those that were sent.');
    read = { ...read, redirect_uris: asked.redirect_uris };
  }
  for (const name of times) {
    if (value[name] === undefined || typeof value[name] === 'number') continue;
    note(`${name} of the registration response is not a number.`);
    read = omitMember(read, name);
  }
  return read;
}

/** Reads metadata of the resource: RFC 9728. */
function protectedResource(value: Fields, server: URL, note: Note): Fields {
  const { resource, authorization_servers: others } = value;
  const read = {
    ...value,
    ...(isText(resource) && { resource: useHttps(resource, server) }),
    ...(isStrings(others) && { authorization_servers: others.map((one) => useHttps(one, server)) }),
  };
  if (JSON.stringify(read) === JSON.stringify(value)) return value;
  note('the metadata of the resource has http addresses of a server that is reached over https.');
  return read;
}

/** Returns an address; with https, if it is one of the server itself and the server is reached over https. */
function useHttps(address: string, server: URL): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const isOwn = url.hostname === server.hostname && url.port === server.port;
  // @mutant no address is read as one of another host => isOwn -> true
  //   [src/agent/mcp/wire/leniency/sign-in.test.ts]
  if (server.protocol !== 'https:' || url.protocol !== 'http:' || !isOwn) return address;
  return address.replace(/^http:/i, 'https:');
}
