/** Words for the states of runs and tasks. */

import type { RunEnd, RunEvent, RunState, TaskPhase } from '../../../agent/runner/run-record.ts';
import { ignoresEarlierFailures, phaseWords, taskWords } from '../../../agent/runner/run-tasks.ts';
import { countText } from '../../../runtime/spec/count-text.ts';
import { asText } from '../../../runtime/spec/lenient.ts';
import type { GraphNode } from './graph-layout.ts';

export const taskTones: Record<TaskPhase, GraphNode['tone']> = {
  waiting: '',
  running: 'running',
  checking: 'running',
  blocked: 'held',
  done: 'done',
  failed: 'failed',
  stopped: 'held',
};

const endWords: Record<RunEnd, string> = {
  done: 'Run done',
  stuck: 'Run ended without reaching the goal',
  stopped: 'Run stopped',
};

/** @param isActive whether this page carries the run out */
export function runWords(
  { phase, tasks, isRevising, isWaiting }: RunState,
  isActive: boolean,
): string {
  const done = [...tasks.values()].filter((task) => task.phase === 'done').length;
  const count = `${done} of ${tasks.size} tasks done`;
  if (isWaiting) return `Waiting for your approval, ${countText(tasks.size, 'task')}`;
  if (phase === 'done') return `Done, ${tasks.size} of ${tasks.size} tasks`;
  const isOpen = phase === 'running' || phase === 'paused';
  if (isOpen && !isActive) return `Not running in this tab, ${count}`;
  if (phase === 'running' && isRevising) return `A model is revising the plan, ${count}`;
  return `${phaseWords[phase]}, ${count}`;
}

/** Matches the reason for which a budget ends a run or one of its tasks, if it quotes no tool and no model. */
const usedUp = /^The (task’s |tasks’ shared )?budget of (?:\$\S+|[\d,.]+ [a-z]+) is used up\.$/;

/** Describes what a user can do with a run that does not continue; empty if nothing is needed. */
export function adviceFor(run: RunState, isActive: boolean): string {
  if (isActive || run.phase === 'done') return '';
  if (run.isWaiting)
    return 'Review what the run would do, then press “Run”, or “Stop” to refuse it.';
  const failed = [...run.tasks.values()].filter(({ phase }) => phase === 'failed');
  const hasUsedUp = failed.some(({ reason }) => usedUp.exec(reason)?.[1] === 'task’s ');
  if (hasUsedUp || usedUp.test(run.reason))
    return 'Raise the budget under “Change plan”. The run then continues with the remaining tasks.';
  if (failed.length > 0) {
    const mayBeEarlier = run.plan.tasks.some(
      ({ id, check }) =>
        run.tasks.get(id)?.failures.length !== 0 &&
        check !== undefined &&
        ('test' in check || 'call' in check) &&
        !ignoresEarlierFailures(check),
    );
    return `Fix the task, its tools or its check under “Change plan”, or run the task again.${
      mayBeEarlier
        ? ' If the check failed before the task began as well, let it ignore earlier failures in a new run.'
        : ''
    }`;
  }
  if (
    run.phase === 'stuck' &&
    run.reason.includes('The recording has ended. It has no answer to this failure of ')
  ) {
    const cause = /no workspace/i.test(run.reason)
      ? 'Choose a workspace under “Workspace” in the folder’s menu'
      : 'Fix the cause';
    return `${cause}, then run the task again. A recording cannot continue after a failure that it does not contain.`;
  }
  if (run.phase === 'stuck')
    return 'Fix the cause, then press “Resume”. Tasks continue where they stopped.';
  if (run.phase === 'running' || run.phase === 'paused')
    return 'The tab that ran this plan was closed, or another tab is running it. Press “Resume” to continue here.';
  return '';
}

export function eventWords(event: RunEvent): string {
  switch (event.type) {
    case 'created':
      return `Run started with ${countText(event.plan.tasks.length, 'task')}`;
    case 'resumed':
      return 'Run resumed';
    case 'paused':
      return 'Run paused';
    case 'task-began':
      return `${event.task}: attempt ${event.attempt} started`;
    case 'task-finished':
      return `${event.task}: result submitted`;
    case 'attempt-failed':
      return `${event.task}: check failed on attempt ${event.attempt}. ${event.reason}`;
    case 'earlier-failures':
      return `${event.task}: before it began, its check ${event.failures.length === 0 ? 'passed' : `failed: ${event.failures.map(({ text }) => text).join('; ')}. This does not count.`}`;
    case 'checked':
      return `${event.task}: check passed`;
    case 'task-ended':
      return `${event.task}: ${taskWords[event.end]}.${event.reason === '' ? '' : ` ${event.reason}`}`;
    case 'steered':
      return `Your message to ${event.task ?? 'all tasks'}: ${event.text}`;
    case 'revision-began':
      return 'A model started to revise the plan';
    case 'revision-failed':
      return `The plan was not changed: ${event.reason}`;
    case 'revised':
      return `${event.by === 'user' ? 'You' : 'The model'} changed the plan. ${event.reason}`;
    case 'again':
      return `Run again: ${event.tasks.join(', ')}`;
    case 'ended':
      return `${endWords[event.end]}.${event.reason === '' ? '' : ` ${event.reason}`}`;
  }
}

/** The title of a task that is being written; its id if it has none. */
export function titleOf(task: Readonly<Record<string, unknown>>): string {
  return (asText(task.title) || asText(task.id) || 'Untitled task').slice(0, 200);
}
