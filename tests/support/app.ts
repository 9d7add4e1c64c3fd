/** What most browser tests do first: open the app, drop a folder on it, call its tools over the API. */

import { expect, type Page } from '@playwright/test';
import { drop } from '../../bench/drop.mjs';

export interface ApiListing {
  state: 'none' | 'scanning' | 'ready';
  folder: string | null;
  revision: string;
  tools: { name: string; source: { file: string; line: number } }[];
  problems: {
    severity: string;
    code: string;
    file: string;
    line: number | null;
    message: string;
    hint: string;
  }[];
}

export interface ApiResult {
  resultType: 'success' | 'failure';
  textResultForLlm: string;
  error?: string;
  traceback?: string;
  content: { type: string; text?: string; mediaType?: string; data?: string }[];
  metadata: Record<string, unknown>;
  stdout: string;
  stderr: string;
  durationMs: number;
  stateLost: boolean;
}

/** Drops a folder and waits until its scan has ended. */
export async function openFolder(page: Page, path: string, timeout = 90_000): Promise<ApiListing> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await drop(page, path);
  const name = path.split('/').at(-1);
  const ready = expect.poll(() => listing(page), { timeout, intervals: [100] });
  await ready.toMatchObject({ state: 'ready', folder: name });
  return listing(page);
}

export function listing(page: Page): Promise<ApiListing> {
  return page.evaluate(async () => (await fetch('api/tools')).json() as Promise<ApiListing>);
}

/** @param body JSON text, so that numbers keep their spelling */
export function invokeText(page: Page, tool: string, body: string): Promise<string> {
  return page.evaluate(
    async ([name, text]) => {
      const response = await fetch(`api/tools/${encodeURIComponent(name)}/invoke`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      });
      return response.text();
    },
    [tool, body] as const,
  );
}

export async function invoke(
  page: Page,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<ApiResult> {
  const text = await invokeText(page, tool, JSON.stringify({ arguments: args }));
  return JSON.parse(text) as ApiResult;
}

/**
 * Milliseconds that a page may stall in a test. What these tests guard against stalls a page for three seconds and more
 * (a flood without the broker); a shared machine was seen to take a second away from one thread and not from its
 * neighbour. The aim of 50 is for the benchmark, on a machine that has time.
 */
export const stallLimit = 2_000;

/**
 * Measures from now on how long the page stalls. A worker beside it, which does nothing else, measures how long the
 * machine itself keeps a thread waiting; a stall is the page's own only beyond that.
 *
 * @returns asks for the longest stall since it was last asked, in milliseconds beyond what the machine took
 */
export async function watchStalls(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const tick = `let longest = 0, last = performance.now();
      setInterval(() => {
        const now = performance.now();
        longest = Math.max(longest, now - last - 10);
        last = now;
      }, 10);`;
    const script = `${tick} onmessage = () => { postMessage(longest); longest = 0; };`;
    const control = new Worker(
      URL.createObjectURL(new Blob([script], { type: 'text/javascript' })),
    );
    let longest = 0;
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last - 10);
      last = now;
    }, 10);
    const ask = async (): Promise<number> => {
      const machine = await new Promise<number>((resolve) => {
        control.onmessage = ({ data }) => {
          resolve(data as number);
        };
        control.postMessage(null);
      });
      const own = longest - machine;
      longest = 0;
      return own;
    };
    Object.assign(globalThis, { longestStall: ask });
  });
  return () =>
    page.evaluate(() =>
      (globalThis as unknown as { longestStall: () => Promise<number> }).longestStall(),
    );
}
