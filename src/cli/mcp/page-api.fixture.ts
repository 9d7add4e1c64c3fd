/** A page that answers `api/mcp` as a test says. */

import { once } from 'node:events';
import type { PageApi, PageResponse } from '../driven-page.ts';
import type { PageRequest } from '../in-page.ts';

export interface FakePage extends PageApi {
  readonly asked: PageRequest[];
  /** Requests that were cancelled. */
  readonly cancelled: string[];
}

/** @param answer gives the lines of the answer; undefined never answers. A subscription stays open. */
export function fakePage(
  answer: (body: string, asked: PageRequest) => readonly string[] | undefined,
): FakePage {
  const asked: PageRequest[] = [];
  const cancelled: string[] = [];
  return {
    asked,
    cancelled,
    request(signal, request) {
      asked.push(request);
      const { body = '' } = request;
      const lines = answer(body, request);
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => {
          cancelled.push(body);
          reject(new Error('The request was cancelled.'));
        });
        const open = body.includes('subscriptions/listen') ? signal : null;
        if (lines !== undefined) resolve(responseOf(lines, open));
      });
    },
  };
}

function responseOf(lines: readonly string[], open: AbortSignal | null): PageResponse {
  async function* body(): AsyncGenerator<string> {
    for (const line of lines) {
      // A piece may end anywhere.
      const event = `event: message\ndata: ${line}\n\n`;
      yield event.slice(0, 9);
      yield await Promise.resolve(event.slice(9));
    }
    if (open !== null) await once(open, 'abort');
  }
  const headers = { 'content-type': 'text/event-stream', 'mcp-session-id': 's1' };
  return { status: lines.length === 0 ? 202 : 200, headers, body: body() };
}
