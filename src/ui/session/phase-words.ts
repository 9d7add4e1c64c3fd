/** What a turn is at, in words. */

import type { Live } from '../../agent/live.ts';

interface About {
  /** The model's name; empty where none is chosen. */
  readonly model: string;
  /** A tool's name by the id of a call. */
  readonly tool: (callId: string) => string;
  /** A question waits for the person. */
  readonly asking: boolean;
  /** Another page runs the turn. */
  readonly elsewhere: boolean;
}

export function phaseWords(
  live: Pick<Live, 'phase' | 'waiting' | 'paused'>,
  now: number,
  about: About,
): string {
  const words = wordsOf(live, now, about);
  return about.elsewhere && words !== '' ? `In the other page: ${words}` : words;
}

function wordsOf(
  { phase, waiting, paused }: Pick<Live, 'phase' | 'waiting' | 'paused'>,
  now: number,
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
    case 'waiting': {
      if (waiting === null) return 'Waiting for the next try';
      const seconds = Math.max(0, Math.ceil((waiting.until - now) / 1_000));
      return `${waiting.fault.message} Next try in ${String(seconds)} s`;
    }
  }
}
