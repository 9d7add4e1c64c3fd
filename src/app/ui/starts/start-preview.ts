/** Describes what a recording, plan or other file from outside would do, before the user starts it. */

import { isBuiltIn } from '../../../runtime/spec/tool.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import type { PlanModel } from '../../../runtime/spec/plan.ts';
import type {
  RecordedCall,
  RecordedStep,
  RecordedTurn,
  Recording,
} from '../../../runtime/spec/recording.ts';
import { countText } from '../../../runtime/spec/count-text.ts';

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

/** Number of messages, tasks or prompts that are shown. */
export const maxSteps = 8;
const longestStep = 300;

export function recordingPreview(recording: Recording): StartPreview {
  const { turns, scripted } = recording;
  const steps = turns.flatMap((turn) => turn.steps);
  return {
    answers: `A new session sends ${countText(turns.length, 'message')}. The model’s messages are ${scripted ? 'scripted' : 'recorded'}.`,
    models: [],
    files: [],
    tools: [],
    tests: [],
    calls: countCalledTools(callsIn(steps)),
    steps: turns.slice(0, maxSteps).map(({ message }) => startOf(textOf(message))),
    stepsAre: 'Messages',
    allSteps: turns.length,
    whole: () => JSON.stringify(recording),
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

export function callsIn(steps: readonly RecordedStep[]): readonly RecordedCall[] {
  return steps.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'call' && !isBuiltIn(part.tool) ? [part] : [])),
  );
}

export function countCalledTools(
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

export function textOf(parts: RecordedTurn['message']): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '(image)')).join(' ');
}

export function startOf(text: string, max = longestStep): string {
  if (text.length <= max) return text;
  // Half a surrogate pair would be spelt out.
  return `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`;
}
