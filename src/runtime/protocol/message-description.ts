/** Describes a message for debug mode: its kind, its size, and a preview of its content, without keys. */

import { asFields, isRecord, stringsIn, type Fields } from '../spec/guards.ts';
import type { Description } from './message-tap.ts';
import { parseHeader } from './python.ts';

/** Length of a preview. The log shows less, so that the mask finds a secret that the shown text would cut off. */
const previewChars = 4_000;
/** Limit of the values of a message that count for its size. */
const maxValues = 5_000;
const maxDepth = 12;
/** Limit of Comlink requests that are remembered until their answer. */
const maxAsked = 500;
/** Parts of a path that are read. */
const maxPath = 10;
const kindChars = 60;

/** Members that contain keys: the access to a provider, and the secrets of a request. */
const hiddenMembers: ReadonlySet<string> = new Set(['access', 'secrets']);
/** Messages that carry the values of settings, some of which are secret. */
const hiddenKinds: ReadonlySet<string> = new Set(['setSettings', 'settings']);
const notShown = '[not shown]';

/** Describes the messages of one port. Comlink answers are named after their requests. */
export class MessageDescriber {
  readonly #asked = new Map<unknown, string>();

  describe(message: unknown): Description {
    const { kind, content } = this.#read(message);
    const preview = hiddenKinds.has(kind) ? notShown : previewText(content);
    return { kind: kind.slice(0, kindChars), bytes: sizeOf(message), preview };
  }

  #read(message: unknown): { kind: string; content: unknown } {
    if (typeof message === 'string') return { kind: kindOfText(message), content: message };
    const { type, op, id, path, argumentList, value } = asFields(message);
    if (Array.isArray(path)) {
      const kind = stringsIn(path.slice(0, maxPath)).join('.');
      if (this.#asked.size >= maxAsked) this.#asked.clear();
      this.#asked.set(id, kind);
      return { kind, content: valuesOf(argumentList) };
    }
    const asked = this.#asked.get(id);
    if (asked !== undefined && (type === 'RAW' || type === 'HANDLER')) {
      this.#asked.delete(id);
      return { kind: `${asked} answer`, content: value };
    }
    for (const name of [op, type])
      if (typeof name === 'string') return { kind: name, content: message };
    return { kind: Array.isArray(message) ? 'list' : typeof message, content: message };
  }
}

/** A text of the tool worker has a mark, a header and a payload. Further pieces of a long text have no header. */
function kindOfText(text: string): string {
  return parseHeader(text.slice(1))?.header.t ?? 'text';
}

/** The arguments of a Comlink request. */
function valuesOf(list: unknown): unknown {
  return Array.isArray(list) ? list.map((one) => asFields(one).value) : list;
}

/** The beginning of a value, as JSON where possible. */
function previewText(value: unknown): string {
  const parts: string[] = [];
  let left = previewChars;
  const put = (text: string): void => {
    parts.push(text.slice(0, left));
    left -= text.length;
  };
  const putItems = (items: Iterable<unknown>, depth: number): void => {
    let isFirst = true;
    for (const item of items) {
      if (left <= 0) return;
      if (!isFirst) put(', ');
      isFirst = false;
      visit(item, depth);
    }
  };
  const visit = (one: unknown, depth: number): void => {
    if (left <= 0) return;
    if (typeof one === 'string') put(JSON.stringify(one.slice(0, left)));
    else if (!isRecord(one)) put(textOf(one));
    else if (binaryBytes(one) !== null)
      put(`<${(binaryBytes(one) ?? 0).toLocaleString('en')} bytes>`);
    else if (depth >= maxDepth) put('…');
    else if (Array.isArray(one) || one instanceof Map || one instanceof Set) {
      put('[');
      putItems(one, depth + 1);
      put(']');
    } else visitMembers(one, depth);
  };
  const visitMembers = (one: Fields, depth: number): void => {
    // Headers of a request with secrets are hidden, because a short secret in them could not be masked later.
    const hidesHeaders = 'secrets' in one;
    let isFirst = true;
    put('{');
    for (const name in one) {
      if (left <= 0) return;
      put(`${isFirst ? '' : ', '}${JSON.stringify(name.slice(0, 200))}: `);
      isFirst = false;
      if (hiddenMembers.has(name) || (hidesHeaders && name === 'headers')) put(notShown);
      else visit(one[name], depth + 1);
    }
    put('}');
  };
  if (typeof value === 'string') put(value.slice(0, previewChars));
  else visit(value, 0);
  return parts.join('');
}

function sizeOf(message: unknown): number {
  let bytes = 0;
  let values = 0;
  const open: unknown[] = [message];
  while (open.length > 0 && values < maxValues) {
    const one = open.pop();
    values += 1;
    if (!isRecord(one)) {
      bytes += typeof one === 'string' ? one.length : textOf(one).length;
      continue;
    }
    const binary = binaryBytes(one);
    if (binary !== null) {
      bytes += binary;
      continue;
    }
    if (one instanceof Map || one instanceof Set || Array.isArray(one)) {
      for (const item of one) {
        if (open.length >= maxValues) break;
        open.push(item);
      }
      continue;
    }
    for (const name in one) {
      if (open.length >= maxValues) break;
      bytes += name.length;
      open.push(one[name]);
    }
  }
  return bytes;
}

/** The digits of a long integer take more than linear time. */
function textOf(one: unknown): string {
  return typeof one === 'bigint' ? '<integer>' : String(one);
}

/** Bytes of a file or buffer; null for other values. */
function binaryBytes(value: Fields): number | null {
  if (value instanceof Blob) return value.size;
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : null;
}
