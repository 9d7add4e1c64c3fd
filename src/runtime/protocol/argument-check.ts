/** The wire to the worker that checks arguments while they are typed. */

import type { ObservedRun } from '../spec/call.ts';
import type { JsonObject, JsonText } from '../spec/json.ts';

export interface ArgumentError {
  /** Path of the value, such as `$.user.tags[0]`. */
  readonly path: string;
  /** The same place as a JSON Pointer. */
  readonly pointer: string;
  readonly message: string;
}

export interface ArgumentWorker {
  /** @param schema the tool's schema; null if it is the same as in the previous check */
  check(schema: JsonText | null, args: JsonText): readonly ArgumentError[];
  /** Infers the schema of what runs returned; null if it would say nothing. @param source code of the folder */
  inferSchema(runs: readonly ObservedRun[], code: string): JsonObject | null;
}

/** Checks arguments against a schema in the worker; null if that takes too long. @throws the signal's reason */
export type CheckArguments = (
  signal: AbortSignal,
  schema: JsonText,
  args: JsonText,
) => Promise<readonly ArgumentError[] | null>;
