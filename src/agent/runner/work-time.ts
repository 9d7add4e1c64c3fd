/** Computes from the record of a plan’s run how long the run and its tasks were worked on. */

import type { Plan } from '../../runtime/spec/plan.ts';

interface Work {
  readonly phase: string;
  readonly activeMs: number;
}

interface RunTime<Task> {
  readonly phase: string;
  readonly plan: Plan;
  readonly tasks: ReadonlyMap<string, Task>;
  readonly changedAt: number;
}

/** Tasks that run at the same time, unless the plan says how many. */
export const defaultParallel = 3;

/** Stops the clock of a run that no page carries out from now on. */
export function stopClock(
  { activeMs, activeSince }: { readonly activeMs: number; readonly activeSince: number | null },
  at: number,
) {
  return {
    activeMs: activeMs + (activeSince === null ? 0 : Math.max(0, at - activeSince)),
    activeSince: null,
  };
}

/**
 * Adds the time since the last event to the tasks that ran since then: of those that have begun, the first ones, as many as
 * may run at the same time.
 */
export function addWorkTime<Task extends Work>(
  { phase, plan, tasks, changedAt }: RunTime<Task>,
  { type, at }: { readonly type: string; readonly at: number },
): ReadonlyMap<string, Task> {
  // A page ends a run only when no task is running. So tasks that run before one of these events were left by a page
  // that was closed, and it is unknown how long they ran.
  if (phase !== 'running' || type === 'resumed' || type === 'ended') return tasks;
  let places = plan.parallel ?? defaultParallel;
  return new Map(
    [...tasks].map(([id, task]) => {
      if (!isOpen(task) || places === 0) return [id, task];
      places -= 1;
      return [id, { ...task, activeMs: task.activeMs + Math.max(0, at - changedAt) }];
    }),
  );
}

export function isOpen({ phase }: Pick<Work, 'phase'>): boolean {
  return phase === 'running' || phase === 'checking';
}
