/** Format of a recording, a JSON file with a session's messages and model answers; tools run live when it is played. */

import type { JsonText } from './json.ts';
import type { UserPart } from './model.ts';

/** Provider id of sessions that play a recording. */
export const replayProvider = 'replay';

export interface RecordedCall {
  readonly type: 'call';
  readonly tool: string;
  readonly arguments: JsonText;
  /** The recorded result; absent if the call was not run. */
  readonly result?: { readonly resultType: 'success' | 'failure'; readonly text: string };
}

export type RecordedPart =
  { readonly type: 'text' | 'reasoning'; readonly text: string } | RecordedCall;

/** One answer of the model. */
export interface RecordedStep {
  readonly parts: readonly RecordedPart[];
}

/** A message, and the model's answers to it. */
export interface RecordedTurn {
  readonly message: readonly UserPart[];
  readonly steps: readonly RecordedStep[];
}

export interface Recording {
  readonly format: 'cloche-recording';
  readonly version: 1;
  readonly title: string;
  /** Whether the recording was written by hand, without a model. */
  readonly scripted: boolean;
  /** Ids of the tools that were selected. */
  readonly tools: readonly string[];
  readonly turns: readonly RecordedTurn[];
}
