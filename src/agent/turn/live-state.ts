/** The live state of a turn, which is not stored: streaming parts, queued messages, retries and step mode. */

import type { DraftPart, StepInProgress } from '../session/log/draft.ts';
import type { SessionState } from '../session/session-state.ts';
import { wait } from '../../runtime/async/wait.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { UserPart } from '../../runtime/spec/model.ts';
import type { SentBy, StoredFault } from '../../runtime/spec/session.ts';

/** A message that waits until the model can receive it. */
export interface QueuedMessage {
  readonly id: string;
  readonly parts: readonly UserPart[];
  /** The extension that has sent it in the user's name. */
  readonly from?: SentBy;
  /** Why an extension stopped the message. A stopped message is not sent, and stays until the user removes it. */
  readonly stopped?: string;
}

export interface Live {
  /**
   * `asking`: the model has not answered yet. `waiting`: a retry is scheduled. `paused`: step mode waits for the user.
   */
  readonly phase: 'idle' | 'asking' | 'streaming' | 'calling' | 'waiting' | 'paused' | 'compacting';
  /** The step in progress. */
  readonly stepId: string | null;
  readonly parts: readonly DraftPart[];
  readonly queue: readonly QueuedMessage[];
  /** The scheduled retry; `until` is in milliseconds since the epoch. */
  readonly waiting: {
    readonly fault: StoredFault;
    readonly until: number;
    readonly attempt: number;
  } | null;
  /** The action for which step mode waits. */
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

/** Holds the live state of one session, its message queue and its step mode. */
export class LiveState {
  #live: Live = idle;
  readonly #onChange: (live: Live) => void;
  /** Aborts running calls for queued messages. */
  #interruption = new AbortController();
  /** Ends the wait before a retry. */
  #retry = new AbortController();
  /** Lets the action begin for which {@link stepGate} waits. */
  #proceed: (args?: JsonText) => void = () => undefined;

  constructor(onChange: (live: Live) => void) {
    this.#onChange = onChange;
  }

  get(): Live {
    return this.#live;
  }

  set(change: Partial<Live>): void {
    this.#live = { ...this.#live, ...change };
    this.#onChange(this.#live);
  }

  /** Marks the session as idle. Queued messages stay. */
  reset(): void {
    this.set({ phase: 'idle', stepId: null, parts: [], waiting: null, paused: null });
  }

  /** Aborts at {@link interrupt}, to cancel calls that may be interrupted. */
  get interrupted(): AbortSignal {
    return this.#interruption.signal;
  }

  /** Interrupts running calls for the queued messages. Does nothing if no message is queued. */
  interrupt(): void {
    if (this.#live.queue.some(isUnsent)) this.#interruption.abort();
  }

  enqueue(message: QueuedMessage): void {
    this.set({ queue: [...this.#live.queue, message] });
  }

  /** Removes and returns all queued messages except stopped ones. */
  dequeue(): readonly QueuedMessage[] {
    const { queue } = this.#live;
    const taken = queue.filter(isUnsent);
    if (taken.length > 0) this.#setQueue(queue.filter((message) => !isUnsent(message)));
    return taken;
  }

  /** Puts messages that could not be sent back at the front of the queue. */
  requeue(messages: readonly QueuedMessage[]): void {
    const { queue } = this.#live;
    const back = messages.filter(({ id }) => queue.every((queued) => queued.id !== id));
    if (back.length > 0) this.set({ queue: [...back, ...queue] });
  }

  removeQueued(id: string): void {
    this.#setQueue(this.#live.queue.filter((queued) => queued.id !== id));
  }

  /** Aborts at the next {@link skipRetryWait}. */
  get retrySkipped(): AbortSignal {
    return this.#retry.signal;
  }

  /** Ends the wait before a retry. */
  skipRetryWait(): void {
    const skipped = this.#retry;
    this.#retry = new AbortController();
    skipped.abort();
  }

  setStepMode(on: boolean): void {
    this.set({ stepMode: on });
    if (!on) this.#proceed();
  }

  /** Runs the action for which step mode is waiting. @param args changed arguments, if it is a call */
  proceed(args?: JsonText): void {
    this.#proceed(args);
  }

  /**
   * Waits until the user allows an action; resolves at once outside step mode.
   *
   * @returns the arguments with which the user wants the call to run; undefined if they did not change them
   * @throws the signal's reason
   */
  async stepGate(
    signal: AbortSignal,
    before: NonNullable<Live['paused']>,
  ): Promise<JsonText | undefined> {
    signal.throwIfAborted();
    if (!this.#live.stepMode) return undefined;
    this.set({ phase: 'paused', paused: before });
    const proceeding = new Promise<JsonText | undefined>((resolve) => {
      this.#proceed = resolve;
    });
    return wait(signal, proceeding).finally(() => {
      this.#proceed = () => undefined;
      this.set({ paused: null });
    });
  }

  #setQueue(queue: readonly QueuedMessage[]): void {
    this.set({ queue });
    // A running call may hold the signal: only replace it after it has aborted.
    if (this.#interruption.signal.aborted && !queue.some(isUnsent))
      this.#interruption = new AbortController();
  }
}

/** Returns whether a queued message is sent with the next request. */
export function isUnsent({ stopped }: QueuedMessage): boolean {
  return stopped === undefined;
}

/** Derives the live state of a turn in another tab from the log and the streamed step. */
export function liveStateOf(
  state: SessionState,
  step: StepInProgress | null,
  queue: Live['queue'],
): Live {
  if (step !== null) return { ...idle, queue, phase: 'streaming', ...step };
  return { ...idle, queue, phase: followedPhase(state) };
}

function followedPhase({ turnId, entries, calls }: SessionState): Live['phase'] {
  if (turnId === null) return 'idle';
  const last = entries.findLast((entry) => entry.kind === 'step' && entry.turnId === turnId);
  if (last?.kind !== 'step' || last.finish === null) return 'asking';
  const isCalling = last.parts.some(
    (part) => part.type === 'call' && (calls.get(part.id)?.phase ?? 'ended') !== 'ended',
  );
  return isCalling ? 'calling' : 'asking';
}
