/** What those who do not see the page are told of a session: turns of events, never streamed text. */

import type { Live } from '../../agent/live.ts';
import type { SessionState } from '../../session/session-state.ts';

interface Picture {
  readonly live: Pick<Live, 'phase' | 'paused'>;
  readonly state: Pick<SessionState, 'entries' | 'calls'>;
}

/** Empty where nothing is worth a word. */
export function turnNews(before: Picture, now: Picture): string {
  const was = before.live.phase;
  const { phase } = now.live;
  if (was === phase) return '';
  if (phase === 'idle' && was === 'compacting')
    return now.state.entries.at(-1)?.kind === 'compacted'
      ? 'Earlier messages are summarised'
      : 'Earlier messages could not be summarised';
  if (phase === 'idle') return `The turn ${ending(now.state)}`;
  if (phase === 'paused') return pausedWords(now);
  if (phase === 'waiting') return 'The model could not answer; it is asked again soon';
  return was === 'idle' && phase !== 'compacting' ? 'The turn begins' : '';
}

function ending({ entries }: Picture['state']): string {
  const last = entries.at(-1);
  if (last?.kind !== 'turn-ended') return 'is done';
  if (last.end === 'failed') return `failed: ${(last.fault?.message ?? '').slice(0, 200)}`;
  return last.end === 'stopped' ? 'was stopped' : 'is over';
}

function pausedWords({ live, state }: Picture): string {
  const { paused } = live;
  if (paused?.before !== 'call') return 'Step mode waits before the model is asked';
  const tool = state.calls.get(paused.callId)?.asked.tool ?? '';
  return `Step mode waits before the call of ${tool === '' ? 'a tool' : tool}`;
}
