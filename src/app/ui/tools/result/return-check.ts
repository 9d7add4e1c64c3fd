/** Checks results against the `returns` of their tool's spec, off the page's thread, since a pattern decides how long that takes. */

import type { ArgumentChecking } from '../../../../runtime/sandbox/argument-checker.ts';
import type { ArgumentError } from '../../../../runtime/protocol/argument-check.ts';
import { exactText } from '../../../../runtime/spec/exact-json.ts';
import type { JsonObject, JsonText } from '../../../../runtime/spec/json.ts';
import type { ToolResult } from '../../../../runtime/spec/result.ts';

/** Longer results are not checked; characters. */
const maxChars = 1_000_000;

/** A value of a result that breaks the spec. */
export type ReturnFault = ArgumentError;

/** The value that a spec's `returns` describes; null if the result has none, or is too long to check. */
export function readReturnedValue({ resultType, content }: ToolResult): JsonText | null {
  const [only] = content;
  if (resultType !== 'success' || content.length !== 1 || only === undefined) return null;
  if (!('text' in only) || only.text.length > maxChars) return null;
  return only.type === 'json' ? only.text : JSON.stringify(only.text);
}

export class ReturnCheck {
  readonly #start: () => Promise<ArgumentChecking>;
  #checking: Promise<ArgumentChecking> | null = null;
  /**
   * Settles when the previous check has ended: checks run one after the other, so that each has its
   * whole time.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor(start: () => Promise<ArgumentChecking>) {
    this.#start = start;
  }

  /**
   * Returns the values that break the spec; null if they cannot be found in time. Rejects with the
   * signal's reason if it aborts.
   */
  async faults(
    signal: AbortSignal,
    returns: JsonObject,
    value: JsonText,
  ): Promise<readonly ReturnFault[] | null> {
    const before = this.#last;
    const check = (async () => {
      await before.catch(() => undefined);
      signal.throwIfAborted();
      const checking = await (this.#checking ??= this.#start());
      return checking.check(signal, exactText(returns), value);
    })();
    this.#last = check;
    try {
      return await check;
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return null;
    }
  }
}
