/**
 * Chooses the control for a value, and the browser's picker for the format of a string; converts between values and what is
 * typed or picked, and files to base64; names types for the label.
 */

import { toBase64 } from '../../../../runtime/spec/bytes.ts';
import type { Unfinished } from './draft.svelte.ts';
import type { Shape } from './form-schema.ts';
import { contentOf, type JsonValue } from './json-value.ts';
import { isPlainText } from './argument-form.svelte.ts';
import { isNumber } from './argument-template.ts';

export type Control =
  'choice' | 'boolean' | 'number' | 'text' | 'null' | 'object' | 'array' | 'json' | 'long text';

/** Levels of objects and lists that are shown as groups; deeper ones are edited as JSON. */
const deepestGroup = 12;
/** Longest text that a field shows; characters. */
const longestText = 20_000;

/** @param value undefined if it is left out */
export function controlOf(shape: Shape, value: JsonValue | undefined, depth: number): Control {
  if (shape.choices !== null) return shape.choices.length > 0 ? 'choice' : 'json';
  const [type, ...others] = shape.types ?? [];
  if (type === undefined || others.length > 0) return 'json';
  const kind = type === 'integer' ? 'number' : type;
  if (kind === 'object' || kind === 'array') {
    if (depth >= deepestGroup) return 'json';
    return value === undefined || value.kind === kind ? kind : 'json';
  }
  if (kind === 'number' && value?.kind === 'string')
    return isTypeable(contentOf(value)) ? kind : 'json';
  if (value !== undefined && value.kind !== kind) return 'json';
  if (kind !== 'string') return kind;
  if (value === undefined) return 'text';
  const content = contentOf(value);
  if (!isTypeable(content)) return 'json';
  return content.length > longestText ? 'long text' : 'text';
}

/** Whether a JSON field accepts text without quotes: only if any type is allowed. Of several types, the user chooses one. */
export function takesText({ types, choices }: Shape): boolean {
  return types === null && choices === null;
}

/** The text of a value in a JSON field: without quotes if it is a text that cannot be mistaken for JSON. */
export function jsonShown(value: JsonValue | undefined, shape: Shape): string {
  if (value?.kind !== 'string' || !takesText(shape)) return value?.text ?? '';
  const content = contentOf(value);
  const isPlain = content.trim() !== '' && isPlainText(content) && isTypeable(content);
  return isPlain ? content : value.text;
}

/** Returns whether a text field keeps every character of the text. */
function isTypeable(content: string): boolean {
  // eslint-disable-next-line no-control-regex -- a field drops or hides them
  return !/[\0-\x08\x0b-\x1f]/.test(content) && content.isWellFormed();
}

/** The text in a number field: the number, or the invalid text, which is stored as a string. */
export function numberShown(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  if (value.kind !== 'string') return value.text;
  const content = contentOf(value);
  // Quotes show that the value is a string that only looks like a number.
  return isNumber(content) ? value.text : content;
}

/**
 * The number that was typed; null if it is none. Leading zeros are removed, since a template fills in 0 and the user types
 * after it.
 */
export function readTypedNumber(typed: string): string | null {
  const text = typed.trim().replace(/^(-?)0+(?=\d)/, '$1');
  return isNumber(text) ? text : null;
}

/** A short name of the type, such as `list of string`. */
export function typeWords(shape: Shape): string {
  const { types, format, choices } = shape;
  if (choices?.length === 0) return 'no value';
  if (choices?.length === 1) return 'constant';
  if (choices !== null) return `one of ${choices.length.toLocaleString('en')}`;
  if (types === null) return shape.branches === null ? 'any' : '';
  const name = types.join(' or ');
  return format === '' || types[0] !== 'string' ? name : `${name}, ${format.slice(0, 40)}`;
}

/** The reason why an unfinished value is not sent. */
export const unfinishedWords: Readonly<Record<Unfinished['why'], string>> = {
  'no json': 'is not valid JSON yet. Complete it, or remove it.',
  'no number': 'is not a number yet. Complete it, or remove it.',
  empty: 'is empty. Enter a value, or remove it.',
};

/** The message about members of an object that were left out because they no longer apply; empty if there are none. */
export function droppedWords(dropped: readonly string[], value: JsonValue): string {
  const names = dropped.filter((name) => value.kind === 'object' && !value.members.has(name));
  if (names.length === 0) return '';
  return `No longer sent, because other arguments changed: ${names.join(', ').slice(0, 500)}. Change those back to restore the values.`;
}

/** Largest file, in bytes; its base64 text is a third longer. */
export const maxFileBytes = 1_000_000;

export interface Picker {
  readonly type: 'date' | 'time' | 'datetime-local' | 'color';
  readonly what: string;
  /** The picker's value for a text; empty if the picker cannot show it. */
  shown(text: string): string;
  /** The text for what was picked, with the offset of the text that it replaces. */
  text(picked: string, before: string): string;
}

const pickers: Readonly<Record<string, Picker>> = {
  date: {
    type: 'date',
    what: 'date',
    shown: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : ''),
    text: (picked) => picked,
  },
  time: {
    type: 'time',
    what: 'time',
    shown: (text) => /^\d\d:\d\d(?::\d\d)?/.exec(text)?.[0] ?? '',
    text: (picked, before) => `${withSeconds(picked)}${offsetOf(before)}`,
  },
  'date-time': {
    type: 'datetime-local',
    what: 'date and time',
    shown: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?/.exec(text)?.[0] ?? '',
    text: (picked, before) => `${withSeconds(picked)}${offsetOf(before)}`,
  },
  color: {
    type: 'color',
    what: 'colour',
    shown: (text) => (/^#[\da-f]{6}$/i.test(text) ? text.toLowerCase() : '#000000'),
    text: (picked) => picked,
  },
};

export function pickerOf(format: string): Picker | null {
  return Object.hasOwn(pickers, format) ? (pickers[format] ?? null) : null;
}

export async function base64Of(file: Blob): Promise<string> {
  return toBase64(new Uint8Array(await file.arrayBuffer()));
}

/** The offset from UTC at the end of a time, as it is written; `Z` if there is none. */
function offsetOf(time: string): string {
  return /\d\d:\d\d(?::\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.exec(time)?.[1] ?? 'Z';
}

/** `time` and `date-time` require seconds, which pickers may omit. */
function withSeconds(time: string): string {
  return /\d\d:\d\d:\d\d/.test(time) ? time : `${time}:00`;
}

/** The keyboard that phones show for a text of this format; undefined for the usual one. */
export function inputModeOf(format: string): 'email' | 'url' | undefined {
  if (format === 'email') return 'email';
  return format.startsWith('uri') ? 'url' : undefined;
}
