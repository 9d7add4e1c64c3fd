/**
 * Defines how an MCP server of the user is stored, reads what is stored, and makes the address, the name and the header of a
 * new server from what the user enters. Tokens and headers are stored apart from the server, with the keys of providers.
 */

import type { Header, ListedDefinition, SignedIn } from '../../runtime/protocol/mcp.ts';
import { asFields, isRecord, isStrings } from '../../runtime/spec/guards.ts';
import { ToolError } from '../../runtime/spec/error.ts';

/** A definition that the user knows: the first that the server listed, or one that the user has accepted. */
export interface PinnedDefinition extends ListedDefinition {
  /** Whether the server listed the tool the last time. */
  readonly listed: boolean;
}

export interface StoredServer {
  readonly id: string;
  /** The first part of the names of its tools. */
  readonly key: string;
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  readonly pinned: readonly PinnedDefinition[];
}

/** Headers and tokens that give access to a server; stored apart from it, with the keys of providers. */
export interface ServerKeys {
  readonly headers: readonly Header[];
  readonly signedIn: SignedIn | null;
}

/** Stores servers. What it returns is validated, because another version may have written it. */
export interface ServerStore {
  list(): Promise<readonly unknown[]>;
  add(server: StoredServer): Promise<void>;
  /** Replaces a server, unless another page has removed it. */
  put(server: StoredServer): Promise<void>;
  keys(id: string): Promise<unknown>;
  /**
   * @param keys null removes them
   * @param before unless null, nothing is stored if the state of the stored sign-in is another: another page may have
   *   signed in again
   */
  putKeys(id: string, keys: ServerKeys | null, before: string | null): Promise<void>;
  /** Removes the server and its keys. */
  remove(id: string): Promise<void>;
  /** Calls the listener when another page has added or removed a server. */
  observe(listener: () => void): void;
}

/** Returns null for anything that is not a server; leaves out invalid definitions. */
export function parseServer(value: unknown): StoredServer | null {
  if (!isRecord(value)) return null;
  const { id, key, url, addedAt, pinned } = value;
  if (typeof id !== 'string' || typeof key !== 'string' || !/^[a-z][a-z0-9_]*$/.test(key))
    return null;
  if (typeof url !== 'string' || !URL.canParse(url) || typeof addedAt !== 'number') return null;
  const kept = Array.isArray(pinned) ? pinned.filter(isPinned) : [];
  return { id, key, url, addedAt, pinned: kept };
}

/** Leaves out what is not valid. */
export function parseKeys(value: unknown): ServerKeys {
  const { headers, signedIn } = asFields(value);
  const { origins, state, secrets } = asFields(signedIn);
  return {
    headers: Array.isArray(headers) ? headers.filter(isHeader) : [],
    signedIn:
      isStrings(origins) && typeof state === 'string' && isStrings(secrets)
        ? { origins, state, secrets }
        : null,
  };
}

/** Whether both parts can be sent. */
function isHeader(value: unknown): value is Header {
  if (!isStrings(value) || value.length !== 2) return false;
  try {
    return [...new Headers([[value[0] ?? '', value[1] ?? '']])].length === 1;
  } catch {
    return false;
  }
}

/**
 * A header with a key, as it is stored.
 * @param name empty for `Authorization` with a bearer token
 * @throws {ToolError}
 */
export function keyHeader(name: string, value: string): Header {
  const key = value.trim();
  const header: Header =
    name.trim() === ''
      ? ['Authorization', /^[A-Za-z]+ \S/.test(key) ? key : `Bearer ${key}`]
      : [name.trim(), key];
  if (key !== '' && isHeader(header)) return header;
  throw new ToolError('bad-input', 'This is not a header that can be sent.');
}

function isPinned(value: unknown): value is PinnedDefinition {
  if (!isRecord(value)) return false;
  const { name, text, hash, listed } = value;
  return (
    typeof name === 'string' &&
    typeof text === 'string' &&
    typeof hash === 'string' &&
    typeof listed === 'boolean'
  );
}

/**
 * The address of a server, as it is stored.
 * @param pageOrigin the origin of Cloche, whose own tools are no server's
 * @throws {ToolError}
 */
export function serverAddress(text: string, pageOrigin: string): string {
  const typed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new ToolError('bad-input', 'Enter the http or https address of an MCP server.');
  if (url.username !== '' || url.password !== '')
    throw new ToolError('bad-input', 'Enter the address without a user name or password.');
  if (url.origin === pageOrigin)
    throw new ToolError('bad-input', 'This is the address of Cloche itself.');
  url.hash = '';
  return url.href;
}

/** Parts of hosts that name no server. */
const general = new Set(['mcp', 'api', 'www', 'server', 'remote']);

/**
 * A short name from the host, such as `example` for mcp.example.com, that none of the others has. Many sites let anybody
 * choose a subdomain, so `evil.github.io` is not `github`.
 */
export function serverKey(url: string, others: ReadonlySet<string>): string {
  const { hostname, port } = new URL(url);
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  const labels = hostname.split('.');
  const named = labels.slice(0, Math.max(1, labels.length - 1)).filter((one) => !general.has(one));
  // @mutant a subdomain that anybody can have gives no server the name of its site => named.join('_') -> named.at(-1)
  const name = named.length === 0 ? (labels.at(-2) ?? '') : named.join('_');
  const main = isAddress ? `local${port}` : name;
  const plain = main
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[\d_]+|_+$/g, '');
  const base = (plain === '' ? 'server' : plain).slice(0, 24);
  for (let n = 1; ; n += 1) {
    const key = n === 1 ? base : `${base}_${n}`;
    if (!others.has(key)) return key;
  }
}
