/** Parses an origin or index address that the user has typed. */

import { requestTarget, type RequestTarget } from '../../../runtime/grants/request-parts.ts';

/** The origin to grant and whether it is local; or why it cannot be granted. */
export type TypedOrigin = Pick<RequestTarget, 'origin' | 'local'> | { readonly why: string };

/**
 * Scheme, host and port of the input, with `https` as the default scheme.
 * @param appOrigin Cloche's own, which cannot be granted
 */
export function parseOrigin(text: string, appOrigin: string): TypedOrigin {
  const typed = text.trim();
  if (typed === '') return { why: 'Enter an origin, such as https://api.example.com.' };
  const named = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  const target = requestTarget(named, appOrigin);
  if (!('why' in target)) return { origin: target.origin, local: target.local };
  return { why: `Cannot be allowed: ${target.why}.` };
}

/**
 * The address of a package index, with a trailing slash; or why it is not one.
 * @param appOrigin Cloche's own, which is refused
 */
export function parseIndexAddress(
  text: string,
  appOrigin: string,
): { readonly address: string } | { readonly why: string } {
  const typed = text.trim();
  if (typed === '') return { why: 'Enter an address, such as https://pypi.org/simple/.' };
  const named = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  const target = requestTarget(named, appOrigin);
  if ('why' in target) return { why: `Not a package index: ${target.why}.` };
  if (!target.local && target.url.startsWith('http:'))
    return { why: 'An index outside your local network must use https://.' };
  const address = new URL(target.url);
  address.search = '';
  if (!address.pathname.endsWith('/')) address.pathname += '/';
  return { address: address.href };
}
