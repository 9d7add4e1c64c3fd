/** Finds the tasks of a run that may begin, can continue, or must be done again. */

import type { PlanCheck, PlanTask } from '../../runtime/spec/plan.ts';
import type { RunState, TaskPhase } from './run-record.ts';
import { dependentsIn } from './task-order.ts';

const defaultRetries = 1;
/** Limit of the needed tasks that a text names. */
const maxNamed = 20;
/** The reason of a run that the user has stopped. */
export const userStopped = 'The user stopped the run.';

/** The states of tasks and runs as users see them. */
export const taskWords: Record<TaskPhase, string> = {
  waiting: 'Waiting',
  running: 'Running',
  checking: 'Checking the result',
  done: 'Done',
  blocked: 'Blocked by a failed task',
  failed: 'Failed',
  stopped: 'Interrupted',
};
export const phaseWords: Record<RunState['phase'], string> = {
  running: 'Running',
  paused: 'Paused',
  done: 'Done',
  stuck: 'Needs attention',
  stopped: 'Stopped',
};

/** The title of a task; its id if it has none. */
export function taskTitle({ id, title = '' }: Pick<PlanTask, 'id' | 'title'>): string {
  return title.trim() === '' ? id : title;
}

/** Returns the name of a task for messages: its title in quotes, or its id if it has no title. */
export function taskName({ plan }: Pick<RunState, 'plan'>, id: string): string {
  const task = plan.tasks.find((one) => one.id === id);
  return task === undefined ? id : quotedTitle(task);
}

/** The names of the tasks that each task needs, by its id. Of many, only the first are named. */
export function namesBefore(tasks: readonly PlanTask[]): ReadonlyMap<string, string> {
  const names = new Map(tasks.map((task) => [task.id, quotedTitle(task)]));
  return new Map(
    tasks.map(({ id, depends_on = [] }) => {
      const named = depends_on.slice(0, maxNamed).map((other) => names.get(other) ?? other);
      const rest = depends_on.length - named.length;
      return [id, `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`];
    }),
  );
}

function quotedTitle(task: PlanTask): string {
  const title = taskTitle(task);
  return title === task.id ? title : `“${title}”`;
}

/** The ids of tasks that may begin now, in the order of the plan. */
export function readyTasks({ plan, tasks }: RunState): readonly string[] {
  return plan.tasks
    .filter(
      ({ id, depends_on = [] }) =>
        tasks.get(id)?.phase === 'waiting' &&
        depends_on.every((other) => tasks.get(other)?.phase === 'done'),
    )
    .map(({ id }) => id);
}

/** Returns whether a run that no page is carrying out can be resumed: it or a task was interrupted, or a task is ready. */
export function isResumable(run: RunState): boolean {
  const phases = Array.from(run.tasks.values(), ({ phase }) => phase);
  return (
    run.phase === 'running' ||
    run.phase === 'paused' ||
    phases.some((phase) => phase === 'stopped' || phase === 'running' || phase === 'checking') ||
    readyTasks(run).length > 0
  );
}

/** A task, and all tasks that depend on it. */
export function withDependents({ plan }: Pick<RunState, 'plan'>, task: string): readonly string[] {
  const dependents = dependentsIn(plan.tasks);
  const found = new Set([task]);
  // The loop also visits the ids that it adds.
  for (const id of found) for (const other of dependents.get(id) ?? []) found.add(other);
  return plan.tasks.map(({ id }) => id).filter((id) => found.has(id));
}

/** Returns whether a check ignores failures that existed before its task. To find them, it is also made when the task begins. */
export function ignoresEarlierFailures(check: PlanCheck | undefined): boolean {
  return check !== undefined && 'ignore_earlier_failures' in check && check.ignore_earlier_failures;
}

/** Number of times that a task is tried again after its check has failed. */
export function retriesOf({ retries = defaultRetries }: PlanTask): number {
  return retries;
}
