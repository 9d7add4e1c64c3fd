/** Describes the state of a turn: its phase, and the changes that are announced. */

import type { Live } from '../../../agent/turn/live-state.ts';
import type { SessionState } from '../../../agent/session/session-state.ts';

interface About {
  /** The model's name; empty if none is chosen. */
  readonly model: string;
  readonly tool: (callId: string) => string;
  /** Whether a question waits for the user. */
  readonly asking: boolean;
  /** Whether another page runs the turn. */
  readonly elsewhere: boolean;
}

export function phaseWords(live: Pick<Live, 'phase' | 'waiting' | 'paused'>, about: About): string {
  const words = wordsOf(live, about);
  return about.elsewhere && words !== '' ? `In another tab: ${words}` : words;
}

function wordsOf(
  { phase, waiting, paused }: Pick<Live, 'phase' | 'waiting' | 'paused'>,
  { model, tool, asking }: About,
): string {
  const who = model === '' ? 'the model' : model;
  switch (phase) {
    case 'idle':
      return '';
    case 'asking':
      return `Waiting for ${who}`;
    case 'streaming':
      return `Receiving an answer from ${who}`;
    case 'calling':
      return asking ? 'A call is waiting for your answer' : 'Running tools';
    case 'compacting':
      return 'Summarising earlier messages';
    case 'paused':
      return paused?.before === 'call'
        ? `Paused before calling ${tool(paused.callId)}`
        : `Paused before the next request to ${who}`;
    case 'waiting':
      return waiting === null ? 'Waiting to retry' : waiting.fault.message.replace(/\.$/, '');
  }
}

/**
 * Describes the time until the next attempt.
 * @param until milliseconds since the epoch, like `now`
 */
export function nextTry(until: number, now: number): string {
  return `Retrying in ${String(Math.max(0, Math.ceil((until - now) / 1_000)))} s`;
}

interface TurnState {
  readonly live: Pick<Live, 'phase' | 'paused'>;
  readonly state: Pick<SessionState, 'entries' | 'calls'>;
}

/** Returns the announcement of a change; empty if nothing is worth announcing. */
export function turnAnnouncement(before: TurnState, now: TurnState): string {
  const was = before.live.phase;
  const { phase } = now.live;
  if (was === phase) return '';
  if (phase === 'idle' && was === 'compacting')
    return now.state.entries.at(-1)?.kind === 'compacted'
      ? 'Summarised earlier messages'
      : 'Could not summarise earlier messages';
  if (phase === 'idle') return `Turn ${ending(now.state)}`;
  if (phase === 'paused') return pausedWords(now);
  if (phase === 'waiting') return 'The model could not answer. Retrying soon';
  return was === 'idle' && phase !== 'compacting' ? 'Turn started' : '';
}

function ending({ entries }: TurnState['state']): string {
  const last = entries.at(-1);
  if (last?.kind !== 'turn-ended') return 'finished';
  if (last.end === 'failed') return `failed: ${(last.fault?.message ?? '').slice(0, 200)}`;
  return last.end === 'stopped' ? 'stopped' : 'finished';
}

function pausedWords({ live, state }: TurnState): string {
  const { paused } = live;
  if (paused?.before !== 'call') return 'Paused before the next request to the model';
  const tool = state.calls.get(paused.callId)?.asked.tool ?? '';
  return `Paused before calling ${tool === '' ? 'a tool' : tool}`;
}
