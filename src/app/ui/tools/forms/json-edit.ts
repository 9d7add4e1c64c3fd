/** Changes one value of a valid JSON text. All other text, including the notation of numbers, stays the same. */

import type { JsonText } from '../../../../runtime/spec/json.ts';
import { type JsonNode, nodesIn, skipSpace } from '../../../../runtime/spec/json-tokens.ts';
import { valueAt, type ArgumentPath } from './argument-place.ts';
import { parseValue, type JsonValue } from './json-value.ts';

/**
 * Replaces the value at a path, or adds the member or item. Returns the text unchanged if the parent does not exist.
 * @param options.fit whether to indent the value like the surrounding text
 */
export function withValue(
  text: JsonText,
  path: ArgumentPath,
  value: JsonText,
  { fit = false } = {},
): JsonText {
  const valueNode = valueAt(text, path);
  const inserted = fit ? layOut(value, layoutOf(text, path.length)) : value;
  if (valueNode !== null) return splice(text, valueNode.start, valueNode.end, inserted);
  const parent = valueAt(text, path.slice(0, -1));
  const key = path.at(-1);
  if (parent === null || key === undefined) return text;
  if (parent.kind !== (typeof key === 'string' ? 'object' : 'array')) return text;
  return appendValue(text, parent, key, inserted, path.length);
}

/** Removes a member or an item. */
export function withoutValue(text: JsonText, path: ArgumentPath): JsonText {
  const key = path.at(-1);
  let changed = text;
  // An object may have the same name more than once.
  for (;;) {
    const parent = valueAt(changed, path.slice(0, -1));
    if (parent === null) return changed;
    const { nodes } = nodesIn(changed, parent, Infinity);
    const index = nodes.findLastIndex((node) => node.key === key);
    if (index < 0) return changed;
    changed = withoutNode(changed, parent, nodes, index);
    if (typeof key === 'number') return changed;
  }
}

/** Exchanges two items of a list. */
export function withItemsSwapped(
  text: JsonText,
  path: ArgumentPath,
  one: number,
  other: number,
): JsonText {
  const parent = valueAt(text, path);
  if (parent?.kind !== 'array') return text;
  const { nodes } = nodesIn(text, parent, Infinity);
  const first = nodes[Math.min(one, other)];
  const second = nodes[Math.max(one, other)];
  if (first === undefined || second === undefined || first === second) return text;
  return [
    text.slice(0, first.start),
    text.slice(second.start, second.end),
    text.slice(first.end, second.start),
    text.slice(first.start, first.end),
    text.slice(second.end),
  ].join('');
}

/** The text of a value with each member and item on its own line. Tokens stay unchanged. */
export function prettyText(text: JsonText): JsonText {
  return layOut(text, { step: '  ', indent: '' });
}

/** How a text is laid out on several lines. */
interface Layout {
  /** Indentation of each level. */
  readonly step: string;
  /** Indentation of the place where a value is written. */
  readonly indent: string;
}

/** Returns null if the text is on one line. @param depth level of the value in the text */
function layoutOf(text: JsonText, depth: number): Layout | null {
  const first = /\n([ \t]+)\S/.exec(text)?.[1];
  if (first === undefined)
    return /^\s*\{\s*\}\s*$/.test(text) ? { step: '  ', indent: '  ' } : null;
  return { step: first, indent: first.repeat(depth) };
}

function layOut(text: JsonText, layout: Layout | null): JsonText {
  if (layout === null || !/^[[{]/.test(text)) return text;
  const value = parseValue(text);
  return value === null ? text : writeValue(value, layout.step, layout.indent);
}

/** @param indent indentation of the line that ends the value */
function writeValue(value: JsonValue, step: string, indent: string): string {
  const inner = indent + step;
  const inLines = (open: string, lines: readonly string[], close: string): string =>
    lines.length === 0
      ? value.text
      : `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
  switch (value.kind) {
    case 'object': {
      const members = Array.from(
        value.members,
        ([name, member]) => `${JSON.stringify(name)}: ${writeValue(member, step, inner)}`,
      );
      return inLines('{', members, '}');
    }
    case 'array':
      return inLines(
        '[',
        value.items.map((item) => writeValue(item, step, inner)),
        ']',
      );
    default:
      return value.text;
  }
}

function appendValue(
  text: JsonText,
  parent: JsonNode,
  key: string | number,
  value: JsonText,
  depth: number,
): JsonText {
  const layout = layoutOf(text, depth);
  const last = nodesIn(text, parent, Infinity).nodes.at(-1);
  const name = typeof key === 'string' ? `${JSON.stringify(key)}: ` : '';
  const memberText = name + value;
  if (last !== undefined) {
    const lineBreak = layout === null ? ' ' : `\n${layout.indent}`;
    const inLine = !text.slice(parent.start, last.start).includes('\n');
    return splice(text, last.end, last.end, `,${inLine ? ' ' : lineBreak}${memberText}`);
  }
  const outer = layout === null ? '' : `\n${layout.step.repeat(depth - 1)}`;
  const inner = layout === null ? '' : `\n${layout.indent}`;
  return splice(text, parent.start + 1, parent.end - 1, `${inner}${memberText}${outer}`);
}

function withoutNode(
  text: JsonText,
  parent: JsonNode,
  nodes: readonly JsonNode[],
  index: number,
): JsonText {
  const before = nodes[index - 1];
  const node = nodes[index];
  const after = nodes[index + 1];
  if (node === undefined) return text;
  if (before !== undefined) return splice(text, before.end, node.end, '');
  if (after === undefined) return splice(text, parent.start + 1, parent.end - 1, '');
  // A member is removed from the start of its name to the start of the next name.
  const from = skipSpace(text, parent.start + 1);
  const comma = skipSpace(text, node.end);
  return splice(text, from, skipSpace(text, comma + 1), '');
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}
