/** The log of one run of a plan. */

import { EventLog, type EventLogDeps } from './event-log.ts';
import { applyRunEvent } from './reduce-run.ts';
import type { RunEvent, RunFact, RunState } from './run-record.ts';

export type { RunStore } from './event-log.ts';

export type RunLogDeps = EventLogDeps<RunState>;

export class RunLog extends EventLog<RunFact, RunState> {
  /** @param events begin with `created`; storage has them @throws {TypeError} if they do not */
  constructor(id: string, events: readonly RunEvent[], deps: RunLogDeps) {
    super(id, events, applyRunEvent, deps);
  }

  static async begin(
    id: string,
    fact: Extract<RunFact, { readonly type: 'created' }>,
    deps: RunLogDeps,
  ): Promise<RunLog> {
    const first = { ...fact, n: 0, at: deps.now() };
    await deps.store.append(id, 0, JSON.stringify(first));
    deps.onStored(id);
    return new RunLog(id, [first], deps);
  }
}
