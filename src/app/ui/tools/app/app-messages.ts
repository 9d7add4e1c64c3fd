/** Reads the messages of an app: JSON-RPC, as MCP Apps 2026-01-26 has it. An app may be hostile, so each field is checked. */

import { asFields, isRecord, type Fields } from '../../../../runtime/spec/guards.ts';

export type MessageId = string | number;

type AppMessage =
  | {
      readonly type: 'request';
      readonly id: MessageId;
      readonly method: string;
      readonly params: Fields;
    }
  | { readonly type: 'notification'; readonly method: string; readonly params: Fields }
  | { readonly type: 'answer'; readonly id: MessageId };

/** Codes of JSON-RPC, and of MCP for a resource that does not exist. */
export const errorCodes = {
  refused: -32_000,
  noResource: -32_002,
  badRequest: -32_600,
  unknownMethod: -32_601,
  badParams: -32_602,
  internal: -32_603,
} as const;

/** A refusal of a request, which the app receives. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const maxIdChars = 200;
const maxMethodChars = 200;

/** Returns null for what is not a message of the protocol. */
export function readMessage(data: unknown): AppMessage | null {
  const { jsonrpc, id, method, params } = asFields(data);
  if (jsonrpc !== '2.0' || Array.isArray(data)) return null;
  if (method === undefined) return isId(id) ? { type: 'answer', id } : null;
  if (typeof method !== 'string' || method.length > maxMethodChars) return null;
  const readParams = asFields(params);
  if (id === undefined) return { type: 'notification', method, params: readParams };
  return isId(id) ? { type: 'request', id, method, params: readParams } : null;
}

function isId(id: unknown): id is MessageId {
  return typeof id === 'string' ? id.length <= maxIdChars : Number.isSafeInteger(id);
}

/**
 * The approximate size of a message in characters; infinite if it is above the limit, or holds anything but JSON values.
 * Nothing of it is called: a message has neither getters nor methods after its passage.
 */
export function messageSize(data: unknown, max: number): number {
  const waiting: unknown[] = [data];
  let size = 0;
  for (;;) {
    if (waiting.length === 0) return size;
    const value = waiting.pop();
    size += typeof value === 'string' ? value.length + 8 : 8;
    // @mutant an app's message is bounded => size > max -> false [src/app/ui/tools/app/app-relay.test.ts]
    if (size > max) return Infinity;
    if (!isRecord(value)) continue;
    if (!isPlain(value) || (Array.isArray(value) && value.length * 8 > max)) return Infinity;
    const keys = Object.keys(value);
    if (size + (keys.length + waiting.length) * 8 > max) return Infinity;
    for (const key of keys) {
      size += key.length;
      waiting.push(value[key]);
    }
  }
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}

const maxTextChars = 20_000;

/**
 * The text of content blocks, for a field that the user sees.
 * @throws {Refusal} if it has another kind of content, or too much
 */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) throw badParams('content must be a list of content blocks');
  const texts = content.map((block) => {
    const { type, text } = asFields(block);
    if (type !== 'text' || typeof text !== 'string')
      throw badParams('only content of the type text is supported');
    return text;
  });
  const joined = texts.join('\n\n');
  if (joined.length > maxTextChars)
    throw badParams(`the content has more than ${maxTextChars} characters`);
  return joined;
}

/** @throws {Refusal} */
export function linkOf({ url }: Fields): string {
  const parsed = typeof url === 'string' && url.length <= 2_000 ? URL.parse(url) : null;
  if (parsed === null)
    throw badParams('url must be an absolute address of at most 2000 characters');
  // @mutant an app opens only web addresses => removed [src/app/ui/tools/app/app-relay.test.ts]
  if (!/^https?:$/.test(parsed.protocol)) throw badParams('only http: and https: can be opened');
  if (parsed.username !== '' || parsed.password !== '')
    throw badParams('the address must not contain a user name or password');
  return parsed.href;
}

export function badParams(why: string): Refusal {
  return new Refusal(errorCodes.badParams, `Invalid params: ${why}.`);
}
