/** Describes what a recording, a run, a plan or an evaluation would do, before the user starts it. */

import { isBuiltIn } from '../../../agent/turn/built-in-tools.ts';
import type { RecordedRun } from '../../../agent/runner/recorded-run.ts';
import { ownNeeds } from '../../../agent/runner/plan-needs.ts';
import { messagesOf, type Evaluation } from '../../../runtime/spec/evaluation.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import type { Plan, PlanModel, PlanNeeds, PlanTask } from '../../../runtime/spec/plan.ts';
import type { SessionState } from '../../../agent/session/session-state.ts';
import type { UserPart } from '../../../runtime/spec/model.ts';
import type { RecordedCall, RecordedStep, Recording } from '../../../runtime/spec/recording.ts';
import { counted } from '../parts/format.ts';

export interface StartPreview {
  /** The source of the answers if no model is asked; otherwise empty. */
  readonly answers: string;
  /** Models that are asked. */
  readonly models: readonly PlanModel[];
  /** Workspace files that are read. */
  readonly files: readonly string[];
  /** Calls with known arguments, in the order of their first calls. */
  readonly calls: readonly CalledTool[];
  readonly tests: readonly string[];
  /** Names of the tools that models may call with arguments of their choice. */
  readonly tools: readonly string[];
  /** The beginnings of the first messages, tasks or prompts. */
  readonly steps: readonly string[];
  /** The kind of the steps. */
  readonly stepsAre: 'Messages' | 'Tasks' | 'Prompts';
  readonly allSteps: number;
  /** Returns the whole content as JSON; null if the user sees it anyway before anything runs. */
  readonly whole: (() => JsonText) | null;
  /** Whether the calls belong to the past, and are not repeated. */
  readonly isPast?: true;
}

export interface CalledTool {
  readonly name: string;
  readonly calls: number;
  /** Different arguments of the calls, in the order of the calls. */
  readonly arguments: readonly { readonly text: string; readonly times: number }[];
}

/** Something from outside that starts only when the user has seen what it would do. */
export interface StartOffer {
  readonly what: 'recording' | 'run' | 'plan' | 'session';
  readonly title: string;
  /** The source of the offer, such as `the file a.json`. */
  readonly from: string;
  readonly preview: StartPreview;
  readonly start: () => void;
}

const maxSteps = 8;
const longestStep = 300;

export function recordingPreview(recording: Recording): StartPreview {
  const { turns, scripted } = recording;
  const steps = turns.flatMap((turn) => turn.steps);
  return {
    answers: `A new session sends ${counted(turns.length, 'message')}. The model’s messages are ${scripted ? 'scripted' : 'recorded'}.`,
    models: [],
    files: [],
    tools: [],
    tests: [],
    calls: calledTools(callsIn(steps)),
    steps: turns.slice(0, maxSteps).map(({ message }) => startOf(textOf(message))),
    stepsAre: 'Messages',
    allSteps: turns.length,
    whole: () => JSON.stringify(recording),
  };
}

export function runPreview(run: RecordedRun): StartPreview {
  const { plan, scripted, tasks } = run;
  const steps = Object.values(tasks).flatMap(({ turns }) => turns.flatMap((turn) => turn.steps));
  const { files, tests, calls: checks } = ownNeeds(plan);
  return {
    answers: `No model is asked: its messages are ${scripted ? 'scripted' : 'recorded'}.`,
    models: [],
    tools: [],
    files,
    tests,
    calls: calledTools([...callsIn(steps), ...checks]),
    ...taskSteps(plan.tasks),
    whole: () => JSON.stringify(run),
  };
}

export function planPreview(plan: Plan, { calls, ...needs }: PlanNeeds): StartPreview {
  return {
    answers: '',
    ...needs,
    calls: calledTools(calls),
    ...taskSteps(plan.tasks),
    whole: () => JSON.stringify(plan),
  };
}

/** @param all names of all tools of the folder */
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
    answers: `Opening it stores it in this browser. Nothing runs, and nothing is sent. It has ${counted(messages.length, 'message')}.`,
    models: model === null ? [] : [{ name: `${model.provider}/${model.model}`, from: '' }],
    files: [],
    tests: [],
    isPast: true,
    whole: null,
    calls: calledTools(Array.from(calls.values(), ({ asked }) => asked)),
    tools: (selection?.tools ?? []).map(({ name }) => name),
    steps: [
      ...(prompt === null ? [] : [`System prompt: ${startOf(prompt)}`]),
      ...messages.slice(0, maxSteps).map(({ parts }) => startOf(textOf(parts))),
    ],
    stepsAre: 'Messages',
    allSteps: messages.length + (prompt === null ? 0 : 1),
  };
}

/** Shortens a text to one line, which cannot move what follows out of view. */
export function shortLine(text: string): string {
  return startOf(text.slice(0, 1_000).replace(/\s+/g, ' '), 200);
}

/** The source of a file, in words. */
export function fromFile(file: Blob): string {
  return file instanceof File ? `the file ${file.name}` : 'a file';
}

/** @param tasks of a plan. Their titles alone may not say what they do */
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

function callsIn(steps: readonly RecordedStep[]): readonly RecordedCall[] {
  return steps.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'call' && !isBuiltIn(part.tool) ? [part] : [])),
  );
}

function calledTools(
  calls: readonly { readonly tool: string; readonly arguments: JsonText }[],
): readonly CalledTool[] {
  const called = new Map<string, Map<string, number>>();
  for (const { tool, arguments: args } of calls) {
    const counts = called.get(tool) ?? new Map<string, number>();
    called.set(tool, counts.set(args, (counts.get(args) ?? 0) + 1));
  }
  return [...called].map(([name, counts]) => ({
    name,
    calls: [...counts.values()].reduce((sum, times) => sum + times, 0),
    arguments: [...counts].map(([text, times]) => ({ text, times })),
  }));
}

function textOf(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '(image)')).join(' ');
}

function startOf(text: string, max = longestStep): string {
  if (text.length <= max) return text;
  // Half a surrogate pair would be spelt out.
  return `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`;
}
