/** The messages between Cloche and a server, bounded. Keys and tokens are masked when they are read. */

import {
  hiddenValue,
  type Header,
  type McpFault,
  type Trace,
  type TracedMessage,
} from '../../../runtime/protocol/mcp.ts';
import { secretParts } from '../../../runtime/grants/secret-parts.ts';
import { SecretMask } from '../../../runtime/spec/secret-mask.ts';
import type { AnswerTap, SentRequest, WireTap } from './server-fetch.ts';

/** Limits of all messages, and of one; characters. */
const maxMessages = 400;
const maxChars = 2_000_000;
const maxBody = 50_000;
const maxHeaders = 50;
const maxHeaderChars = 2_000;
const maxUrl = 2_000;
/** Headers whose values are hidden, whatever they are. */
const hiddenHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

interface Kept {
  readonly message: TracedMessage;
  readonly size: number;
  /** Null unless the message is a request that was kept whole. */
  readonly sent: SentRequest | null;
}

export class MessageTrace implements WireTap {
  readonly #now: () => number;
  readonly #kept: Kept[] = [];
  #chars = 0;
  #dropped = 0;
  #n = 0;
  #era: Trace['era'] = null;
  readonly #secrets = new Set<string>();
  readonly #keyHeaders = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  setEra(era: Trace['era']): void {
    this.#era = era;
  }

  /** @param headers with keys @param secrets further texts that must not be shown */
  hide(headers: readonly Header[], secrets: readonly string[]): void {
    for (const [name] of headers) this.#keyHeaders.add(name.toLowerCase());
    for (const secret of [...headers.map(([, value]) => value), ...secrets])
      for (const part of secretParts(secret)) this.#secrets.add(part);
  }

  sent(request: SentRequest): AnswerTap {
    const { method, url, headers, body } = request;
    const exchange = this.#add({ method, url, headers, body }, null, request);
    const answer = (part: { headers?: Headers; body?: string; status?: number }): void =>
      void this.#add({ method, url, ...part }, exchange, null);
    return {
      answered: ({ status, headers: answered }) => answer({ status, headers: answered }),
      message: (text) => answer({ body: text }),
      failed: ({ cause, message }: McpFault) => answer({ body: `${cause}: ${message}` }),
    };
  }

  /** The request that was sent with this number, without its keys; null if it was not kept whole. */
  request(n: number): SentRequest | null {
    const sent = this.#kept.find(({ message }) => message.n === n)?.sent ?? null;
    if (sent === null) return null;
    const headers = new Headers(sent.headers);
    for (const name of [...hiddenHeaders, ...this.#keyHeaders]) headers.delete(name);
    return { ...sent, headers };
  }

  read(): Trace {
    const mask = new SecretMask([...this.#secrets].sort((a, b) => b.length - a.length));
    const messages = this.#kept.map(({ message }) => ({
      ...message,
      url: withoutQuery(maskedText(mask, message.url, message.url.length >= maxUrl)),
      headers: message.headers.map(([name, value]): Header => {
        // @mutant the trace of an MCP server shows no key => this.#keyHeaders.has(name) -> false
        const isHidden = hiddenHeaders.has(name) || this.#keyHeaders.has(name);
        const isCut = value.length >= maxHeaderChars;
        return [name, isHidden ? hiddenValue : maskedText(mask, value, isCut)];
      }),
      body: maskedText(mask, message.body, message.bodyChars > maxBody),
    }));
    return { era: this.#era, messages, dropped: this.#dropped };
  }

  #add(
    part: Pick<TracedMessage, 'method' | 'url'> & {
      readonly headers?: Headers;
      readonly body?: string;
      readonly status?: number;
    },
    exchange: number | null,
    sent: SentRequest | null,
  ): number {
    const n = (this.#n += 1);
    const { method, body = '', status = null } = part;
    const headers = [...(part.headers ?? [])]
      .slice(0, maxHeaders)
      .map(([name, value]): Header => [
        name.slice(0, maxHeaderChars),
        value.slice(0, maxHeaderChars),
      ]);
    const message = {
      n,
      at: this.#now(),
      exchange: exchange ?? n,
      isSent: sent !== null,
      method,
      url: part.url.slice(0, maxUrl),
      status,
      headers,
      body: body.slice(0, maxBody),
      bodyChars: body.length,
    };
    const size = headers.reduce(
      (sum, [name, value]) => sum + name.length + value.length,
      message.url.length + message.body.length,
    );
    const isWhole = body.length <= maxBody && part.url.length <= maxUrl;
    this.#kept.push({ message, size, sent: isWhole ? sent : null });
    this.#chars += size;
    // @mutant the trace of an MCP server is bounded => this.#kept.length > maxMessages -> false
    while (this.#kept.length > maxMessages || this.#chars > maxChars) {
      this.#chars -= this.#kept.shift()?.size ?? 0;
      this.#dropped += 1;
    }
    return n;
  }
}

/** A key that begins at the end of a text that was cut is left out. */
function maskedText(secrets: SecretMask, text: string, isCut: boolean): string {
  if (!isCut) return secrets.text(text);
  const mask = new SecretMask(secrets);
  return new TextDecoder().decode(mask.next(new TextEncoder().encode(text)));
}

/** Some servers are given their key in the query. */
function withoutQuery(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? url : `${url.slice(0, at)}?${hiddenValue}`;
}
