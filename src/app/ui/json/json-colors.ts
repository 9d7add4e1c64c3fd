/** Splits JSON text into spans for syntax colouring. */

import { skipSpace, tokenEnd, tokenKind } from '../../../runtime/spec/json-tokens.ts';
import type { CodeKind, CodeSpan } from '../parts/python-colors.ts';

/** The spans of a text, which join to that text, even if it is not JSON. */
export function jsonColors(text: string): readonly CodeSpan[] {
  const spans: CodeSpan[] = [];
  let from = 0;
  const add = (until: number, kind: CodeKind | null): void => {
    if (until > from) spans.push({ text: text.slice(from, until), kind });
    from = until;
  };
  let at = 0;
  while (at < text.length) {
    const end = tokenEnd(text, at);
    const kind = colorOf(text, at, end);
    if (kind !== null) {
      add(at, null);
      add(end, kind);
    }
    at = end;
  }
  add(text.length, null);
  return spans;
}

function colorOf(text: string, start: number, end: number): CodeKind | null {
  const kind = tokenKind(text, start);
  if (kind === 'string') return text.charAt(skipSpace(text, end)) === ':' ? 'name' : 'string';
  if (kind !== 'plain') return null;
  const token = text.slice(start, end);
  if (/^-?\d[\d.eE+-]*$/.test(token)) return 'number';
  return /^(?:true|false|null)$/.test(token) ? 'keyword' : null;
}
