/** The record of one run of a plan: events, from which its whole state derives. */

import type { JsonText } from '../spec/json.ts';
import type { Plan } from '../spec/plan.ts';

/** What a run or a task has used. */
export interface RunUsage {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars; null if unknown. */
  readonly cost: number | null;
}

const noUsage: RunUsage = { calls: 0, tokens: 0, cost: null };

/** How a task ended. `stopped`: the run was stopped, or its budget was used up. */
export type TaskEnd = 'done' | 'failed' | 'stopped';

/** How a run ended. `stuck`: a task failed for good, so that the goal cannot be reached. */
export type RunEnd = 'done' | 'stuck' | 'stopped';

/** An event without number and time, which the log adds. */
export type RunFact =
  | {
      readonly type: 'created';
      readonly plan: Plan;
      /** The session in which the plan was made; empty if there is none. */
      readonly session: string;
      /** Name and id of the tools folder. */
      readonly folder: string;
      readonly folderId: string;
      /** Names of the tools that tasks inherit; null for all. */
      readonly inherited: readonly string[] | null;
    }
  /** A page carries out the run, from here on. */
  | { readonly type: 'resumed' }
  | { readonly type: 'paused' }
  /** An attempt at a task. Its work is in the session. */
  | {
      readonly type: 'task-began';
      readonly task: string;
      readonly attempt: number;
      readonly session: string;
    }
  /** The sub-agent has handed over an output, which is not checked yet. */
  | {
      readonly type: 'task-finished';
      readonly task: string;
      readonly attempt: number;
      readonly output: JsonText;
    }
  | {
      readonly type: 'attempt-failed';
      readonly task: string;
      readonly attempt: number;
      readonly reason: string;
    }
  | {
      readonly type: 'task-ended';
      readonly task: string;
      readonly end: TaskEnd;
      /** Why it is not done, or what its check has found. */
      readonly reason: string;
      readonly usage: RunUsage;
    }
  /** These tasks are carried out again. */
  | { readonly type: 'again'; readonly tasks: readonly string[] }
  | { readonly type: 'ended'; readonly end: RunEnd; readonly reason: string };

export type RunEvent = RunFact & {
  /** Counts from 0. */
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** `blocked`: a task that it depends on has failed. */
export type TaskPhase = 'waiting' | 'running' | 'checking' | 'blocked' | TaskEnd;

export interface TaskState {
  readonly phase: TaskPhase;
  /** The current or last attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** Session of the current or last attempt; empty before the first. */
  readonly session: string;
  /** JSON text; null until the task has handed one over. */
  readonly output: JsonText | null;
  /** Why each failed attempt failed. */
  readonly failures: readonly string[];
  readonly reason: string;
  readonly usage: RunUsage;
  /** Milliseconds since the epoch; null before the task begins or ends. */
  readonly beganAt: number | null;
  readonly endedAt: number | null;
}

export interface RunState {
  readonly id: string;
  readonly plan: Plan;
  readonly session: string;
  readonly folder: string;
  readonly folderId: string;
  readonly inherited: readonly string[] | null;
  readonly phase: 'running' | 'paused' | RunEnd;
  readonly reason: string;
  readonly tasks: ReadonlyMap<string, TaskState>;
  readonly usage: RunUsage;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly events: number;
}

const waiting: TaskState = {
  ...{ phase: 'waiting', attempt: 0, session: '', output: null, failures: [], reason: '' },
  ...{ usage: noUsage, beganAt: null, endedAt: null },
};

/** @returns null if the first event does not create a run */
export function runState(id: string, events: readonly RunEvent[]): RunState | null {
  return events.reduce<RunState | null>((state, event) => applied(id, state, event), null);
}

/** The state after one more event; an event that does not fit is only counted. */
export function applied(id: string, state: RunState | null, event: RunEvent): RunState | null {
  if (state === null) return event.type === 'created' ? created(id, event) : null;
  const next = { ...state, events: state.events + 1, changedAt: event.at };
  switch (event.type) {
    case 'created':
      return next;
    case 'resumed':
      return withBlocked({ ...next, phase: 'running', reason: '', tasks: reopened(state.tasks) });
    case 'paused':
      return { ...next, phase: 'paused' };
    case 'ended':
      return withBlocked({
        ...{ ...next, phase: event.end, reason: event.reason },
        tasks: new Map([...state.tasks].map(([id, task]) => [id, halted(task)])),
      });
    case 'again':
      return withBlocked({
        ...next,
        phase: 'running',
        reason: '',
        tasks: new Map(
          [...state.tasks].map(([name, task]) => [
            name,
            event.tasks.includes(name) ? { ...waiting, usage: task.usage } : task,
          ]),
        ),
      });
    default: {
      const task = state.tasks.get(event.task);
      if (task === undefined) return next;
      const tasks = new Map(state.tasks).set(event.task, taskAfter(task, event));
      return withBlocked({ ...next, tasks, usage: sum([...tasks.values()]) });
    }
  }
}

type TaskEvent = Extract<RunEvent, { readonly task: string }>;

function taskAfter(task: TaskState, event: TaskEvent): TaskState {
  switch (event.type) {
    case 'task-began': {
      const { attempt, session, at } = event;
      return { ...task, phase: 'running', attempt, session, beganAt: task.beganAt ?? at };
    }
    case 'task-finished':
      return { ...task, phase: 'checking', output: event.output };
    case 'attempt-failed':
      return { ...task, failures: [...task.failures, event.reason] };
    case 'task-ended': {
      const { end: phase, reason, usage, at } = event;
      return { ...task, phase, reason, usage, endedAt: at };
    }
  }
}

function created(id: string, event: Extract<RunEvent, { readonly type: 'created' }>): RunState {
  const { plan, session, folder, folderId, inherited, at } = event;
  return {
    ...{ id, plan, session, folder, folderId, inherited, phase: 'running', reason: '' },
    tasks: new Map(plan.tasks.map((task) => [task.id, waiting])),
    ...{ usage: noUsage, createdAt: at, changedAt: at, events: 1 },
  };
}

/** Marks the tasks that cannot begin any more, because one that they depend on has failed. */
function withBlocked(state: RunState): RunState {
  const tasks = new Map(state.tasks);
  for (let changed = true; changed;) {
    changed = false;
    for (const { id, depends_on = [] } of state.plan.tasks) {
      const task = tasks.get(id);
      if (task === undefined || (task.phase !== 'waiting' && task.phase !== 'blocked')) continue;
      const isBlocked = depends_on.some((other) => isLost(tasks.get(other)));
      const phase = isBlocked ? 'blocked' : 'waiting';
      if (phase === task.phase) continue;
      tasks.set(id, { ...task, phase });
      changed = true;
    }
  }
  return { ...state, tasks };
}

/** The task after the end of its run: none runs any more. */
function halted(task: TaskState): TaskState {
  const isOpen = task.phase === 'running' || task.phase === 'checking';
  return isOpen ? { ...task, phase: 'stopped' } : task;
}

/** The tasks that were stopped go on. */
function reopened(tasks: RunState['tasks']): RunState['tasks'] {
  return new Map(
    [...tasks].map(([id, task]) => {
      if (task.phase !== 'stopped') return [id, task];
      const phase = task.session === '' ? 'waiting' : 'running';
      return [id, { ...task, phase, reason: '', endedAt: null }];
    }),
  );
}

function isLost(task: TaskState | undefined): boolean {
  return task?.phase === 'failed' || task?.phase === 'blocked' || task?.phase === 'stopped';
}

function sum(tasks: readonly TaskState[]): RunUsage {
  return tasks.reduce((all, { usage }) => plusUsage(all, usage), noUsage);
}

export function plusUsage(one: RunUsage, other: RunUsage): RunUsage {
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    cost: one.cost === null && other.cost === null ? null : (one.cost ?? 0) + (other.cost ?? 0),
  };
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

/** A task, and all tasks that depend on it. */
export function withDependents({ plan }: Pick<RunState, 'plan'>, task: string): readonly string[] {
  const found = new Set([task]);
  for (let size = 0; size !== found.size;) {
    ({ size } = found);
    for (const { id, depends_on = [] } of plan.tasks)
      if (depends_on.some((other) => found.has(other))) found.add(id);
  }
  return plan.tasks.map(({ id }) => id).filter((id) => found.has(id));
}
