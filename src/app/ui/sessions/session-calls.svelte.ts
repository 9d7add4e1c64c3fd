/** Running calls of sessions, with their output. */

import type { CallPath } from '../../../runtime/call/call-path.ts';
import { isOfModel, type CallEvent } from '../../../runtime/spec/call.ts';
import { Run } from '../tools/runs/runs.svelte.ts';

/** Limit of ended calls that are held. Each is needed until the session has its result. */
const maxEnded = 100;

export class SessionRuns {
  readonly #calls: Pick<CallPath, 'cancel'>;
  #runs: ReadonlyMap<string, Run> = $state.raw(new Map());

  constructor(calls: Pick<CallPath, 'observe' | 'cancel'>) {
    this.#calls = calls;
    calls.observe((event) => this.#take(event));
  }

  /** Undefined if the call began before the session was opened. */
  of(callId: string): Run | undefined {
    return this.#runs.get(callId);
  }

  cancel(callId: string): void {
    this.#runs.get(callId)?.markStopping();
    this.#calls.cancel(callId);
  }

  #take(event: CallEvent): void {
    if (event.type === 'call-queued' && isOfModel(event.call.caller)) {
      const ended = [...this.#runs].filter(([, { phase }]) => phase === 'ended');
      const kept = new Map(this.#runs);
      for (const [id] of ended.slice(0, -maxEnded)) kept.delete(id);
      this.#runs = kept.set(event.call.id, new Run(event.call, event.at));
    }
    this.#runs.get('call' in event ? event.call.id : event.callId)?.take(event);
  }
}
