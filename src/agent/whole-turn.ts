/** A turn from the choice of its tools to its end, whatever happens in it. */

import { modelError, keptFault } from './retry.ts';
import type { CompactionBreaker } from './compaction.ts';
import type { TurnEffects } from './effects.ts';
import type { ToolSelection } from './selection.ts';
import { runTurn, type TurnEnded } from './turn.ts';

/** Never rejects: what should not happen is reported, and ends the turn with words. */
export async function wholeTurn(
  signal: AbortSignal,
  turnId: string,
  breaker: CompactionBreaker,
  selection: ToolSelection,
  effects: TurnEffects,
): Promise<TurnEnded> {
  const { log, report } = effects;
  try {
    // What was said is in the log by now: a folder that is being read may take its time.
    if (log.state.selection === null) await selection.lock(signal);
    return await runTurn(signal, turnId, breaker, effects);
  } catch (thrown) {
    if (signal.aborted && log.state.selection === null) return { end: 'stopped' };
    report(thrown);
    return { end: 'failed', fault: { ...keptFault(modelError(thrown)), fault: 'internal' } };
  }
}
