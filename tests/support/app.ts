/** What most browser tests do first: open the app, drop a folder on it, call its tools over the API. */

import type { Page } from '@playwright/test';
import { drop } from '../../bench/drop.mjs';
import { callHere, countEndings, endingsHere, type EndedHere, type StopAt } from './call-here.ts';
import { expect } from './expect.ts';

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
export async function openFolder(page: Page, path: string, timeout = 240_000): Promise<ApiListing> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  const key = (): Promise<string> => page.evaluate(() => globalThis.cloche.status.get().folderKey);
  const before = await key();
  await drop(page, path);
  // The page may be reopening a folder of the same name by itself; the id of that one is known.
  const isDropped = async (): Promise<boolean> => {
    const now = await key();
    return now !== before && now.startsWith('unknown ');
  };
  await expect.poll(isDropped, { timeout, intervals: [20, 50, 100] }).toBe(true);
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

/** Waits until this very page has scanned its folder, also where another page answers for the API. */
export async function scanned(page: Page, timeout = 240_000): Promise<void> {
  const phase = (): Promise<string> => page.evaluate(() => globalThis.cloche.status.get().phase);
  await expect.poll(phase, { timeout, intervals: [100] }).toBe('ready');
}

/** Calls on the page itself, past the API. */
export async function callInPage(
  page: Page,
  tool: string,
  args: Record<string, unknown> = {},
  stopAt?: StopAt,
): Promise<EndedHere> {
  await page.evaluate(countEndings);
  return page.evaluate(callHere, [tool, JSON.stringify(args), stopAt] as const);
}

/** Expects that each call since the first `callInPage` has ended once. A call after them shows that all was heard. */
export async function expectOneEndingEach(page: Page): Promise<void> {
  expect(await page.evaluate(endingsHere)).toEqual([1]);
}
