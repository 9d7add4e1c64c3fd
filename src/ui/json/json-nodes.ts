/** Walks JSON text level by level without reading its values: numbers keep their spelling, keys their order. */

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

export interface JsonNode {
  readonly kind: JsonKind;
  /** The member's name, or the item's index; null for the outermost value. */
  readonly key: string | number | null;
  /** Where its text lies. */
  readonly start: number;
  readonly end: number;
}

export interface JsonLevel {
  readonly nodes: readonly JsonNode[];
  /** There are more than were asked for. */
  readonly more: boolean;
}

const spaces = /[ \t\n\r]*/y;
const [quote, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x7b, 0x7d, 0x5b, 0x5d];
const plain = /[^,\]}\s]*/y;

/** The outermost value of a text that is JSON. */
export function rootNode(text: string): JsonNode {
  const start = skipSpace(text, 0);
  return { kind: kindAt(text, start), key: null, start, end: valueEnd(text, start) };
}

/** The first members or items of an object or array, at most `most`; none of another value. */
export function nodesIn(text: string, { kind, start, end }: JsonNode, most: number): JsonLevel {
  const nodes: JsonNode[] = [];
  if (kind !== 'object' && kind !== 'array') return { nodes, more: false };
  let at = skipSpace(text, start + 1);
  while (at < end - 1) {
    if (nodes.length === most) return { nodes, more: true };
    let key: string | number = nodes.length;
    if (kind === 'object') {
      const keyEnd = stringEnd(text, at);
      key = decoded(text.slice(at, keyEnd));
      at = skipSpace(text, skipSpace(text, keyEnd) + 1);
    }
    const valueStart = at;
    at = valueEnd(text, at);
    // What is no JSON after all must not keep us here forever.
    if (at <= valueStart) break;
    nodes.push({ kind: kindAt(text, valueStart), key, start: valueStart, end: at });
    at = skipSpace(text, skipSpace(text, at) + 1);
  }
  return { nodes, more: false };
}

function kindAt(text: string, at: number): JsonKind {
  const first = text.charAt(at);
  if (first === '{') return 'object';
  if (first === '[') return 'array';
  if (first === '"') return 'string';
  return /[-\d]/.test(first) ? 'number' : 'word';
}

function skipSpace(text: string, at: number): number {
  spaces.lastIndex = at;
  spaces.test(text);
  return spaces.lastIndex;
}

/** Behind the value that begins at `start`. */
function valueEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return stringEnd(text, start);
  if (first === '{' || first === '[') return bracketEnd(text, start);
  plain.lastIndex = start;
  plain.test(text);
  return plain.lastIndex;
}

function bracketEnd(text: string, start: number): number {
  // By codes, since a hostile text is nothing but brackets: a pattern would take ten times as long over each.
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

/** The offset behind the closing quote of the string that begins at `start`. */
export function stringEnd(text: string, start: number): number {
  let close = text.indexOf('"', start + 1);
  while (close !== -1) {
    let escapes = 0;
    while (text.charAt(close - 1 - escapes) === '\\') escapes += 1;
    if (escapes % 2 === 0) return close + 1;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

function decoded(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
