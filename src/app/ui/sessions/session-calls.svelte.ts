/** Running calls of sessions: their output, and which of them wait for the user. */

import { whenReady } from '../../../runtime/async/when-ready.ts';
import type { CallPath } from '../../../runtime/call/call-path.ts';
import { isModel, type CallEvent } from '../../../runtime/spec/call.ts';
import type { PolicyControl } from '../../app.ts';
import { Run } from '../tools/runs/runs.svelte.ts';

/** Ended calls stay until the session has their results; this many more are held.  */
const max = 100;

export class SessionRuns {
  readonly #calls: Pick<CallPath, 'cancel'>;
  readonly #stop: () => void;
  #runs: ReadonlyMap<string, Run> = $state.raw(new Map());

  constructor(calls: Pick<CallPath, 'observe' | 'cancel'>) {
    this.#calls = calls;
    this.#stop = calls.observe((event) => this.#take(event));
  }

  /** Undefined if the call began before the session was opened. */
  of(callId: string): Run | undefined {
    return this.#runs.get(callId);
  }

  cancel(callId: string): void {
    this.#runs.get(callId)?.markStopping();
    this.#calls.cancel(callId);
  }

  dispose(): void {
    this.#stop();
  }

  #take(event: CallEvent): void {
    if (event.type === 'call-queued' && isModel(event.call.caller)) {
      const kept = [...this.#runs].slice(-max);
      this.#runs = new Map([...kept, [event.call.id, new Run(event.call, event.at)]]);
    }
    this.#runs.get('call' in event ? event.call.id : event.callId)?.take(event);
  }
}

export class Asked {
  #calls: ReadonlySet<string> = $state.raw(new Set());
  readonly dispose: () => void;

  constructor(policy: Promise<Pick<PolicyControl, 'questions'>>) {
    this.dispose = whenReady(policy, ({ questions }) => {
      const read = (): void => {
        this.#calls = new Set(questions.list().map(({ callId }) => callId));
      };
      read();
      return questions.observe(read);
    });
  }

  has(callId: string): boolean {
    return this.#calls.has(callId);
  }
}
