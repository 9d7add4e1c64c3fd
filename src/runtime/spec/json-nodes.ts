/** Walks JSON text level by level without parsing its values: numbers keep their spelling, keys their order. */

import { quote, skipSpace, stringEnd, stringValue, tokenEnd, tokenKind } from './json-tokens.ts';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

export interface JsonNode {
  readonly kind: JsonKind;
  /** The member's name, or the item's index; null for the outermost value. */
  readonly key: string | number | null;
  /** Range of its text. */
  readonly start: number;
  readonly end: number;
}

export interface JsonLevel {
  readonly nodes: readonly JsonNode[];
  readonly more: boolean;
}

/** The outermost value of a valid JSON text. */
export function rootNode(text: string): JsonNode {
  const start = skipSpace(text, 0);
  return {
    kind: kindAt(text, start),
    key: null,
    start,
    end: Math.max(start, text.trimEnd().length),
  };
}

/** The first members or items of an object or array, at most `max`; none for another value. */
export function nodesIn(text: string, parent: JsonNode, max: number): JsonLevel {
  const nodes: JsonNode[] = [];
  for (const node of eachNode(text, parent)) {
    if (nodes.length === max) return { nodes, more: true };
    nodes.push(node);
  }
  return { nodes, more: false };
}

/** The members or items of an object or array, found one at a time; none for another value. */
function* eachNode(text: string, { kind, start, end }: JsonNode): Generator<JsonNode, void> {
  if (kind !== 'object' && kind !== 'array') return;
  let at = skipSpace(text, start + 1);
  for (let index = 0; at < end - 1; index += 1) {
    let key: string | number = index;
    if (kind === 'object') {
      const keyEnd = stringEnd(text, at);
      key = stringValue(text.slice(at, keyEnd));
      at = skipSpace(text, skipSpace(text, keyEnd) + 1);
    }
    const valueStart = at;
    at = valueEnd(text, at);
    // Text that is not JSON must not cause an endless loop.
    if (at <= valueStart) break;
    yield { kind: kindAt(text, valueStart), key, start: valueStart, end: at };
    at = skipSpace(text, skipSpace(text, at) + 1);
  }
}

function kindAt(text: string, at: number): JsonKind {
  const first = text.charAt(at);
  if (first === '{') return 'object';
  if (first === '[') return 'array';
  if (first === '"') return 'string';
  return /[-\d]/.test(first) ? 'number' : 'word';
}

/** End of the value that starts at `start`; `start` if there is none. */
function valueEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '{' || first === '[') return bracketEnd(text, start);
  if (start >= text.length || tokenKind(text, start) === 'sign') return start;
  return tokenEnd(text, start);
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

function bracketEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = stringEnd(text, at);
      continue;
    }
    at += 1;
    if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) depth -= 1;
    else continue;
    if (depth === 0) return at;
  }
  return text.length;
}
