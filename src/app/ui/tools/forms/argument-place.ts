/** Finds the path of the value at the caret in a JSON text, valid or not. */

import {
  type JsonNode,
  nodesIn,
  rootNode,
  stringValue,
  tokenEnd,
  tokenKind,
} from '../../../../runtime/spec/json-tokens.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';
import { pointerOf } from '../../../../runtime/spec/schema-walk.ts';

/** Names and indices, from the outermost value. */
export type ArgumentPath = readonly (string | number)[];

export interface ArgumentPlace {
  /** Empty if the caret is not inside a member. */
  readonly path: ArgumentPath;
  /** The number, word or string around the caret; null if there is none. */
  readonly token: { readonly start: number; readonly end: number } | null;
}

/** A JSON Pointer. */
export function toPointer(path: ArgumentPath): string {
  return pointerOf(path.map(String));
}

/** Formats a path, such as `stops[0].name`. */
export function pathText(path: ArgumentPath): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${String(step)}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** Finds the value at a path in a valid JSON text; null if there is none. */
export function valueAt(text: JsonText, path: ArgumentPath): JsonNode | null {
  let node = rootNode(text);
  for (const step of path) {
    const next = nodesIn(text, node, Infinity).nodes.findLast(({ key }) => key === step);
    if (next === undefined) return null;
    node = next;
  }
  return node;
}

interface Level {
  readonly kind: '{' | '[';
  key: string | number | null;
  /** Whether a value comes next in an object, not a name. */
  valueExpected: boolean;
}

/** Describes the position of the caret at `offset`. */
export function argumentPlace(text: string, offset: number): ArgumentPlace {
  const levels: Level[] = [];
  const path = (): (string | number)[] => levels.flatMap(({ key }) => (key === null ? [] : [key]));
  let at = 0;
  while (at < offset) {
    const sign = text.charAt(at);
    const level = levels.at(-1);
    if (sign === '{') levels.push({ kind: '{', key: null, valueExpected: false });
    else if (sign === '[') levels.push({ kind: '[', key: 0, valueExpected: true });
    else if (sign === '}' || sign === ']') levels.pop();
    else if (sign === ':' && level !== undefined) level.valueExpected = true;
    else if (sign === ',' && level !== undefined) nextMember(level);
    else if (tokenKind(text, at) !== 'space') {
      const end = tokenEnd(text, at);
      const isName = level?.kind === '{' && !level.valueExpected;
      if (isName) level.key = nameOf(text.slice(at, end));
      if (end >= offset) return { path: path(), token: isName ? null : { start: at, end } };
      at = end;
      continue;
    }
    at += 1;
  }
  // The position right before a value belongs to it.
  const next = at < text.length ? tokenKind(text, at) : 'space';
  const inValue = levels.at(-1)?.valueExpected === true && (next === 'string' || next === 'plain');
  const token = inValue ? { start: at, end: tokenEnd(text, at) } : null;
  return { path: path(), token };
}

function nextMember(level: Level): void {
  if (level.kind === '[') level.key = Number(level.key) + 1;
  else {
    level.key = null;
    level.valueExpected = false;
  }
}

function nameOf(token: string): string {
  const name = stringValue(token);
  return name === token ? token.replaceAll('"', '') : name;
}

/** The label of the last step of a path: the name of a member, or an item's index in brackets. */
export function nameAt(path: ArgumentPath): string {
  const step = path.at(-1) ?? '';
  return typeof step === 'number' ? `[${String(step)}]` : step === '' ? '(empty name)' : step;
}
