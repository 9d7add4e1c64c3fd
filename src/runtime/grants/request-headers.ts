/** Decides which headers of a tool's request are sent. */

import type { HttpHeader } from '../protocol/ask.ts';
import { keyRefused } from './request-refusal.ts';

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
