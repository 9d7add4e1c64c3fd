/** Derives the phases of tasks from the tasks that they depend on, and from the phase of their run. */

import type { RunState, TaskState } from './run-record.ts';
import { dependentsIn } from './task-order.ts';
import { isOpen } from './work-time.ts';

/** Marks the tasks that cannot begin any more, because one that they depend on has failed. */
export function withBlocked(state: RunState): RunState {
  const all = [...state.tasks];
  const open = all.flatMap(([id, { phase }]) => (phase === 'failed' ? [id] : []));
  if (open.length === 0 && all.every(([, { phase }]) => phase !== 'blocked')) return state;
  const dependents = dependentsIn(state.plan.tasks);
  const blocked = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const other of dependents.get(id) ?? []) {
      const phase = state.tasks.get(other)?.phase;
      if (blocked.has(other) || (phase !== 'waiting' && phase !== 'blocked')) continue;
      blocked.add(other);
      open.push(other);
    }
  const marked = all.map(([id, task]): [string, TaskState] => {
    if (blocked.has(id)) return [id, { ...task, phase: 'blocked' }];
    return [id, task.phase === 'blocked' ? { ...task, phase: 'waiting' } : task];
  });
  return { ...state, tasks: new Map(marked) };
}

/** The task after the end of its run: none runs any more. */
export function halted(task: TaskState): TaskState {
  return isOpen(task) ? { ...task, phase: 'stopped' } : task;
}

/** The tasks that were stopped go on. */
export function reopened(tasks: RunState['tasks']): RunState['tasks'] {
  return new Map(
    [...tasks].map(([id, task]) => {
      if (task.phase !== 'stopped') return [id, task];
      // A result that was handed over is only checked.
      const working = task.output === null ? 'running' : 'checking';
      const phase = task.session === '' ? 'waiting' : working;
      return [id, { ...task, phase, reason: '', endedAt: null }];
    }),
  );
}
