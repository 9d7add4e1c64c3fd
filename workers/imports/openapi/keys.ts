/** Decides which keys an operation needs. Their values are never in a file: Cloche adds them to requests as headers. */

import type { NeededKey } from '../../../src/runtime/protocol/imports.ts';
import { asFields, isRecord } from '../../../src/runtime/spec/guards.ts';
import { cut, plainText } from '../python-text.ts';
import { securitySchemes, type ApiDocument, type Operation } from './document.ts';
import { resolveReference } from './references.ts';

export interface OperationKeys {
  readonly headers: readonly NeededKey[];
  /** Names of query parameters with keys, which Cloche cannot add. */
  readonly query: readonly string[];
  readonly notes: readonly string[];
}

const none: OperationKeys = { headers: [], query: [], notes: [] };

/** Returns the first way to sign in that needs only headers, if there are several. */
export function keysOf(document: ApiDocument, { fields: own }: Operation): OperationKeys {
  const given = own.security ?? document.root.security;
  const ways = Array.isArray(given) ? given.filter(isRecord).slice(0, 50) : [];
  if (ways.length === 0 || ways.some((way) => Object.keys(way).length === 0)) return none;
  const schemes = securitySchemes(document);
  const read = ways.map((way) =>
    Object.keys(way)
      .slice(0, 20)
      .map((name) => keyOf(name, resolveReference(document.root, schemes[name]))),
  );
  const isWhole = (way: (typeof read)[number]): boolean =>
    way.every((key) => key.notes.length === 0);
  const [first = []] = read;
  const parts = read.find(isWhole) ?? first;
  return {
    headers: parts.flatMap(({ headers }) => headers),
    query: parts.flatMap(({ query }) => query),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

/** The key that one part of a way to sign in needs. Notes say why Cloche cannot send it. */
function keyOf(name: string, scheme: unknown): OperationKeys {
  const { type, in: place, name: given, scheme: kind } = asFields(scheme);
  const key = cut(given, 100);
  const authorization = (value: string): OperationKeys => ({
    ...none,
    headers: [{ header: 'Authorization', value }],
  });
  const note = (text: string): OperationKeys => ({ ...none, notes: [text] });
  switch (type) {
    case 'apiKey':
      if (place === 'header' && /^[\w!#$%&'*+.^`|~-]+$/.test(key))
        return { ...none, headers: [{ header: key, value: 'KEY' }] };
      if (place === 'query')
        return {
          ...none,
          query: [key],
          notes: [
            `Its key is the query parameter ${key}. Cloche adds keys only as headers: it works outside of Cloche, with the key in an environment variable.`,
          ],
        };
      return note(`Its key is in a cookie (${key}), which pages of other sites cannot send.`);
    case 'basic':
      return authorization('Basic BASE64_OF_USER:PASSWORD');
    case 'http':
      if (/^basic$/i.test(plainText(kind))) return authorization('Basic BASE64_OF_USER:PASSWORD');
      if (/^bearer$/i.test(plainText(kind))) return authorization('Bearer TOKEN');
      return note(`It signs in with the scheme ${cut(kind, 50)}, which is not supported.`);
    case 'oauth2':
    case 'openIdConnect':
      return authorization('Bearer ACCESS_TOKEN');
    default:
      return note(`It signs in with ${cut(name, 100)}, which is not supported.`);
  }
}
