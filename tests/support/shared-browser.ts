/** Shares one browser among the tests of all files. */

import type { Browser } from 'puppeteer-core';
import type { TestProject } from 'vitest/node';

/**
 * Lets the tests connect to the browser, one file at a time.
 * @returns a function that closes the browser and the server
 */
export async function shareBrowser(
  { provide }: TestProject,
  browser: Browser,
  server: { readonly url: string; close(): Promise<void> },
  connect: (endpoint: string) => Promise<Browser>,
): Promise<() => Promise<void>> {
  const endpoint = browser.wsEndpoint();
  provide('firefox', {
    endpoint,
    pid: browser.process()?.pid ?? 0,
    url: server.url,
    tellsRequests: true,
  });
  await browser.disconnect();
  return async () => {
    await (await connect(endpoint)).close();
    await server.close();
  };
}
