/** The page's requests to the worker that reads and changes YAML, which contains JSON. */

import type { Json } from '../spec/json.ts';

/** Steps from a whole to one of its values, such as `['tasks', 0, 'id']`. */
export type ValuePath = readonly (string | number)[];

/** The value of a text, or the first mistake in it, with its line from 1. */
export type ParsedText =
  | {
      readonly value: unknown;
      /** Integers that would lose digits, with their lines. */
      readonly inexact: readonly { readonly line: number; readonly number: string }[];
    }
  /** The limit that the text exceeds, so that it was not parsed. */
  | { readonly excess: string }
  | { readonly line: number; readonly mistake: string; readonly hint: string };

export interface YamlWorker {
  parse(text: string): ParsedText;
  /** The lines, from 1, of values in a text that has no mistake. */
  lines(text: string, paths: readonly ValuePath[]): readonly number[];
  /** A plan as YAML. */
  planText(plan: unknown): string;
  // Changes of the text of a plan, which throw if it is neither JSON nor YAML.
  /** Sets a value; undefined removes it. */
  withValue(text: string, path: ValuePath, value: Json | undefined): string;
  /** Adds a task at the end. @returns the text, and the id of the task */
  withTask(text: string): { readonly text: string; readonly id: string };
  /** Removes a task, and what other tasks say about it. */
  withoutTask(text: string, index: number): string;
  /** Moves a task to another place in the list. */
  withMovedTask(text: string, from: number, to: number): string;
  /** Gives a task another id, also where other tasks refer to it. */
  withTaskId(text: string, index: number, id: string): string;
}

/** The worker as the page sees it. All of it rejects if a text takes too long. */
export type YamlTexts = {
  readonly [Name in keyof YamlWorker]: (
    ...asked: Parameters<YamlWorker[Name]>
  ) => Promise<ReturnType<YamlWorker[Name]>>;
};

export type YamlReader = Pick<YamlTexts, 'parse' | 'lines'>;

/** Writes and changes plans. */
export type PlanEdits = Omit<YamlTexts, 'parse' | 'lines'>;
