/** Types of evaluations: prompts, and what models must do with them. The published schema is evaluation.schema.json. */

import type { JsonObject } from './json.ts';

/** A call that is expected. A name alone stands for a call with any arguments. */
export type ExpectedCall =
  | string
  | {
      readonly tool: string;
      /** The arguments must equal these. */
      readonly equals?: JsonObject;
      /** The arguments must include these, and may include others. */
      readonly includes?: JsonObject;
      /** Names of arguments that are not compared. */
      readonly ignore?: readonly string[];
    };

export interface ExpectedCalls {
  /** Required calls. Each must be matched by a separate call. */
  readonly must?: readonly ExpectedCall[];
  /** Allowed calls. If given, calls that are neither here nor in `must` fail. */
  readonly may?: readonly ExpectedCall[];
  readonly must_not?: readonly ExpectedCall[];
  /** Whether the calls of `must` have to be made in their order; others may lie between them. */
  readonly order?: 'any' | 'listed';
}

export interface ExpectedAnswer {
  readonly includes?: string | readonly string[];
  /** A regular expression of Python that is found in the answer. */
  readonly regex?: string;
  /** A Python expression over `text` that is true. */
  readonly expression?: string;
  /** A statement that a model judges. */
  readonly judge?: string;
}

export interface Expected {
  readonly calls?: ExpectedCalls;
  readonly answer?: ExpectedAnswer;
}

export interface EvaluationPrompt {
  readonly name?: string;
  /** The user's message, if there is only one. */
  readonly text?: string;
  /** Messages of the user, each sent after the answer to the one before. */
  readonly messages?: readonly string[];
  readonly expect?: Expected;
  /** Lowest share of passed trials, from 0 to 1. */
  readonly threshold?: number;
}

/** Values that replace those of a tool's spec. */
export interface ToolChange {
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly returns?: JsonObject;
}

/** A version of the descriptions of tools that the model receives. */
export interface EvaluationVersion {
  readonly name: string;
  /** Changes by the name of the tool; none for the tools as they are. */
  readonly tools?: Readonly<Record<string, ToolChange>>;
}

export interface Evaluation {
  readonly name: string;
  /** The system prompt; Cloche's own if there is none. */
  readonly instructions?: string;
  readonly tools?: 'all' | readonly string[];
  /** Whether the model may write programs that call the tools; false by default. */
  readonly programs?: boolean;
  /** The models to try, each as `provider/model`. */
  readonly models?: readonly string[];
  /** The model that judges, as `provider/model`; the tested model if there is none. */
  readonly judge?: string;
  readonly repeats?: number;
  /** Maximum number of trials at the same time. */
  readonly parallel?: number;
  /** Maximum number of requests to the model in one trial. */
  readonly steps?: number;
  /** Longest time of one trial. */
  readonly minutes?: number;
  /** Lowest share of passed trials of all prompts, from 0 to 1. */
  readonly threshold?: number;
  /** Two or more; each prompt is tried with each of them. */
  readonly versions?: readonly EvaluationVersion[];
  readonly prompts: readonly EvaluationPrompt[];
}

/** The name of the tool whose call is expected. */
export function expectedTool(call: ExpectedCall): string {
  return typeof call === 'string' ? call : call.tool;
}

/** Half of the prompts check which version is better. With fewer, even the largest difference may be chance. */
export const minComparedPrompts = 8;
export const defaultRepeats = 1;
export const defaultParallel = 2;
export const defaultSteps = 20;
export const defaultMinutes = 5;

/** The messages of a prompt, in order. */
export function messagesOf({ text, messages }: EvaluationPrompt): readonly string[] {
  return messages ?? (text === undefined ? [] : [text]);
}

/** The name of a prompt for display. @param index from 0 */
export function promptName(prompt: EvaluationPrompt | undefined, index: number): string {
  const first = prompt === undefined ? '' : (messagesOf(prompt)[0] ?? '');
  return prompt?.name ?? (first === '' ? `Prompt ${index + 1}` : first.slice(0, 80));
}
