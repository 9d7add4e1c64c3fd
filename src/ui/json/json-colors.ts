/** Splits JSON text into spans for syntax colouring. */

import type { CodeKind, CodeSpan } from '../parts/python-colors.ts';

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** The spans of a text; joined they are that text, whether it is JSON or not. */
export function jsonColors(text: string): readonly CodeSpan[] {
  const spans: CodeSpan[] = [];
  let at = 0;
  const add = (until: number, kind: CodeKind | null): void => {
    if (until > at) spans.push({ text: text.slice(at, until), kind });
    at = until;
  };
  for (const found of text.matchAll(tokens)) {
    const [, string, colon, number] = found;
    const length = string?.length ?? found[0].length;
    add(found.index, null);
    if (string !== undefined) add(at + length, colon === undefined ? 'string' : 'name');
    else add(at + length, number === undefined ? 'keyword' : 'number');
  }
  add(text.length, null);
  return spans;
}
