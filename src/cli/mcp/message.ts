/** JSON-RPC messages of MCP, with the exact text of what is passed on. */

import { metaPrefix } from '../../runtime/protocol/mcp-handshake.ts';
import { asFields, parseJson } from '../../runtime/spec/guards.ts';
import { objectMembers } from '../../runtime/spec/json-reader.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { PageResponse } from '../driven-page.ts';

export interface Message {
  readonly text: JsonText;
  readonly type: 'request' | 'notification' | 'answer';
  /** JSON text; empty for a notification. */
  readonly id: JsonText;
  /** Empty for an answer. */
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The revision that the message names, which those since 2026 do; null for a message of a session. */
  readonly version: string | null;
}

const versionKey = `${metaPrefix}protocolVersion`;
export const subscriptionKey = `${metaPrefix}subscriptionId`;

/** @returns null if the text is not a message */
export function readMessage(text: string): Message | null {
  const members = objectMembers(text);
  if (members === null) return null;
  const id = members.get('id') ?? '';
  const method = parseJson(members.get('method') ?? '""');
  const params = asFields(parseJson(members.get('params') ?? '{}'));
  if (typeof method !== 'string' || (method === '' && id === '')) return null;
  const version = asFields(params._meta)[versionKey];
  return {
    text,
    type: method === '' ? 'answer' : id === '' ? 'notification' : 'request',
    id,
    method,
    params,
    version: typeof version === 'string' ? version : null,
  };
}

/**
 * The headers with which HTTP repeats what a message says.
 * @param version the revision of the client's session; null if it is not agreed on yet
 */
export function headersOf(message: Message, version: string | null): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  if (message.version === null) {
    if (version !== null) headers['MCP-Protocol-Version'] = version;
    return headers;
  }
  headers['MCP-Protocol-Version'] = message.version;
  headers['Mcp-Method'] = message.method;
  const { name, uri } = message.params;
  const named = typeof name === 'string' ? name : uri;
  if (typeof named === 'string') headers['Mcp-Name'] = headerText(named);
  return headers;
}

/** A value that is not printable ASCII, has spaces around it or looks encoded is sent as base64. */
function headerText(value: string): string {
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(value) && !value.startsWith('=?base64?');
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

export function resultLine(id: JsonText, result: JsonText): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

export function errorLine(id: JsonText, code: number, message: string): string {
  const error = JSON.stringify({ code, message });
  return `{"jsonrpc":"2.0","id":${id === '' ? 'null' : id},"error":${error}}`;
}

/** Yields the data of each event of a stream. */
async function* eventData(body: AsyncIterable<string>): AsyncGenerator<string> {
  let unfinished = '';
  for await (const piece of body) {
    // An empty line ends an event.
    const events = `${unfinished}${piece}`.split(/\r?\n\r?\n/);
    unfinished = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      if (lines.length > 0) yield lines.map((line) => line.slice(5).trimStart()).join('\n');
    }
  }
}

/** The messages of a response, each on one line. */
export async function* linesOf({ headers, body }: PageResponse): AsyncGenerator<string> {
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  if (isStream) for await (const data of eventData(body)) yield oneLine(data);
  else {
    let text = '';
    for await (const piece of body) text += piece;
    if (text.trim() !== '') yield oneLine(text.trim());
  }
}

/** Line breaks in JSON stand between its parts only. */
function oneLine(text: JsonText): string {
  return text.replace(/[\r\n]+/g, ' ');
}
