/** The tools of net.py in a page, and a server on an origin without a grant: set up for all tests of a file. */

import { readFile } from 'node:fs/promises';
import { invoke, type ApiResult } from '../support/app.ts';
import { expect, test } from '../support/shared-page.ts';
import { startWeb, type Web } from '../support/web.ts';

export interface NetTools {
  readonly web: Web;
  /** Each test has one that no earlier one has granted. */
  readonly origin: string;
  call(tool: string, args?: Record<string, unknown>): Promise<ApiResult>;
}

const source = new URL('net.py', import.meta.url);

/** To be called once, at the top of a file. */
export function useNetTools(): () => NetTools {
  let web: Web | undefined;
  let tools: NetTools | undefined;
  let named = 0;
  test.beforeAll(async ({ shared }) => {
    web = await startWeb();
    await shared.open({ 'net.py': await readFile(source) });
  });
  test.afterAll(() => web?.close());
  test.beforeEach(({ page, trouble }) => {
    if (!web) throw new Error('The server has not started.');
    tools = {
      web,
      origin: web.origin(`api${(named += 1)}`),
      call: (tool, args) => invoke(page, `net:${tool}`, args),
    };
    web.log.length = 0;
    // The browser reports every request to another host; here they are intended, and the server's log counts.
    trouble.expect(/foreign request: \S+ http:\/\/[a-z0-9]+\.glass\.example/);
    trouble.expect(/CORS policy|net::ERR|Failed to load resource/);
  });
  return () => {
    if (!tools) throw new Error('No test has begun.');
    return tools;
  };
}

/** The value of a call that has to succeed. */
export async function json(result: Promise<ApiResult>): Promise<unknown> {
  const { resultType, textResultForLlm } = await result;
  expect(resultType, textResultForLlm).toBe('success');
  return JSON.parse(textResultForLlm);
}
