/** The interface of a session that works on one task, for the runner. */

import type { JsonText } from '../../runtime/spec/json.ts';
import type { RunUsage } from './run-record.ts';

/**
 * How a piece of work of a sub-agent ended. `idle`: its turn is over, and it has not finished its
 * task. `interrupted`: something kept it from continuing, which it may do later.
 */
export type WorkEnd =
  | { readonly end: 'finished'; readonly output: JsonText }
  | { readonly end: 'idle' }
  | { readonly end: 'failed' | 'interrupted'; readonly reason: string };

export interface SubAgent {
  readonly session: string;
  /** The model that works on the task; undefined if it is not known. */
  readonly model?: string | undefined;
  readonly usage: RunUsage;
  /**
   * Number of times that the sub-agent has made its last call in a row: the same tool and arguments, with the
   * same result.
   */
  readonly repeats: number;
  readonly hasBegun: boolean;
  /** Number of times that exactly this message was sent to the sub-agent, by itself or along with others. */
  timesReceived(message: string): number;
  /**
   * Sends a message and waits until nothing runs any more. With null, the sub-agent continues where
   * it was interrupted.
   * @param notes messages of the user, which are sent along; if the sub-agent has finished and
   * there is no message, they are not sent
   * @throws the signal's reason
   */
  work(signal: AbortSignal, message: string | null, notes?: readonly string[]): Promise<WorkEnd>;
  /** Holds the sub-agent before its next step, or lets it continue. */
  setPaused(paused: boolean): void;
  /** Sends a message of the user while the sub-agent works. */
  steer(text: string): void;
  /** Calls the listener when the usage may have changed. @returns dispose */
  observe(listener: () => void): () => void;
  close(): void;
}

/** A sub-agent that makes the same call this often in a row, with the same result, makes no progress. */
export const maxRepeats = 12;
export const noProgress = `The sub-agent made the same call ${maxRepeats} times in a row, with the same result.`;

/**
 * Like the sub-agent's `work`, but fails if the sub-agent makes no progress.
 * @throws the signal's reason
 */
export async function workWithProgress(
  signal: AbortSignal,
  agent: SubAgent,
  message: string,
): Promise<WorkEnd> {
  const stuck = new AbortController();
  const unobserve = agent.observe(() => {
    if (agent.repeats >= maxRepeats) stuck.abort();
  });
  try {
    return await agent.work(AbortSignal.any([signal, stuck.signal]), message);
  } catch (thrown) {
    if (signal.aborted || !stuck.signal.aborted) throw thrown;
    return { end: 'failed', reason: noProgress };
  } finally {
    unobserve();
  }
}
