/** Derives the state of a run from its events. */

import { askerOf } from '../../runtime/spec/plan.ts';
import { noUsage, addUsage, type RunEvent, type TaskState, type RunState } from './run-record.ts';
import { dependentsIn } from './task-order.ts';
import { stopClock, isOpen, addWorkTime } from './work-time.ts';

const waiting: TaskState = {
  phase: 'waiting',
  attempt: 0,
  session: '',
  output: null,
  failures: [],
  reason: '',
  usage: noUsage,
  otherUsage: noUsage,
  earlierFailures: null,
  beganAt: null,
  endedAt: null,
  activeMs: 0,
};

/** The state after one more event; an event that does not fit is only counted. */
export function applyRunEvent(
  id: string,
  before: RunState | null,
  event: RunEvent,
): RunState | null {
  if (before === null) return event.type === 'created' ? createState(id, event) : null;
  const state = { ...before, tasks: addWorkTime(before, event) };
  const next = { ...state, events: state.events + 1, changedAt: event.at };
  switch (event.type) {
    case 'created':
      return next;
    case 'resumed':
      return withBlocked({
        ...next,
        ...resumedState(state, event.at),
        tasks: reopened(state.tasks),
      });
    case 'paused':
      return { ...next, ...stopClock(state, event.at), phase: 'paused' };
    case 'ended':
      return withBlocked({
        ...next,
        ...stopClock(state, event.at),
        phase: event.end,
        reason: event.reason,
        isRevising: false,
        isWaiting: false,
        tasks: new Map([...state.tasks].map(([id, task]) => [id, stopIfOpen(task)])),
      });
    case 'again':
      return withBlocked({
        ...next,
        ...resumedState(state, event.at),
        tasks: new Map(
          [...reopened(state.tasks)].map(([name, task]) => [
            name,
            event.tasks.includes(name) ? restartTask(task) : task,
          ]),
        ),
      });
    case 'steered': {
      const { task, text } = event;
      return { ...next, messages: [...state.messages, { task, text }] };
    }
    case 'revision-began':
      return { ...next, isRevising: true, revisionsBegun: state.revisionsBegun + 1 };
    case 'revision-failed':
      return withUsage({
        ...next,
        isRevising: false,
        otherUsage: addUsage(state.otherUsage, event.usage),
      });
    case 'revised':
      return applyRevision(next, event);
    default: {
      const task = state.tasks.get(event.task);
      if (task === undefined) return next;
      const tasks = new Map(state.tasks).set(event.task, taskAfter(task, event));
      return withBlocked(withUsage({ ...next, tasks }));
    }
  }
}

/** The plan is replaced. Tasks that are done stay so; all others that the plan still has may begin again. */
function applyRevision(
  state: RunState,
  { plan, by, reason, usage, at }: Extract<RunEvent, { readonly type: 'revised' }>,
): RunState {
  const kept = new Set(plan.tasks.map(({ id }) => id));
  const removed = [...state.tasks].flatMap(([id, task]) => (kept.has(id) ? [] : [task.usage]));
  const before = new Map(state.plan.tasks.map((task) => [task.id, JSON.stringify(task)]));
  const checks = new Map(state.plan.tasks.map(({ id, check }) => [id, JSON.stringify(check)]));
  const tasks = plan.tasks.map((task): [string, TaskState] => {
    const known = state.tasks.get(task.id);
    if (known === undefined) return [task.id, waiting];
    const isSame = before.get(task.id) === JSON.stringify(task);
    const stays = known.phase === 'done' || (isSame && known.phase !== 'failed');
    const next = stays ? known : restartTask(known);
    const hadCheck = checks.get(task.id) === JSON.stringify(task.check);
    // Failures that another check has found do not matter to this one.
    const isOther = !hadCheck && next.earlierFailures !== null;
    return [task.id, isOther ? { ...next, earlierFailures: [] } : next];
  });
  return withBlocked(
    withUsage({
      ...state,
      plan,
      isRevising: false,
      tasks: new Map(tasks),
      otherUsage: [...removed, usage].reduce(addUsage, state.otherUsage),
      revisions: [...state.revisions, { at, by, reason, before: state.plan, after: plan }],
    }),
  );
}

/**
 * The task before its first attempt. Its usage stays counted. Failures that it has caused itself
 * are not taken for earlier ones.
 */
function restartTask({ usage, earlierFailures, session }: TaskState): TaskState {
  const earlier = earlierFailures ?? (session === '' ? null : []);
  return { ...waiting, usage, otherUsage: usage, earlierFailures: earlier };
}

/** The state when a page starts to carry the run out. */
function resumedState(state: RunState, at: number) {
  return {
    ...({ phase: 'running', reason: '', isRevising: false, isWaiting: false } as const),
    askedBy: null,
    // The time between the last event of a closed page and now does not count.
    ...stopClock(state, state.changedAt),
    activeSince: at,
  };
}

type TaskEvent = Exclude<
  Extract<RunEvent, { readonly task: string }>,
  { readonly type: 'steered' }
>;

function taskAfter(task: TaskState, event: TaskEvent): TaskState {
  switch (event.type) {
    case 'task-began': {
      const { attempt, session, model, at } = event;
      return {
        ...task,
        phase: 'running',
        attempt,
        session,
        ...(model !== undefined && { model }),
        output: null,
        beganAt: task.beganAt ?? at,
      };
    }
    case 'task-finished':
      return { ...task, phase: 'checking', output: event.output };
    case 'attempt-failed': {
      const { reason, usage = noUsage } = event;
      return {
        ...task,
        phase: 'running',
        output: null,
        failures: [...task.failures, reason],
        otherUsage: addUsage(task.otherUsage, usage),
      };
    }
    case 'earlier-failures':
      return { ...task, earlierFailures: event.failures };
    case 'checked':
      return { ...task, otherUsage: addUsage(task.otherUsage, event.usage) };
    case 'task-ended': {
      const { end: phase, reason, usage, at } = event;
      return { ...task, phase, reason, usage, endedAt: at };
    }
  }
}

function createState(id: string, event: Extract<RunEvent, { readonly type: 'created' }>): RunState {
  const { plan, session, folder, folderId, inherited, at } = event;
  const { replays = null, waits = false, extension: by = '' } = event;
  return {
    id,
    plan,
    session,
    folder,
    folderId,
    inherited,
    reason: '',
    phase: waits ? 'paused' : 'running',
    isWaiting: waits,
    askedBy: waits ? askerOf(by) : null,
    tasks: new Map(plan.tasks.map((task) => [task.id, waiting])),
    usage: noUsage,
    otherUsage: noUsage,
    messages: [],
    revisions: [],
    revisionsBegun: 0,
    isRevising: false,
    replays,
    activeMs: 0,
    activeSince: waits ? null : at,
    createdAt: at,
    changedAt: at,
    events: 1,
  };
}

function withUsage(state: RunState): RunState {
  const usages = Array.from(state.tasks.values(), ({ usage }) => usage);
  return { ...state, usage: usages.reduce(addUsage, state.otherUsage) };
}

/** Marks the tasks that cannot begin any more, because one that they depend on has failed. */
function withBlocked(state: RunState): RunState {
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
function stopIfOpen(task: TaskState): TaskState {
  return isOpen(task) ? { ...task, phase: 'stopped' } : task;
}

/** The tasks that were stopped go on. */
function reopened(tasks: RunState['tasks']): RunState['tasks'] {
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
