/** Calls a tool over the API as an event stream, as a page of the same origin reads one. */

import type { Page } from '@playwright/test';

export interface StreamEvent {
  name: string;
  id: string;
  data: Record<string, unknown>;
  /** Milliseconds since the request. */
  at: number;
}

export interface StreamRead {
  status: number;
  type: string | null;
  events: StreamEvent[];
  /** Characters, comments included. */
  chars: number;
  /** How it ended: `end`, `stopped` by this side, or the name of an error. */
  ending: string;
}

export interface StreamAsk {
  args?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Aborts the request when so many events of this name have come. */
  stopAt?: { name: string; count: number };
  /** Reads nothing of the body until `readOn` is called for the page. */
  waits?: boolean;
  /** Another address, read by GET. */
  path?: string;
}

export function readStream(page: Page, tool: string, ask: StreamAsk = {}): Promise<StreamRead> {
  return page.evaluate(
    async ([name, { args = {}, headers = {}, stopAt, waits = false, path }]) => {
      const from = performance.now();
      const stop = new AbortController();
      const shared = { headers: { accept: 'text/event-stream', ...headers }, signal: stop.signal };
      const read: StreamRead = { status: 0, type: null, events: [], chars: 0, ending: 'end' };
      const take = (block: string): void => {
        let id = '';
        let event = 'message';
        const data: string[] = [];
        for (const line of block.split('\n')) {
          const [, field, value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
          if (field === 'id') id = value;
          if (field === 'event') event = value;
          if (field === 'data') data.push(value);
        }
        if (data.length === 0) return;
        const parsed = JSON.parse(data.join('\n')) as Record<string, unknown>;
        read.events.push({ name: event, id, data: parsed, at: performance.now() - from });
      };
      const enough = (): boolean =>
        stopAt !== undefined &&
        read.events.filter((one) => one.name === stopAt.name).length >= stopAt.count;
      try {
        const response =
          path === undefined
            ? await fetch(`api/tools/${encodeURIComponent(name)}/invoke`, {
                ...shared,
                method: 'POST',
                headers: { ...shared.headers, 'content-type': 'application/json' },
                body: JSON.stringify({ arguments: args }),
              })
            : await fetch(path, shared);
        read.status = response.status;
        read.type = response.headers.get('content-type');
        if (waits)
          await new Promise((resolve) => {
            addEventListener('read-on', resolve, { once: true });
          });
        const decoder = new TextDecoder();
        const reader = response.body?.getReader();
        let rest = '';
        for (;;) {
          const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
          if (done) break;
          const text = decoder.decode(value, { stream: true });
          read.chars += text.length;
          const blocks = (rest + text).split('\n\n');
          rest = blocks.pop() ?? '';
          blocks.forEach(take);
          if (enough()) {
            stop.abort();
            read.ending = 'stopped';
            break;
          }
        }
      } catch (thrown) {
        read.ending = (thrown as Error).name;
      }
      return read;
    },
    [tool, ask] as const,
  );
}

/** Lets a reader go on that waits. */
export function readOn(page: Page): Promise<void> {
  return page.evaluate(() => {
    dispatchEvent(new Event('read-on'));
  });
}
