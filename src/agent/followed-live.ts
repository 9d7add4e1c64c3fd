/** What a turn is at that another page runs, as far as its log and what it tells of the step under way say. */

import type { SessionState } from '../session/session-state.ts';
import type { StepUnderWay } from '../session/session-log.ts';
import { idle, type Live } from './live.ts';

/** @param queue messages that wait in this page */
export function followedLive(
  state: SessionState,
  step: StepUnderWay | null,
  queue: Live['queue'],
): Live {
  if (step !== null) return { ...idle, queue, phase: 'streaming', ...step };
  return { ...idle, queue, phase: phaseOf(state) };
}

function phaseOf({ turnId, entries, calls }: SessionState): Live['phase'] {
  if (turnId === null) return 'idle';
  const last = entries.findLast((entry) => entry.kind === 'step' && entry.turnId === turnId);
  if (last?.kind !== 'step' || last.finish === null) return 'asking';
  const runs = last.parts.some(
    (part) => part.type === 'call' && (calls.get(part.id)?.phase ?? 'ended') !== 'ended',
  );
  return runs ? 'calling' : 'asking';
}
