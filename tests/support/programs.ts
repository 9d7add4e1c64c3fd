/** Programs that a scripted model writes, and the calls that they made. */

import type { Page } from '@playwright/test';
import type { ScriptedCall } from './model-endpoint/script.ts';

/** A call of `run_python`. @param keep whether it starts with the variables of the program before it */
export function program(code: string, keep = false): ScriptedCall {
  return { name: 'run_python', arguments: JSON.stringify({ code, reuse_variables: keep }) };
}

/** The calls of the session's programs in the log, oldest first, each with its program. */
export function loggedCalls(page: Page) {
  return page.evaluate(() => {
    const entries = globalThis.cloche.log.recent(5_000).reverse();
    return entries.flatMap(({ call, result }) => {
      if (call.parent === undefined) return [];
      const { tool, caller, parent, id, arguments: args } = call;
      const of = entries.find((other) => other.id === parent)?.call.tool;
      return [{ tool, caller, parent, id, of, args, error: result.error, content: result.content }];
    });
  });
}

/** What the model saw of the last programs in the log, oldest first. */
export function loggedPrograms(page: Page, count: number) {
  return page.evaluate(
    (last) =>
      globalThis.cloche.log
        .recent(5_000)
        .reverse()
        .filter(({ call }) => call.tool === 'run_python')
        .slice(-last)
        .map(({ id, call, result }) => ({
          id,
          code: call.arguments,
          text: result.textResultForLlm,
          error: result.error,
        })),
    count,
  );
}
