/** Describes what queued messages wait for, and what an interruption would do. */

import type { Live } from '../../../../agent/turn/live-state.ts';

export interface UnendedCall {
  readonly name: string;
  /** Whether an interruption cancels the call, as its tool's `interrupt` says. */
  readonly interruptible: boolean;
}

export interface QueueWait {
  readonly words: string;
  /** Describes what “Interrupt now” does; empty if it can do nothing. */
  readonly interrupts: string;
}

/** @param model the model's name; empty if none is chosen */
export function queueWait(
  phase: Live['phase'],
  calls: readonly UnendedCall[],
  model: string,
): QueueWait {
  const who = model === '' ? 'the model' : model;
  switch (phase) {
    case 'idle':
      return onlyWaits('Sent before your next message.');
    case 'asking':
    case 'streaming':
      return onlyWaits(`Sent when ${who} has answered.`);
    case 'waiting':
      return onlyWaits('Sent with the next attempt.');
    case 'compacting':
      return onlyWaits('Sent when earlier messages are summarised.');
    case 'paused':
    case 'calling':
      return waitForCalls(phase, calls, who);
  }
}

function waitForCalls(
  phase: 'paused' | 'calling',
  calls: readonly UnendedCall[],
  who: string,
): QueueWait {
  if (calls.length === 0)
    return onlyWaits(
      phase === 'paused' ? 'Sent with the next step.' : `Sent with the next request to ${who}.`,
    );
  const words = `Sent when ${names(calls)} ${calls.length === 1 ? 'has' : 'have'} ended.`;
  const ending = calls.filter(({ interruptible }) => interruptible);
  const staying = calls.filter(({ interruptible }) => !interruptible);
  if (ending.length === 0)
    return onlyWaits(
      `${words} ${calls.length === 1 ? 'This tool does' : 'These tools do'} not allow interruption.`,
    );
  const stays =
    staying.length === 0 ? '' : ` Waits for ${names(staying)}, which cannot be interrupted.`;
  return { words, interrupts: `Cancels ${names(ending)}.${stays}` };
}

function names(calls: readonly UnendedCall[]): string {
  const [first = '', second, ...more] = [...new Set(calls.map(({ name }) => name))];
  if (second === undefined) return first;
  return more.length === 0 ? `${first} and ${second}` : `${first} and ${more.length + 1} others`;
}

function onlyWaits(words: string): QueueWait {
  return { words, interrupts: '' };
}
