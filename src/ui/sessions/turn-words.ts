/** The state of a turn in words: its phase, and the changes that are announced. */

import type { Live } from '../../agent/live.ts';
import type { SessionState } from '../../session/session-state.ts';

interface About {
  /** The model's name; empty where none is chosen. */
  readonly model: string;
  /** A tool's name by the id of a call. */
  readonly tool: (callId: string) => string;
  /** A question waits for the user. */
  readonly asking: boolean;
  /** Another page runs the turn. */
  readonly elsewhere: boolean;
}

export function phaseWords(live: Pick<Live, 'phase' | 'waiting' | 'paused'>, about: About): string {
  const words = wordsOf(live, about);
  return about.elsewhere && words !== '' ? `In the other page: ${words}` : words;
}

function wordsOf(
  { phase, waiting, paused }: Pick<Live, 'phase' | 'waiting' | 'paused'>,
  { model, tool, asking }: About,
): string {
  const who = model === '' ? 'The model' : model;
  switch (phase) {
    case 'idle':
      return '';
    case 'asking':
      return `${who} is asked`;
    case 'streaming':
      return `${who} answers`;
    case 'calling':
      return asking ? 'A call waits for your answer' : 'Tools are running';
    case 'compacting':
      return 'Earlier messages are being summarised';
    case 'paused':
      return paused?.before === 'call'
        ? `Step mode waits before the call of ${tool(paused.callId)}`
        : `Step mode waits before ${who} is asked`;
    case 'waiting':
      return waiting === null
        ? 'Waiting for the next try'
        : waiting.fault.message.replace(/\.$/, '');
  }
}

/** Both in milliseconds since the epoch. */
export function nextTry(until: number, now: number): string {
  return `Next try in ${String(Math.max(0, Math.ceil((until - now) / 1_000)))} s`;
}

interface Picture {
  readonly live: Pick<Live, 'phase' | 'paused'>;
  readonly state: Pick<SessionState, 'entries' | 'calls'>;
}

/** Empty where nothing is worth a word. */
export function turnAnnouncement(before: Picture, now: Picture): string {
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
