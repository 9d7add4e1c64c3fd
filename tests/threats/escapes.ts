/** The attempts of escapes.py, used by the tests that expect them to fail and by their positive controls. */

import type { BrowserContext, Page } from '@playwright/test';
import { invoke } from '../support/app.ts';
import { callHere } from '../support/call-here.ts';
import { channelNames, heardHere, listenHere } from '../support/channels.ts';
import { expect } from '../support/test.ts';

/** What no worker has in any page, so that no wall is needed; it is tried in case a browser adds it. */
export const notInWorkers = [
  'storage.persist',
  'cookieStore',
  'localStorage',
  'sessionStorage',
  'serviceWorker',
  'document',
  'parent',
  'window',
  'sendBeacon',
  'SharedWorker',
  'RTCPeerConnection',
];
/** A worker made from a blob has no address that these could be relative to. */
export const withoutBase = ['relative', 'absolute path'];

/** Runs one tool of escapes.py. @returns what came of each of its attempts */
export async function outcomes(
  page: Page,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, string>> {
  const { textResultForLlm, resultType } = await invoke(page, `escapes:${tool}`, args);
  expect(resultType, textResultForLlm).toBe('success');
  return JSON.parse(textResultForLlm) as Record<string, string>;
}

/** The names of the attempts that succeeded. */
export function successes(answers: Record<string, string>): string[] {
  return Object.keys(answers).filter((name) => answers[name]?.startsWith('got'));
}

/** Notes paths of the app that tools sent requests to, whether or not they could read the answer. */
export function watchApp(context: BrowserContext): ReadonlySet<string> {
  const sent = new Set<string>();
  const path = (url: string): string => new URL(url).pathname;
  context.on('response', (response) => {
    if (response.url().includes('from-tool')) sent.add(path(response.url()));
  });
  context.on('requestfailed', (request) => {
    // The policy stops a request before it is sent; CORS keeps only the answer from the tool.
    if (request.url().includes('from-tool') && request.failure()?.errorText !== 'csp')
      sent.add(path(request.url()));
  });
  return sent;
}

/** Speaks and listens on the page's channels while a tool does the same. @returns what the page heard */
export async function heardByPage(page: Page, during: () => Promise<void>): Promise<string[]> {
  await page.evaluate(listenHere, channelNames);
  await during();
  return page.evaluate(heardHere);
}

/** Has the sandboxes of pages speak on all channels at once. @returns what each of them heard */
export function heardBySandboxes(...pages: Page[]): Promise<string[][]> {
  return Promise.all(
    pages.map(async (page) => {
      const call = [
        'escapes:broadcast',
        JSON.stringify({ names: channelNames }),
        undefined,
      ] as const;
      // On the page itself: the API would ask the same page for all of them.
      const { result } = await page.evaluate(callHere, call);
      return JSON.parse(result.textResultForLlm) as string[];
    }),
  );
}
