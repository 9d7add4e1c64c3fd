/** Parses JSON text into a tree that keeps the text of each value, for the argument form. */

import type { JsonText } from '../../../../runtime/spec/json.ts';
import {
  skipSpace,
  stringEnd,
  stringValue,
  tokenEnd,
} from '../../../../runtime/spec/json-tokens.ts';

export interface ScalarValue {
  readonly kind: 'string' | 'number' | 'boolean' | 'null';
  readonly text: JsonText;
}

export interface ObjectValue {
  readonly kind: 'object';
  readonly text: JsonText;
  /** The values by name. If a name occurs more than once, its last value. */
  readonly members: ReadonlyMap<string, JsonValue>;
}

export interface ArrayValue {
  readonly kind: 'array';
  readonly text: JsonText;
  readonly items: readonly JsonValue[];
}

export type JsonValue = ScalarValue | ObjectValue | ArrayValue;

/** Limits of a text that is shown as a form; values beyond them are edited as JSON. */
const maxValues = 20_000;
const deepestValue = 64;

/**
 * The tree of a valid JSON text; null if it has too many or too deeply nested values.
 * @param before an earlier tree; its unchanged parts are reused, so that they compare by identity
 */
export function parseValue(text: JsonText, before: JsonValue | null = null): JsonValue | null {
  const reader = new Reader(text);
  const value = reader.read(0);
  return value === null ? null : reuseUnchanged(value, before);
}

export function contentOf({ text }: JsonValue): string {
  return stringValue(text);
}

/** The member or the item of a value; undefined if there is none. */
export function valueInside(
  value: JsonValue | undefined,
  step: string | number,
): JsonValue | undefined {
  if (value?.kind === 'object') return value.members.get(String(step));
  return value?.kind === 'array' ? value.items[Number(step)] : undefined;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #left = maxValues;

  constructor(text: string) {
    this.#text = text;
  }

  read(depth: number): JsonValue | null {
    const text = this.#text;
    this.#left -= 1;
    if (depth > deepestValue || this.#left < 0) return null;
    const start = skipSpace(text, this.#at);
    const first = text.charAt(start);
    if (first === '{') return this.#object(start, depth);
    if (first === '[') return this.#array(start, depth);
    this.#at = tokenEnd(text, start);
    return { kind: scalarKind(first), text: text.slice(start, this.#at) };
  }

  #object(start: number, depth: number): JsonValue | null {
    const members = new Map<string, JsonValue>();
    this.#at = skipSpace(this.#text, start + 1);
    while (this.#text.charAt(this.#at) !== '}') {
      const end = stringEnd(this.#text, this.#at);
      const name = stringValue(this.#text.slice(this.#at, end));
      this.#at = skipSpace(this.#text, end) + 1;
      const value = this.read(depth + 1);
      if (value === null) return null;
      members.set(name, value);
      this.#next();
    }
    this.#at += 1;
    return { kind: 'object', text: this.#text.slice(start, this.#at), members };
  }

  #array(start: number, depth: number): JsonValue | null {
    const items: JsonValue[] = [];
    this.#at = skipSpace(this.#text, start + 1);
    while (this.#text.charAt(this.#at) !== ']') {
      const item = this.read(depth + 1);
      if (item === null) return null;
      items.push(item);
      this.#next();
    }
    this.#at += 1;
    return { kind: 'array', text: this.#text.slice(start, this.#at), items };
  }

  /** Skips a comma and the space around it. */
  #next(): void {
    const at = skipSpace(this.#text, this.#at);
    this.#at = this.#text.charAt(at) === ',' ? skipSpace(this.#text, at + 1) : at;
  }
}

function scalarKind(first: string): ScalarValue['kind'] {
  if (first === '"') return 'string';
  if (first === 'n') return 'null';
  return first === 't' || first === 'f' ? 'boolean' : 'number';
}

function reuseUnchanged(value: JsonValue, before: JsonValue | null | undefined): JsonValue {
  if (before?.kind !== value.kind) return value;
  if (before.text === value.text) return before;
  if (value.kind === 'object' && before.kind === 'object') {
    const members = new Map<string, JsonValue>();
    for (const [name, member] of value.members)
      members.set(name, reuseUnchanged(member, before.members.get(name)));
    return { ...value, members };
  }
  if (value.kind === 'array' && before.kind === 'array')
    return {
      ...value,
      items: value.items.map((item, index) => reuseUnchanged(item, before.items[index])),
    };
  return value;
}
