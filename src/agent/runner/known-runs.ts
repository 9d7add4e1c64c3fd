/** The runs of plans, or of evaluations, that this page knows. */

import { Observable } from '../../runtime/hooks/observe.ts';
import { ToolError } from '../../runtime/spec/error.ts';

interface KnownRun<Log, Active> {
  readonly log: Log;
  /** Null while this page does not carry out the run. */
  active: Active | null;
  /** Why the run could not go on; empty if it could. */
  fault: string;
}

export class KnownRuns<
  Log extends { readonly state: { readonly createdAt: number } },
  Active,
  Event,
> extends Observable<Event> {
  protected readonly runs = new Map<string, KnownRun<Log, Active>>();

  /** Returns the runs, newest first. */
  list(): readonly Log['state'][] {
    return [...this.runs.values()]
      .map(({ log }) => log.state)
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Whether this page carries the run out now. */
  isActive(id: string): boolean {
    return (this.runs.get(id)?.active ?? null) !== null;
  }

  /** Why the run could not go on; empty if it could. */
  fault(id: string): string {
    return this.runs.get(id)?.fault ?? '';
  }

  protected expectRun(id: string): KnownRun<Log, Active> {
    const known = this.runs.get(id);
    if (known === undefined) throw new ToolError('not-found', 'There is no such run.');
    return known;
  }
}
