/** Words for the messages between Cloche and an MCP server in the list on its page, and the search in this list. */

import type { Trace, TracedMessage } from '../../../runtime/protocol/mcp.ts';

/** Limit of the characters of an answer in the list. */
const maxSummary = 100;

/** The method of a request or notification; empty for an answer. */
export function methodOf({ body }: Pick<TracedMessage, 'body'>): string {
  return /"method":\s*"([^"]{1,100})"/.exec(body)?.[1] ?? '';
}

/** One line about a message. */
export function summarizeMessage(message: TracedMessage): string {
  const { isSent, method, status, body } = message;
  const called = methodOf(message);
  if (isSent) return called === '' ? method : `${method} ${called}`;
  if (status !== null) return `status ${status}`;
  if (called !== '') return called;
  return body.length > maxSummary ? `${body.slice(0, maxSummary)}…` : body;
}

/** Where a message was sent, or what it answers; and whether the server’s revision of MCP is a modern or a legacy one. */
export function placeOf(message: TracedMessage, era: Trace['era']): string {
  const { isSent, method, exchange, url, status } = message;
  const parts = [isSent ? `${method} ${url}` : `Answer to message ${exchange}`];
  if (status !== null) parts.push(`status ${status}`);
  if (era !== null) parts.push(`${era} era`);
  return parts.join(' · ');
}

/** Whether a message has each word of the query in its headers, status or text. */
export function matches(message: TracedMessage, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { body, headers, method, status, isSent } = message;
  const direction = isSent ? 'sent' : 'received';
  const all = [direction, method, status ?? '', ...headers.flat(), body].join(' ').toLowerCase();
  return words.every((word) => all.includes(word));
}
