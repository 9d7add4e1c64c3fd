/** What the runner needs of a session that works on one task. */

import type { JsonText } from '../spec/json.ts';
import type { RunUsage } from './run-record.ts';

/**
 * How a piece of work of a sub-agent ended. `idle`: its turn is over, and it has not finished its task. `interrupted`:
 * it was kept from going on, and may do so later.
 */
export type WorkEnd =
  | { readonly end: 'finished'; readonly output: JsonText }
  | { readonly end: 'idle' }
  | { readonly end: 'failed' | 'interrupted'; readonly reason: string };

export interface SubAgent {
  readonly session: string;
  readonly usage: RunUsage;
  /** How often it has made its last call in a row: the same tool and arguments, with the same result. */
  readonly repeats: number;
  /** Whether it has received any message. */
  readonly hasBegun: boolean;
  /** How often exactly this message has been sent to it. */
  timesReceived(message: string): number;
  /**
   * Sends a message and waits until nothing runs any more. With null it goes on where it was interrupted.
   * @throws the signal's reason
   */
  work(signal: AbortSignal, message: string | null): Promise<WorkEnd>;
  /** Holds it before its next step, or lets it go on. */
  setPaused(paused: boolean): void;
  /** Sends a message of the user while it works. */
  steer(text: string): void;
  /** Calls the listener when its usage may have changed. @returns dispose */
  observe(listener: () => void): () => void;
  close(): void;
}
