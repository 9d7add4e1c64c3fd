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
