/** Calls tools of sessions in the page itself. */

import type { Page } from '@playwright/test';
import { spareReady as waitForSpare } from '../../bench/pages.mjs';
import type { ToolResult } from '../../src/runtime/spec/result.ts';
import { countEndings } from './call-here.ts';

export interface Asked {
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly session?: string;
  /** Cancels the call so long after it was asked for; milliseconds. */
  readonly stopAfterMs?: number;
}

export interface Answer {
  readonly result: ToolResult;
  /** From its cancellation to its end, by the page's clock; milliseconds. */
  readonly afterStopMs: number;
}

/** Asks for all of them at once, in this order. */
export async function callAll(page: Page, calls: readonly Asked[]): Promise<Answer[]> {
  await page.evaluate(countEndings);
  return page.evaluate(
    (asked) =>
      Promise.all(
        asked.map(async ({ tool, args, session, stopAfterMs }) => {
          const { calls: path, sessions } = globalThis.cloche;
          const stop = new AbortController();
          let stopped = NaN;
          if (stopAfterMs !== undefined)
            setTimeout(() => {
              stopped = performance.now();
              stop.abort();
            }, stopAfterMs);
          if (session !== undefined) sessions.open(session);
          const result = await path.call(stop.signal, {
            id: crypto.randomUUID(),
            tool: `interpreters:${tool}`,
            arguments: JSON.stringify(args ?? {}),
            caller: 'page',
            sessionId: session ?? '',
            sessionKey: '',
            turnId: '',
            agentId: '',
            validate: true,
          });
          const afterStopMs = performance.now() - stopped;
          return { result, afterStopMs };
        }),
      ),
    calls,
  );
}

/** One call's result. */
export async function callOne(page: Page, asked: Asked): Promise<ToolResult> {
  const [answer] = await callAll(page, [asked]);
  if (!answer) throw new Error('There was no answer.');
  return answer.result;
}

/** Waits until another interpreter stands by. */
export function spareReady(page: Page): Promise<void> {
  return waitForSpare(page, 120_000);
}
