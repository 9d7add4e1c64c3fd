/** Types of saved tests: calls that are kept beside the tools, each with what is expected of its result. */

import type { JsonText } from './json.ts';

export interface SavedTest {
  /** `{file}#{index}`. */
  readonly id: string;
  /** Path relative to the tools folder. */
  readonly file: string;
  /** Place in the file, from 0. */
  readonly index: number;
  /** Line of the file, from 1. */
  readonly line: number;
  readonly name: string;
  readonly tool: string;
  /** Text of a JSON object, as it is in the file. */
  readonly arguments: JsonText;
  /** Text of a JSON object; null if the call only has to succeed. */
  readonly expect: JsonText | null;
}

/**
 * `needs-approval`: the tool requires an approval that was not given. `stopped`: the run was stopped during the test.
 */
export type TestState =
  'not-run' | 'waiting' | 'running' | 'passed' | 'failed' | 'needs-approval' | 'stopped';

/** The outcome of a test's call. */
export interface TestResult {
  readonly resultType: 'success' | 'failure';
  /** JSON text of the value if the result has one, else its text or error. */
  readonly text: string;
  /** Whether `text` is JSON. */
  readonly isJson: boolean;
  readonly callId: string;
  readonly durationMs: number;
  /** Present if the tool has not run to its end, or its result could not be compared. */
  readonly isInconclusive?: true;
}

export interface TestStatus {
  readonly test: SavedTest;
  readonly state: TestState;
  /** Why it failed. */
  readonly reasons: readonly string[];
  /** The outcome of the last call. */
  readonly result: TestResult | null;
  /** Whether the tool's file has changed since then, or the tool is gone. */
  readonly isStale: boolean;
}
