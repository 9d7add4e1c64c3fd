/** The record of one run of a plan: events, from which its whole state derives. */

import type { JsonText } from '../spec/json.ts';
import { askerOf, type Asker, type Plan } from '../spec/plan.ts';
import { halted, reopened, withBlocked } from './task-phases.ts';
import { heldAt, workedOn } from './work-time.ts';

/** What a run or a task has used. */
export interface RunUsage {
  /** Calls to tools. */
  readonly calls: number;
  readonly tokens: number;
  /** US dollars; null if unknown. */
  readonly cost: number | null;
}

export const noUsage: RunUsage = { calls: 0, tokens: 0, cost: null };

/** Something that a check has found wrong. */
export interface CheckFailure {
  /** The same for the same failure. */
  readonly key: string;
  readonly text: string;
}

/**
 * How a task ended. `stopped`: it was interrupted, by the user, a budget or a fault outside of it, such as a model that
 * does not answer; it goes on in its session when the run is resumed.
 */
export type TaskEnd = 'done' | 'failed' | 'stopped';

/** How a run ended. `stuck`: a task failed for good, so that the goal cannot be reached. */
export type RunEnd = 'done' | 'stuck' | 'stopped';

type CreatedFact = Extract<RunFact, { type: 'created' }>;

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
      /** Whether somebody else has asked for the run, so that it waits for the user's approval. */
      readonly waits?: boolean;
      /** The extension that has asked for a run that waits; absent if a page has. Earlier versions stored only its name. */
      readonly extension?: Exclude<Asker, 'page'> | string;
      /** JSON of the recorded run that is played; absent if models answer. */
      readonly replays?: JsonText;
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
      /** What the check has used; absent in records of earlier versions. */
      readonly usage?: RunUsage;
    }
  | {
      readonly type: 'task-ended';
      readonly task: string;
      readonly end: TaskEnd;
      /** Why it is not done, or what its check has found. */
      readonly reason: string;
      /** Of all its attempts and checks. */
      readonly usage: RunUsage;
    }
  /** What the check found before the task began; it does not count. */
  | {
      readonly type: 'earlier-failures';
      readonly task: string;
      readonly failures: readonly CheckFailure[];
    }
  /** What a check that has passed has used. */
  | { readonly type: 'checked'; readonly task: string; readonly usage: RunUsage }
  /** A message of the user to a task, or to all that are not done. */
  | { readonly type: 'steered'; readonly task: string | null; readonly text: string }
  /** A sub-agent, without tools, thinks about how the plan should change. */
  | { readonly type: 'revision-began'; readonly session: string; readonly reason: string }
  | { readonly type: 'revision-failed'; readonly reason: string; readonly usage: RunUsage }
  /** The plan was changed. What is done, and is still in the plan, stays done. */
  | {
      readonly type: 'revised';
      readonly by: 'user' | 'model';
      readonly reason: string;
      readonly plan: Plan;
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
  /** What its check found before it began, and does not count; null if that was not looked for and still may be. */
  readonly earlierFailures: readonly CheckFailure[] | null;
  readonly reason: string;
  /** Milliseconds for which it was worked on until the last event, since it last began anew. */
  readonly activeMs: number;
  readonly usage: RunUsage;
  /** The part of the usage that the current session does not know: of earlier sessions, and of checks. */
  readonly otherUsage: RunUsage;
  /** Milliseconds since the epoch; null before the task begins or ends. */
  readonly beganAt: number | null;
  readonly endedAt: number | null;
}

export interface RunState extends Omit<CreatedFact, 'type' | 'waits' | 'extension' | 'replays'> {
  readonly id: string;
  readonly phase: 'running' | 'paused' | RunEnd;
  readonly reason: string;
  readonly tasks: ReadonlyMap<string, TaskState>;
  readonly usage: RunUsage;
  /** The part of the usage that belongs to no task of the plan: of revisions, and of tasks that were removed. */
  readonly otherUsage: RunUsage;
  /** Messages of the user, oldest first. */
  readonly messages: readonly { readonly task: string | null; readonly text: string }[];
  /** Changes of the plan, oldest first. */
  readonly revisions: readonly Revision[];
  /** How often a model was asked to change the plan. */
  readonly revisionsBegun: number;
  /** Whether a model works on a change of the plan. */
  readonly isRevising: boolean;
  /** Whether it waits for the user's approval, and has not begun. */
  readonly isWaiting: boolean;
  /** Who has asked for the run; null if the user has started it, or allowed it since. */
  readonly askedBy: Asker | null;
  /** JSON of the recorded run that is played; null if models answer. */
  readonly replays: JsonText | null;
  /** Milliseconds for which the run was neither paused nor ended, until `activeSince`. */
  readonly activeMs: number;
  /** Milliseconds since the epoch; null while it is paused or has ended. */
  readonly activeSince: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly events: number;
}

export interface Revision {
  readonly at: number;
  readonly by: 'user' | 'model';
  readonly reason: string;
  readonly before: Plan;
  readonly after: Plan;
}

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
export function applied(id: string, before: RunState | null, event: RunEvent): RunState | null {
  if (before === null) return event.type === 'created' ? created(id, event) : null;
  const state = { ...before, tasks: workedOn(before, event) };
  const next = { ...state, events: state.events + 1, changedAt: event.at };
  switch (event.type) {
    case 'created':
      return next;
    case 'resumed':
      return withBlocked({ ...next, ...begunAgain(state, event.at), tasks: reopened(state.tasks) });
    case 'paused':
      return { ...next, ...heldAt(state, event.at), phase: 'paused' };
    case 'ended':
      return withBlocked({
        ...next,
        ...heldAt(state, event.at),
        phase: event.end,
        reason: event.reason,
        isRevising: false,
        isWaiting: false,
        tasks: new Map([...state.tasks].map(([id, task]) => [id, halted(task)])),
      });
    case 'again':
      return withBlocked({
        ...next,
        ...begunAgain(state, event.at),
        tasks: new Map(
          [...reopened(state.tasks)].map(([name, task]) => [
            name,
            event.tasks.includes(name) ? anew(task) : task,
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
        otherUsage: plusUsage(state.otherUsage, event.usage),
      });
    case 'revised':
      return revised(next, event);
    default: {
      const task = state.tasks.get(event.task);
      if (task === undefined) return next;
      const tasks = new Map(state.tasks).set(event.task, taskAfter(task, event));
      return withBlocked(withUsage({ ...next, tasks }));
    }
  }
}

/** The plan is replaced. Tasks that are done stay so; all others that the plan still has may begin again. */
function revised(
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
    const next = stays ? known : anew(known);
    const hadCheck = checks.get(task.id) === JSON.stringify(task.check);
    // What another check has found says nothing about this one.
    const isOther = !hadCheck && next.earlierFailures !== null;
    return [task.id, isOther ? { ...next, earlierFailures: [] } : next];
  });
  return withBlocked(
    withUsage({
      ...state,
      plan,
      isRevising: false,
      tasks: new Map(tasks),
      otherUsage: [...removed, usage].reduce(plusUsage, state.otherUsage),
      revisions: [...state.revisions, { at, by, reason, before: state.plan, after: plan }],
    }),
  );
}

/** The task before its first attempt; what it has used stays counted. What it has broken itself is not taken for earlier. */
function anew({ usage, earlierFailures, session }: TaskState): TaskState {
  const earlier = earlierFailures ?? (session === '' ? null : []);
  return { ...waiting, usage, otherUsage: usage, earlierFailures: earlier };
}

/** Somebody carries the run out from here on. */
function begunAgain(state: RunState, at: number) {
  return {
    ...({ phase: 'running', reason: '', isRevising: false, isWaiting: false } as const),
    askedBy: null,
    // Without the time after the last event of a page that was closed.
    ...heldAt(state, state.changedAt),
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
      const { attempt, session, at } = event;
      return {
        ...task,
        phase: 'running',
        attempt,
        session,
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
        otherUsage: plusUsage(task.otherUsage, usage),
      };
    }
    case 'earlier-failures':
      return { ...task, earlierFailures: event.failures };
    case 'checked':
      return { ...task, otherUsage: plusUsage(task.otherUsage, event.usage) };
    case 'task-ended': {
      const { end: phase, reason, usage, at } = event;
      return { ...task, phase, reason, usage, endedAt: at };
    }
  }
}

function created(id: string, event: Extract<RunEvent, { readonly type: 'created' }>): RunState {
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
  return { ...state, usage: usages.reduce(plusUsage, state.otherUsage) };
}

/** `1 call`, `1,000 calls`. */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}

export function plusUsage(one: RunUsage, other: RunUsage): RunUsage {
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    cost: one.cost === null && other.cost === null ? null : (one.cost ?? 0) + (other.cost ?? 0),
  };
}
