/** Reads JSON text without parsing its values, so that numbers keep their spelling and keys their order: as tokens, or level by level. */

export const quote = 0x22;
const backslash = 0x5c;

type TokenKind = 'space' | 'sign' | 'string' | 'plain';

/** The kinds of tokens by their first character; all others are plain. */
const kinds: readonly TokenKind[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (' \t\n\r'.includes(character)) return 'space';
  if ('{}[],:'.includes(character)) return 'sign';
  return code === quote ? 'string' : 'plain';
});

/** The kind of the token that starts at an offset within the text. */
export function tokenKind(text: string, start: number): TokenKind {
  return kinds[text.charCodeAt(start)] ?? 'plain';
}

/** The end of the token that starts at `start`: one sign, a string, or a run of spaces or of other characters. */
export function tokenEnd(text: string, start: number): number {
  const kind = tokenKind(text, start);
  if (kind === 'sign') return start + 1;
  if (kind === 'string') return stringEnd(text, start);
  let end = start + 1;
  while (end < text.length && tokenKind(text, end) === kind) end += 1;
  return end;
}

export function skipSpace(text: string, start: number, until = text.length): number {
  let at = start;
  while (at < until && text.charCodeAt(at) <= 0x20 && tokenKind(text, at) === 'space') at += 1;
  return at;
}

/** The offset after the closing quote of the string that starts at `start`; the end of the text if it is not closed. */
export function stringEnd(text: string, start: number): number {
  let close = text.indexOf('"', start + 1);
  while (close !== -1) {
    let escapes = 0;
    while (text.charCodeAt(close - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return close + 1;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

/** The value of a string token; the token itself if it is invalid. */
export function stringValue(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** The end of the number, `true`, `false` or `null` at `start`; -1 if there is no valid one. */
export function scalarEnd(text: string, start: number): number {
  scalar.lastIndex = start;
  return scalar.test(text) ? scalar.lastIndex : -1;
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Checks a string from `start` on.
 * @returns the offset of the closing quote, of an invalid character, or of the first character at or after `until`
 */
export function validUntil(text: string, start: number, until: number): number {
  let at = start;
  while (at < until) {
    const code = text.charCodeAt(at);
    if (code === quote || code < 0x20) return at;
    if (code === backslash) {
      escape.lastIndex = at;
      if (!escape.test(text)) return at;
      at = escape.lastIndex;
    } else at += 1;
  }
  return at;
}

/** The text with some of its tokens replaced. @param replace returns undefined for a token that stays unchanged */
export function replaceTokens(
  text: string,
  replace: (start: number, end: number) => string | undefined,
): string {
  let replaced = '';
  let kept = 0;
  let at = 0;
  while (at < text.length) {
    const end = tokenEnd(text, at);
    const other = replace(at, end);
    if (other !== undefined) {
      replaced += text.slice(kept, at) + other;
      kept = end;
    }
    at = end;
  }
  return replaced + text.slice(kept);
}

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
