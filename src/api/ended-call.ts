/** A call that has ended, at hand or from the log. */

import type { ToolResult } from '../spec/result.ts';
import type { ApiCalls } from './calls.ts';
import type { ApiEffects } from './effects.ts';

export interface EndedCall {
  readonly id: string;
  readonly result: ToolResult;
  /** From the log, which keeps large texts shortened. */
  readonly cut: boolean;
}

/** `undefined` where it is not known, or goes on. */
export async function endedCall(
  id: string,
  effects: Pick<ApiEffects, 'loggedCall'>,
  calls: ApiCalls,
): Promise<EndedCall | undefined> {
  const result = calls.find(id)?.result;
  if (result !== undefined) return { id, result, cut: false };
  const logged = await effects.loggedCall(id);
  return logged && { id, result: logged.result, cut: logged.cut };
}
