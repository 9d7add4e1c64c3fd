/** What a turn is at now and nobody keeps: streaming text, waiting, what is queued. */

import type { AssistantPart } from '../spec/model.ts';
import type { KeptFault } from '../spec/session.ts';
import type { UserPart } from '../spec/model.ts';

/** A part that is still being written. A call's arguments grow as the model writes them. */
export type LivePart =
  | AssistantPart
  | { readonly type: 'writing-call'; readonly wire: string; readonly arguments: string };

/** A message that waits for the next opportunity to reach the model. */
export interface Queued {
  readonly id: string;
  readonly parts: readonly UserPart[];
  /** Why an extension has stopped it: it is not sent, and waits to be taken back. */
  readonly stopped?: string;
}

export interface Live {
  /**
   * `asking`: a model was asked and has said nothing yet; `waiting`: for the next try; `paused`: step mode waits for
   * the person.
   */
  readonly phase: 'idle' | 'asking' | 'streaming' | 'calling' | 'waiting' | 'paused' | 'compacting';
  /** Of the step under way. */
  readonly stepId: string | null;
  readonly parts: readonly LivePart[];
  readonly queue: readonly Queued[];
  /** Until when, and why; milliseconds since the epoch. */
  readonly waiting: {
    readonly fault: KeptFault;
    readonly until: number;
    readonly attempt: number;
  } | null;
  /** What the person lets happen next; `call` carries the call's id. */
  readonly paused:
    { readonly before: 'model' } | { readonly before: 'call'; readonly callId: string } | null;
  readonly stepMode: boolean;
}

export const idle: Live = {
  phase: 'idle',
  stepId: null,
  parts: [],
  queue: [],
  waiting: null,
  paused: null,
  stepMode: false,
};
