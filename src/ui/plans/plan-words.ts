/** Words for the states of runs and tasks. */

import type { RunState, TaskPhase } from '../../runner/run-record.ts';

export const taskWords: Record<TaskPhase, string> = {
  waiting: 'Waiting',
  running: 'Running',
  checking: 'Being checked',
  blocked: 'Blocked: a task before it failed',
  done: 'Done',
  failed: 'Failed',
  stopped: 'Stopped',
};

/** @param isActive whether this page carries the run out */
export function runWords({ phase, tasks }: RunState, isActive: boolean): string {
  const done = [...tasks.values()].filter((task) => task.phase === 'done').length;
  const count = `${done} of ${tasks.size} tasks done`;
  switch (phase) {
    case 'done':
      return `Done, ${tasks.size} of ${tasks.size} tasks`;
    case 'running':
      return isActive ? `Running, ${count}` : `Interrupted, ${count}`;
    case 'paused':
      return isActive ? `Paused, ${count}` : `Interrupted, ${count}`;
    case 'stuck':
      return `Stuck, ${count}`;
    case 'stopped':
      return `Stopped, ${count}`;
  }
}

/** How many tasks must be done one after the other before each task. */
export function levelsOf({ plan }: Pick<RunState, 'plan'>): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  // A plan without cycles needs at most as many passes as it has tasks.
  for (let changed = true; changed;) {
    changed = false;
    for (const { id, depends_on = [] } of plan.tasks) {
      const level = Math.max(0, ...depends_on.map((other) => (levels.get(other) ?? 0) + 1));
      if (levels.get(id) === level || level > plan.tasks.length) continue;
      levels.set(id, level);
      changed = true;
    }
  }
  return levels;
}
