/**
 * A call with interceptors: extension code that runs before and after the call, and may change its arguments or result, or
 * refuse it.
 */

import { wait } from '../async/wait.ts';
import type { ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import { asFields, isCount, isStrings, type Fields } from '../spec/guards.ts';
import type { JsonText } from '../spec/json.ts';
import type { CallChange, ContentPart, ToolResult } from '../spec/result.ts';
import { endingText, failure } from './results.ts';

/** A frozen copy of a call, as an interceptor gets it. */
export type CallView = Readonly<Omit<ToolCall, 'rejoin'>>;

/** New arguments, or a refusal with its reason. Null or undefined lets the call continue unchanged. */
export type Verdict =
  { readonly arguments: JsonText } | { readonly refuse: string } | null | undefined;

const changeable = [
  'resultType',
  'textResultForLlm',
  'error',
  'traceback',
  'content',
  'recoverable',
  'metadata',
  'updates',
  'log',
  'stdout',
  'stderr',
] as const;
/** The parts of a result that an interceptor may replace. The others are facts about the run. */
export type ResultChange = Partial<Pick<ToolResult, (typeof changeable)[number]>>;

/**
 * An interceptor. If it throws, returns something invalid or misses its deadline, the call is refused or its
 * result withheld. Its signal aborts when the call no longer waits for its answer.
 */
export interface CallInterceptor {
  /** Shown in messages. */
  readonly name: string;
  /** Name of its extension; absent for Cloche's own. */
  readonly extension?: string;
  /** The highest priority runs first before a call, and last after it. */
  readonly priority: number;
  readonly before?: (signal: AbortSignal, call: CallView) => Verdict | Promise<Verdict>;
  /** Null or undefined leaves the result as it is. */
  readonly after?: (
    signal: AbortSignal,
    call: CallView,
    result: ToolResult,
  ) => ResultChange | null | undefined | Promise<ResultChange | null | undefined>;
}

export interface Interceptors {
  /** The call waits for these promises. If one rejects, the call is refused. */
  readonly holds: Iterable<Promise<void>>;
  readonly registered: () => readonly CallInterceptor[];
  readonly deadlineMs: number;
}

/**
 * Runs a call, once no hold remains, with the interceptors that are then registered.
 * @param run receives the arguments as the interceptors have changed them
 * @param onChange receives each change that an interceptor makes to the arguments or the result
 */
export async function interceptedCall(
  signal: AbortSignal,
  call: ToolCall,
  { holds, registered, deadlineMs }: Interceptors,
  run: (args: JsonText) => Promise<ToolResult>,
  onChange: (change: CallChange) => void,
): Promise<ToolResult> {
  for (const hold of holds) {
    // @mutant calls wait for the interceptors that are being loaded => hold -> Promise.race([hold,
    //   Promise.resolve()]) [src/runtime/call/interceptors.test.ts]
    const fault = await heldBy(signal, hold);
    if (fault !== null) return ended(signal, call, `was refused: ${fault}`, fault);
  }
  const entries = registered();
  if (entries.length === 0) return run(call.arguments);
  let args = call.arguments;
  for (const { name, extension, before } of entries) {
    if (before === undefined) continue;
    const asked = await ask(signal, { name, deadlineMs }, async (given) =>
      toVerdict(await before(given, viewOf(call, args))),
    );
    // @mutant an interceptor that fails, refuses => return ended(signal, call, `was refused: ${asked.fault}`,
    //   asked.fault) -> continue [src/runtime/call/interceptors.test.ts]
    if ('fault' in asked) return ended(signal, call, `was refused: ${asked.fault}`, asked.fault);
    const { answer } = asked;
    if (answer !== null && 'refuse' in answer)
      return ended(signal, call, `was refused: ${answer.refuse}`, answer.refuse);
    const next = answer?.arguments ?? args;
    if (next !== args)
      onChange({ by: fullName(name, extension), what: 'arguments', before: args, after: next });
    args = next;
  }
  let result = await run(args);
  for (const { name, extension, after } of [...entries].reverse()) {
    if (after === undefined) continue;
    const asked = await ask(signal, { name, deadlineMs }, async (given) =>
      changed(result, await after(given, viewOf(call, args), Object.freeze({ ...result }))),
    );
    if ('fault' in asked)
      return ended(signal, call, `ran, but its result was withheld: ${asked.fault}`, asked.fault);
    const { answer } = asked;
    if (!isAlike(result, answer))
      onChange({
        by: fullName(name, extension),
        what: 'result',
        before: result.textResultForLlm,
        after: answer.textResultForLlm,
      });
    result = answer;
  }
  return result;
}

async function ask<T>(
  signal: AbortSignal,
  { name, deadlineMs }: { readonly name: string; readonly deadlineMs: number },
  question: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly answer: T } | { readonly fault: string }> {
  const over = new AbortController();
  const given = AbortSignal.any([signal, over.signal]);
  const limits = { deadlineMs, what: `The interceptor ${name}` };
  try {
    return { answer: await wait(signal, question(given), limits) };
  } catch (thrown) {
    return { fault: errorText(thrown) };
  } finally {
    over.abort();
  }
}

function fullName(name: string, extension: string | undefined): string {
  return extension === undefined ? name : `${name} (${extension})`;
}

/** Returns whether two results have the same outcome, text, content and output. */
function isAlike(one: ToolResult, other: ToolResult): boolean {
  if (one === other) return true;
  const keys = [
    'resultType',
    'textResultForLlm',
    'error',
    'traceback',
    'stdout',
    'stderr',
  ] as const;
  return (
    keys.every((key) => one[key] === other[key]) &&
    one.content.length === other.content.length &&
    one.content.every((part, index) => isSamePart(part, other.content[index]))
  );
}

function isSamePart(one: ContentPart, other: ContentPart | undefined): boolean {
  if (one.type !== other?.type) return false;
  const texts = (part: ContentPart): readonly (string | undefined)[] =>
    'data' in part
      ? [part.mediaType, part.data]
      : [part.text, part.type === 'text' ? part.mediaType : undefined];
  const others = texts(other);
  return texts(one).every((text, index) => text === others[index]);
}

/** Waits for what holds the call. @returns why that has failed; null if the call may continue */
async function heldBy(signal: AbortSignal, hold: Promise<void>): Promise<string | null> {
  try {
    await wait(signal, hold, { what: 'Loading the extensions' });
    return null;
  } catch (thrown) {
    return errorText(thrown);
  }
}

function viewOf({ rejoin: _, ...call }: ToolCall, args: JsonText): CallView {
  return Object.freeze({ ...call, arguments: args });
}

function ended(signal: AbortSignal, call: ToolCall, how: string, why: string): ToolResult {
  if (signal.aborted) return failure('cancelled', endingText('cancelled', call.tool));
  return failure(`InterceptorError: ${why}`, `The call to ${call.tool} ${how}`);
}

function toVerdict(returned: unknown): NonNullable<Verdict> | null {
  if (returned === null || returned === undefined) return null;
  if (typeof returned === 'object') {
    if ('refuse' in returned && typeof returned.refuse === 'string')
      return { refuse: returned.refuse };
    if ('arguments' in returned && typeof returned.arguments === 'string')
      return { arguments: returned.arguments };
  }
  throw new TypeError('before a call, an interceptor must return {arguments}, {refuse} or nothing');
}

/** A result with all its parts, whose types a replaced part must have. */
const example = failure('', '', { traceback: '' });
/** Checks the items of those parts of a result that are lists. */
const items: Partial<Record<(typeof changeable)[number], (item: Fields) => boolean>> = {
  content: ({ type, text, mediaType, data }) =>
    type === 'text' || type === 'json'
      ? isStrings([text])
      : (type === 'image' || type === 'binary') && isStrings([mediaType, data]),
  updates: ({ n, json }) => isCount(n) && isStrings([json]),
  log: ({ level, message }) => isStrings([level, message]),
};

/** Returns the result with the parts that the interceptor has replaced. */
function changed(result: ToolResult, returned: unknown): ToolResult {
  if (returned === null || returned === undefined) return result;
  if (typeof returned !== 'object')
    throw new TypeError('after a call, an interceptor must return parts of a result, or nothing');
  const given = returned as Readonly<Record<string, unknown>>;
  const change: Record<string, unknown> = {};
  for (const key of changeable) {
    const value = given[key];
    if (value === undefined) continue;
    const isItem = items[key];
    const fits = Array.isArray(value)
      ? isItem !== undefined && value.every((item) => isItem(asFields(item)))
      : isItem === undefined && typeof value === typeof example[key];
    if (!fits)
      throw new TypeError(`an interceptor returned a result whose ${key} has the wrong type`);
    change[key] = value;
  }
  const { error, ...rest } = { ...result, ...(change as ResultChange) };
  const isError = rest.resultType !== 'success';
  return isError
    ? { ...rest, resultType: 'failure', isError, error: error ?? 'InterceptorError' }
    : { ...rest, isError };
}
