/** The interpreter of one extension, as the sandbox provides it, and calls of the extension's functions in it. */

import type { CallClock } from '../../runtime/protocol/ask.ts';
import { type Dispatch, newCall, type ToolCall } from '../../runtime/spec/call.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Inspection } from '../../runtime/spec/tool.ts';
import type { Json, JsonText } from '../../runtime/spec/json.ts';
import { plainTool } from '../../runtime/spec/plain-tool.ts';

/** Runs the extension's tools, and the loader's functions for it. */
export interface ExtensionPython extends Dispatch {
  /** Inspects the tools that the extension has registered. @throws {ToolError} */
  inspect(signal: AbortSignal): Promise<Inspection>;
  /** Resolves with the reason when the interpreter has ended. Never rejects. */
  readonly ended: Promise<string>;
  dispose(): void;
}

/**
 * Performs what running code of the extension asks for.
 * @returns the answer as JSON; undefined if there is none @throws {ToolError}
 */
export type OnAction = (
  call: ToolCall,
  action: JsonText,
  clock?: CallClock,
) => Promise<JsonText | undefined>;

/** Starts an interpreter that has the folder's files. @throws {ToolError} */
export type StartPython = (
  signal: AbortSignal,
  file: string,
  onAction: OnAction,
) => Promise<ExtensionPython>;

/** Names of the loader's functions (workers/python/py/cloche/prepared.py). */
export type LoaderFunction = '@register' | '@hook';

export interface LoaderCallOptions {
  readonly deadlineMs: number;
  /** Limit of the arguments and of the answer; characters. */
  readonly maxChars: number;
  /** The session that the call belongs to; empty if there is none. */
  readonly session: string;
  /** Id of the call; a new one by default. */
  readonly callId?: string;
}

/** All calls share this object, so that the tool worker gets it once. */
const parameters = { type: 'object' };
const ignored = { onStart: () => undefined, onStream: () => undefined };

/**
 * Calls a function of the loader. If it does not end in time, the interpreter ends.
 * @throws {ToolError} with the error of the function
 */
export async function callLoader(
  signal: AbortSignal,
  python: Pick<ExtensionPython, 'run'>,
  file: string,
  name: LoaderFunction,
  args: JsonText,
  { deadlineMs, maxChars, session, callId = crypto.randomUUID() }: LoaderCallOptions,
): Promise<Json> {
  if (args.length > maxChars) throw tooLong(args.length, maxChars);
  const call = newCall('extension', name, args, {
    id: callId,
    sessionId: session,
    validate: false,
  });
  const tool = plainTool(name, {
    parameters,
    source: { file, line: 1, column: null },
    // The function may be asynchronous, so it is asked to stop before its interpreter is ended.
    handler: { kind: 'async', name, file, line: null },
    timeout_s: deadlineMs / 1000,
  });
  const result = await python.run(signal, tool, call, ignored);
  if (result.isError) {
    if (result.error === 'timeout')
      throw new ToolError('timeout', `it took longer than ${deadlineMs / 1000} s`);
    if (result.error === 'cancelled') throw new ToolError('aborted', 'it was cancelled');
    if (result.error === 'crashed' || result.error === 'interrupted')
      throw new ToolError('crashed', 'its interpreter ended');
    throw new ToolError('bad-input', (result.error ?? 'it failed').slice(0, 1_000));
  }
  const [part] = result.content;
  if (part?.type !== 'json') throw new ToolError('protocol', 'its answer is not JSON');
  if (part.text.length > maxChars) throw tooLong(part.text.length, maxChars);
  try {
    return JSON.parse(part.text) as Json;
  } catch {
    throw new ToolError('bad-input', 'its answer contains NaN or infinity');
  }
}

function tooLong(chars: number, max: number): ToolError {
  return new ToolError(
    'limit',
    `${chars.toLocaleString('en')} characters are more than the limit of ${max.toLocaleString('en')}`,
  );
}
