/** Reads YAML, and finds the lines of its values. Runs in a worker, since a short text can take very long. */

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type YAMLMap,
} from 'yaml';
import { mistakeOf } from './yaml-mistake.ts';
import type { ParsedText, ValuePath } from '../../../runtime/protocol/yaml.ts';
import { errorText } from '../../../runtime/spec/error.ts';

/** Longer or deeper texts would take very long, or overflow the stack, which can end the whole worker. */
const maxTokens = 60_000;
const maxLevels = 100;
/** Limits of what aliases and merged keys make of a short text: values, and characters of texts. */
const maxExpanded = 1_000_000;
const maxMerged = 20_000;
const maxInexact = 50;

/** How the texts of plans and evaluations are read. */
export const reading = { uniqueKeys: true, merge: true, logLevel: 'error' } as const;
/** The size of what aliases stand for is limited instead of their number: hundreds of tasks may share a budget. */
export const noAliasLimit = { maxAliasCount: -1 };

const withoutAliases = 'Write the text without aliases.';

interface Read {
  readonly text: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

/** The last text, whose lines are asked for after it was parsed. */
let last: Read | null = null;

/**
 * The text with the line ends that the parser knows. Old Macs ended lines with a carriage return alone, which the parser
 * treats as a character of the line. Places in the text stay the same.
 */
export function withLineFeeds(text: string): string {
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}

export function parseYaml(written: string): ParsedText {
  try {
    const text = withLineFeeds(written);
    const excess = tooMuch(new Lexer().lex(text));
    if (excess !== null) return { excess };
    const { document, lines } = read(text);
    const mistake = mistakeOf(document, text, lines);
    if (mistake !== null) return mistake;
    if (mergedKeys(document) > maxMerged) return { excess: 'merges too many keys' };
    const inexact: { readonly line: number; readonly number: string }[] = [];
    visit(document, {
      Scalar(_, { value, source = '', range }) {
        if (typeof value !== 'number') return;
        // JSON, in which plans are stored, has neither infinite numbers nor NaN.
        const isRounded =
          /^[-+]?(?:\d+|0x[\da-f]+|0o[0-7]+)$/i.test(source) && !Number.isSafeInteger(value);
        if (Number.isFinite(value) && !isRounded) return;
        if (inexact.length < maxInexact)
          inexact.push({ line: lines.linePos(range?.[0] ?? 0).line, number: source.slice(0, 50) });
      },
    });
    const value: unknown = document.toJS(noAliasLimit);
    const size = expandedSize(value);
    if (size === null) return bad('an alias stands for a value that it is in', withoutAliases);
    if (size > maxExpanded) return bad('its aliases make the text too long', withoutAliases);
    return { value, inexact };
  } catch (thrown) {
    return bad(errorText(thrown), withoutAliases);
  }
}

/** @param text without mistakes @returns from 1 */
export function yamlLines(text: string, paths: readonly ValuePath[]): readonly number[] {
  const { document, lines } = read(withLineFeeds(text));
  return paths.map((path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
        return lines.linePos(Number(node.range[0])).line;
    }
    return 1;
  });
}

/** Returns what the text has too much of; null if it may be parsed. @param tokens of YAML */
function tooMuch(tokens: Iterable<string>): string | null {
  let count = 0;
  let flow = 0;
  /** Lists that begin one in another on the same line. */
  let inLine = 0;
  for (const token of tokens) {
    count += 1;
    if (token === '[' || token === '{') flow += 1;
    if (token === ']' || token === '}') flow -= 1;
    if (token === '\n' || token === '\r\n') inLine = 0;
    if (token === '-' || token === '?') inLine += 1;
    if (count > maxTokens) return 'has too many values';
    if (flow > maxLevels || inLine > maxLevels) return 'is nested too deeply';
  }
  return null;
}

function read(text: string): Read {
  if (last?.text === text) return last;
  const lines = new LineCounter();
  const document = parseDocument(text, { ...reading, lineCounter: lines, prettyErrors: false });
  last = { text, document, lines };
  return last;
}

/** The number of values and characters of a value, as often as they are used; null if it contains itself. */
function expandedSize(value: unknown): number | null {
  const known = new Map<object, number>();
  const within = new Set<object>();
  const sizeOf = (one: unknown): number => {
    if (typeof one === 'string') return one.length + 1;
    if (typeof one !== 'object' || one === null) return 1;
    const before = known.get(one);
    if (before !== undefined) return before;
    if (within.has(one)) return Number.NaN;
    within.add(one);
    let size = 1;
    for (const [key, child] of Object.entries(one)) size += key.length + sizeOf(child);
    within.delete(one);
    known.set(one, size);
    return size;
  };
  const size = sizeOf(value);
  return Number.isNaN(size) ? null : size;
}

/** The number of keys that `<<` copies, each as often as it is copied. */
function mergedKeys(document: Document): number {
  const known = new Map<YAMLMap, number>();
  let merged = 0;
  const keysOf = (map: YAMLMap): number => {
    const before = known.get(map);
    if (before !== undefined) return before;
    // A map that merges itself has no more keys than this.
    known.set(map, map.items.length);
    let keys = map.items.length;
    for (const { key, value } of map.items) {
      if (!isScalar(key) || key.source !== '<<') continue;
      const list: readonly unknown[] = isSeq(value) ? value.items : [value];
      for (const item of list) {
        const from: unknown = isAlias(item) ? item.resolve(document) : item;
        if (isMap(from)) keys += keysOf(from);
      }
    }
    merged += keys - map.items.length;
    known.set(map, keys);
    return keys;
  };
  visit(document, { Map: (_, map) => void keysOf(map) });
  return merged;
}

function bad(mistake: string, hint: string, line = 1): ParsedText {
  return { line, mistake, hint };
}
