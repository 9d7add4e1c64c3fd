/** Running calls of sessions: their output, and which of them wait for the user. */

import type { CallPath } from '../../../runtime/call/call-path.ts';
import { isOfModel, type CallEvent } from '../../../runtime/spec/call.ts';
import type { PolicyControl } from '../../app.ts';
import { observedLater } from '../parts/observed-later.ts';
import type { Observed } from '../parts/observed.ts';
import { Run } from '../tools/runs/runs.svelte.ts';

/** Limit of ended calls that are held. Each is needed until the session has its result. */
const maxEnded = 100;

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
    if (event.type === 'call-queued' && isOfModel(event.call.caller)) {
      const ended = [...this.#runs].filter(([, { phase }]) => phase === 'ended');
      const kept = new Map(this.#runs);
      for (const [id] of ended.slice(0, -maxEnded)) kept.delete(id);
      this.#runs = kept.set(event.call.id, new Run(event.call, event.at));
    }
    this.#runs.get('call' in event ? event.call.id : event.callId)?.take(event);
  }
}

/** The ids of the calls that wait for the user. */
export function askedCalls(
  policy: Promise<Pick<PolicyControl, 'questions'>>,
): Observed<ReadonlySet<string>> {
  return observedLater(
    policy,
    (control) =>
      new Set(
        control?.questions.list().flatMap((question) => {
          const calls = question.kind === 'call' ? (question.calls ?? []) : [];
          return [question.callId, ...calls.map(({ id }) => id)];
        }),
      ),
    ({ questions }) => questions,
  );
}
