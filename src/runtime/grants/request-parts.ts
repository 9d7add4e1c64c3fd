/** Decides about the parts of a tool's request: refuses addresses that no tool may reach, and chooses the headers to send. */

import type { HttpHeader } from '../protocol/ask.ts';
import { keyRefused } from './request-refusal.ts';

export interface RequestTarget {
  /** The address that is requested, without fragment. */
  readonly url: string;
  /** Scheme, host and port, for which a grant is given. */
  readonly origin: string;
  /** Whether the origin is on this computer or in its local network. */
  readonly local: boolean;
}

export interface TargetRefusal {
  readonly why: string;
}

const maxUrlChars = 8_000;

/** @param appOrigin the app's origin, which can never be reached, even if granted */
export function requestTarget(asked: string, appOrigin: string): RequestTarget | TargetRefusal {
  if (asked.length > maxUrlChars)
    return { why: `the address has more than ${maxUrlChars} characters` };
  // The browser would remove such characters, so that the granted address would differ from the requested one.
  if (Array.from(asked).some((character) => character <= ' ' || '\\\u007f'.includes(character)))
    return { why: 'the address contains a space, a line break or a backslash' };
  const url = URL.parse(asked);
  if (url === null) return { why: `${asked.slice(0, 200)} is not an absolute address` };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { why: `${url.protocol} is neither http: nor https:` };
  // @mutant user names in addresses are refused => never
  if (url.username !== '' || url.password !== '')
    return { why: 'the address must not contain a user name or password' };
  // @mutant the app's own origin is refused => never
  if (url.origin === appOrigin)
    return { why: `${url.origin} is Cloche’s own address, which no tool may reach` };
  if (url.hostname.endsWith('.'))
    return { why: `the host ${url.hostname} ends with a dot. Remove the dot` };
  url.hash = '';
  // @mutant local addresses are told from others => isLocal(url.hostname) -> false
  return { url: url.href, origin: url.origin, local: isLocal(url.hostname) };
}

/** @param host as the URL parser writes it: lower case, IPv4 as four decimal numbers, IPv6 in brackets */
function isLocal(host: string): boolean {
  if (host.startsWith('[')) return isLocalV6(host.slice(1, -1));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isLocalV4(host.split('.').map(Number));
  // A name without a dot is local, and so are these reserved endings.
  return (
    !host.includes('.') ||
    /\.(localhost|local|localdomain|internal|intranet|private|lan|home|corp|arpa|test)$/.test(host)
  );
}

function isLocalV4([a = 0, b = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  if (a === 100) return b >= 64 && b <= 127;
  if (a === 169) return b === 254;
  if (a === 172) return b >= 16 && b <= 31;
  return (a === 192 && (b === 168 || b === 0)) || (a === 198 && (b === 18 || b === 19));
}

function isLocalV6(address: string): boolean {
  const parts = eightParts(address);
  const [first = 0] = parts;
  // An address that embeds an IPv4 address leads to that.
  const embeds =
    parts.slice(0, 4).every((part) => part === 0) || first === 0x64 || first === 0x2002;
  if (embeds) {
    const [high = 0, low = 0] = first === 0x2002 ? parts.slice(1, 3) : parts.slice(6);
    if (isLocalV4([high >> 8, high & 255, low >> 8, low & 255])) return true;
  }
  return (first & 0xfe00) === 0xfc00 || (first & 0xff80) === 0xfe80 || first >= 0xff00;
}

function eightParts(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const front = groupNumbers(head);
  if (tail === undefined) return front;
  const back = groupNumbers(tail);
  return [...front, ...Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0), ...back];
}

function groupNumbers(part: string): number[] {
  return part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
}

export type Headers = { readonly sent: readonly HttpHeader[] } | { readonly why: string };

const maxHeaders = 100;
const maxChars = 32_000;

/**
 * Headers that the browser sets itself or that concern the connection. HTTP libraries add some of them to
 * every request.
 */
const dropped = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);

/**
 * @param secrets the user's headers for this origin, which replace the tool's
 * @returns the headers to send, or why the request must not be sent
 */
export function requestHeaders(
  asked: readonly HttpHeader[],
  secrets: readonly HttpHeader[],
): Headers {
  if (asked.length > maxHeaders)
    return {
      why: `the request has ${asked.length} headers, more than the limit of ${maxHeaders}`,
    };
  const chars = asked.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (chars > maxChars)
    return { why: `its headers have ${chars} characters, more than the limit of ${maxChars}` };
  const secretNames = new Set(secrets.map(([name]) => name.toLowerCase()));
  const sent: HttpHeader[] = [...secrets];
  for (const [name, value] of asked) {
    const lower = name.toLowerCase();
    // @mutant a tool does not replace a secret => without secretNames.has(lower) ||
    // @mutant a tool does not set headers of the browser => without || isDropped(lower)
    if (secretNames.has(lower) || isDropped(lower)) continue;
    // @mutant keys do not come from a tool's code => never
    if (lower === 'authorization') return { why: keyRefused };
    const why = whyMalformed(name, value);
    if (why !== null) return { why };
    sent.push([name, value]);
  }
  return { sent };
}

/** @returns why a header cannot be added to requests; null if it can */
export function headerFault(name: string, value: string): string | null {
  if (isDropped(name.toLowerCase())) return `the header ${name} is set by the browser`;
  return whyMalformed(name, value);
}

function whyMalformed(name: string, value: string): string | null {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    return `${name.slice(0, 100)} is not a valid header name`;
  return isHeaderValue(value)
    ? null
    : `the value of the header ${name} contains invalid characters`;
}

function isDropped(name: string): boolean {
  return dropped.has(name) || /^(sec|proxy)-/.test(name);
}

/** Returns whether a value is valid in HTTP: one line of Latin-1 characters. */
function isHeaderValue(value: string): boolean {
  return Array.from(value, (character) => character.charCodeAt(0)).every(
    (code) => code === 9 || (code >= 32 && code <= 255 && code !== 127),
  );
}
