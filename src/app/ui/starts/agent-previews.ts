/** Describes what a run, a plan, an evaluation or a session would do, before the user starts it. */

import type { RecordedRun } from '../../../agent/runner/recorded-run.ts';
import { ownNeeds } from '../../../agent/runner/plan-needs.ts';
import type { SessionState } from '../../../agent/session/session-state.ts';
import { messagesOf, type Evaluation } from '../../../runtime/spec/evaluation.ts';
import type { Plan, PlanNeeds, PlanTask } from '../../../runtime/spec/plan.ts';
import { countText } from '../../../runtime/spec/count-text.ts';
import {
  countCalledTools,
  callsIn,
  maxSteps,
  startOf,
  textOf,
  type StartPreview,
} from './start-preview.ts';

export function runPreview(run: RecordedRun): StartPreview {
  const { plan, scripted, tasks } = run;
  const steps = Object.values(tasks).flatMap(({ turns }) => turns.flatMap((turn) => turn.steps));
  const { files, tests, calls: checks } = ownNeeds(plan);
  return {
    answers: `No model is asked: the answers are ${scripted ? 'scripted' : 'recorded'}.`,
    models: [],
    tools: [],
    files,
    tests,
    calls: countCalledTools([...callsIn(steps), ...checks]),
    ...taskSteps(plan.tasks),
    whole: () => JSON.stringify(run),
  };
}

export function planPreview(plan: Plan, { calls, ...needs }: PlanNeeds): StartPreview {
  return {
    answers: '',
    ...needs,
    calls: countCalledTools(calls),
    ...taskSteps(plan.tasks),
    whole: () => JSON.stringify(plan),
  };
}

/** @param all the names of all tools of the folder */
export function evaluationPreview(evaluation: Evaluation, all: readonly string[]): StartPreview {
  const { prompts, tools, judge } = evaluation;
  return {
    answers: '',
    files: [],
    calls: [],
    tests: [],
    models: judge === undefined ? [] : [{ name: judge, from: 'judges the answers' }],
    tools: typeof tools === 'object' ? tools : all,
    steps: prompts.slice(0, maxSteps).map((prompt) => startOf(messagesOf(prompt).join(' '))),
    stepsAre: 'Prompts',
    allSteps: prompts.length,
    whole: () => JSON.stringify(evaluation),
  };
}

/** Describes what a session from a file has done, and how it would continue. */
export function sessionPreview({
  head,
  prompt,
  selection,
  calls,
  entries,
}: SessionState): StartPreview {
  const messages = entries.filter((entry) => entry.kind === 'message');
  const { model } = head;
  return {
    answers: `Opening it stores it in this browser. Nothing runs, and nothing is sent. It has ${countText(messages.length, 'message')}.`,
    models: model === null ? [] : [{ name: `${model.provider}/${model.model}`, from: '' }],
    files: [],
    tests: [],
    isPast: true,
    whole: null,
    calls: countCalledTools(Array.from(calls.values(), ({ asked }) => asked)),
    tools: (selection?.tools ?? []).map(({ name }) => name),
    steps: [
      ...(prompt === null ? [] : [`System prompt: ${startOf(prompt)}`]),
      ...messages.slice(0, maxSteps).map(({ parts }) => startOf(textOf(parts))),
    ],
    stepsAre: 'Messages',
    allSteps: messages.length + (prompt === null ? 0 : 1),
  };
}

/** @param tasks the tasks of a plan, shown with instructions, because a title may not say what a task does */
function taskSteps(
  tasks: readonly PlanTask[],
): Pick<StartPreview, 'steps' | 'stepsAre' | 'allSteps'> {
  const steps = tasks
    .slice(0, maxSteps)
    .map(({ title = '', instructions }) =>
      startOf(title.trim() === '' ? instructions : `${startOf(title, 100)}: ${instructions}`),
    );
  return { steps, stepsAre: 'Tasks', allSteps: tasks.length };
}
