/** A recording: a session's messages and model turns, to be played back while tools run live. One JSON file. */

import type { JsonText } from './json.ts';
import type { UserPart } from './model.ts';

/** Id of the provider that a session names while it plays a recording. */
export const replayProvider = 'replay';

export interface RecordedCall {
  readonly type: 'call';
  /** Its id. */
  readonly tool: string;
  readonly arguments: JsonText;
  /** What it gave when it was recorded; absent where it was not run. */
  readonly result?: { readonly resultType: 'success' | 'failure'; readonly text: string };
}

export type RecordedPart =
  { readonly type: 'text' | 'reasoning'; readonly text: string } | RecordedCall;

/** One answer of the model. */
export interface RecordedStep {
  readonly parts: readonly RecordedPart[];
}

/** A message, and the answers until the next one. */
export interface RecordedTurn {
  readonly message: readonly UserPart[];
  readonly steps: readonly RecordedStep[];
}

export interface Recording {
  readonly format: 'cloche-recording';
  readonly version: 1;
  readonly title: string;
  /** Written by hand: no model was asked. */
  readonly scripted: boolean;
  /** Ids of the tools that were selected. */
  readonly tools: readonly string[];
  readonly turns: readonly RecordedTurn[];
}
