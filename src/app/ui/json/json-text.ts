/** JSON text as the page shows it: indented, with the spelling of every number and string, and in spans for colours. */

import { pieceEnd } from '../parts/visible-text.ts';
import { pieceChars } from '../parts/cut-text.ts';
import { skipSpace, stringEnd, tokenEnd, tokenKind } from '../../../runtime/spec/json-tokens.ts';
import type { CodeKind, CodeSpan } from '../parts/python-colors.ts';

/** Objects and lists up to this length stay on one line; characters. */
const shortChars = 64;

export function indentJson(text: string): string {
  return [...jsonPieces(text)].join('');
}

/**
 * JSON text, indented by two spaces, in pieces of about `size` characters. Never throws; text that is not JSON is
 * returned unchanged.
 */
export function* jsonPieces(text: string, size = pieceChars): Generator<string, void> {
  let piece = '';
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    const opens = character === '{' || character === '[';
    const end = opens ? shortEnd(text, at) : tokenEnd(text, at);
    if (opens && end === at + 1) {
      depth += 1;
      piece += character + lineBreak(depth);
    } else if (character === '}' || character === ']') {
      depth = Math.max(0, depth - 1);
      piece += lineBreak(depth) + character;
    } else if (character === ',') piece += character + lineBreak(depth);
    else if (character === ':') piece += ': ';
    else if (tokenKind(text, at) !== 'space') {
      while (end - at > size) {
        const cut = pieceEnd(text, at, size, end);
        yield piece + text.slice(at, cut);
        piece = '';
        at = cut;
      }
      piece += text.slice(at, end);
    }
    at = end;
    if (piece.length >= size) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

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

function lineBreak(depth: number): string {
  // Hostile nesting must not turn a small text into gigabytes of indentation.
  return `\n${'  '.repeat(Math.min(depth, 40))}`;
}

/** The end of a container that fits on one line, else the end of its opening bracket. */
function shortEnd(text: string, start: number): number {
  const near = text.slice(start, start + shortChars);
  let depth = 0;
  let at = 0;
  while (at < near.length) {
    const character = near.charAt(at);
    if (character === '\n') break;
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at = character === '"' ? stringEnd(near, at) : at + 1;
    if (depth === 0) return start + at;
  }
  return start + 1;
}

function colorOf(text: string, start: number, end: number): CodeKind | null {
  const kind = tokenKind(text, start);
  if (kind === 'string') return text.charAt(skipSpace(text, end)) === ':' ? 'name' : 'string';
  if (kind !== 'plain') return null;
  const token = text.slice(start, end);
  if (/^-?\d[\d.eE+-]*$/.test(token)) return 'number';
  return /^(?:true|false|null)$/.test(token) ? 'keyword' : null;
}
