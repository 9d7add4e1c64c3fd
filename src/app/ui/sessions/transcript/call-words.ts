/** Describes the state of a session's call. */

import type { SessionCall } from '../../../../agent/session/session-state.ts';
import { runPython } from '../../../../runtime/spec/tool.ts';
import { asObject, parseJson } from '../../../../runtime/spec/guards.ts';
import type { ToolResult } from '../../../../runtime/spec/result.ts';
import type { Run } from '../../tools/runs/runs.svelte.ts';
import { outcomeOf } from '../../tools/result/outcome-words.ts';
import type { ArgumentFault } from '../../../../runtime/spec/read-arguments.ts';
import { asText } from '../../../../runtime/spec/lenient.ts';

export interface CallWords {
  readonly words: string;
  readonly failed: boolean;
  /** Whether the call is active. */
  readonly alive: boolean;
  /** Whether the call waits for the user. */
  readonly waits: boolean;
}

export function callWords({
  call,
  result,
  dropped,
  paused,
  asked,
  run,
  elsewhere,
  busyWith,
}: {
  readonly call: Pick<SessionCall, 'phase' | 'approval'> | undefined;
  readonly result: Pick<ToolResult, 'resultType' | 'isError' | 'error'> | null;
  /** Whether the call is never made. */
  readonly dropped: boolean;
  /** Whether step mode has paused before the call. */
  readonly paused: boolean;
  /** Whether a question about the call is shown. */
  readonly asked: boolean;
  readonly run: Pick<Run, 'phase' | 'stopping'> | undefined;
  /** Whether another page runs the call, which reports only its end. */
  readonly elsewhere: boolean;
  /** The tools whose calls the session’s interpreter is running. */
  readonly busyWith: readonly string[];
}): CallWords {
  if (result !== null) {
    if (wasDenied(call)) return endedWords('Denied');
    const { words, icon } = outcomeOf(result);
    return endedWords(words === 'Success' ? '' : words, { failed: icon === 'error' });
  }
  if (dropped) return endedWords('Not run');
  if (asked) return { words: 'Waiting for your answer', failed: false, alive: false, waits: true };
  if (paused) return { words: 'Paused by step mode', failed: false, alive: false, waits: true };
  const waits = call?.phase !== 'running' && (elsewhere || run === undefined);
  if (waits) return endedWords('Waiting for its turn');
  const words = elsewhere ? 'Running in another tab' : runWords(run, busyWith);
  return { words, failed: false, alive: true, waits: false };
}

function runWords(
  run: Pick<Run, 'phase' | 'stopping'> | undefined,
  [first, ...more]: readonly string[],
): string {
  if (run?.stopping === true) return 'Stopping';
  if (run?.phase !== 'queued') return 'Running';
  if (first === undefined) return 'Queued';
  return `Waiting for ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}

/** Describes the fault of the arguments that the model wrote, and how they were read. */
export function argumentFaultWords(fault: ArgumentFault): string {
  switch (fault) {
    case 'null':
      return 'The model wrote no object as the arguments. They were read as {}.';
    case 'double-encoded':
      return 'The model wrote the arguments as a JSON string. They were read as the object in it.';
    case 'repeated':
      return 'The model wrote the arguments more than once. They were read once.';
    case 'empty-first':
      return 'The model wrote an empty object beside the arguments. It was left out.';
    case 'surrounded':
      return 'The model wrote something around the arguments, such as a tag or a code fence. It was left out.';
    case 'characters':
      return 'The model wrote line ends or other control characters into strings. They were read as escaped.';
    case 'in-text':
      return 'The server left this call in the model’s text. Cloche read it there, since the text had nothing else in it.';
    case 'syntax':
      return 'The model wrote the arguments in a syntax that is not JSON. They were read as JSON.';
  }
}

export function wasDenied(call: Pick<SessionCall, 'approval'> | undefined): boolean {
  const approval = call?.approval?.approval;
  return approval === 'deny' || approval === 'never';
}

/** Returns whether the user changed the call's arguments. */
export function isChanged(call: SessionCall | undefined): boolean {
  return call !== undefined && call.approval !== null && call.arguments !== call.asked.arguments;
}

/** The result of an ended call, in one line; empty if {@link callWords} already says it. */
export function givenWords(
  call: Pick<SessionCall, 'approval'> | undefined,
  result: ToolResult,
): string {
  const reason = call?.approval?.reason ?? '';
  if (wasDenied(call)) return reason === '' ? '' : oneLine(`Reason: ${reason}`);
  switch (result.error) {
    case 'cancelled':
    case 'timeout':
      return '';
    case 'approval_required':
      return oneLine(result.textResultForLlm);
    default:
      return oneLine(result.error ?? result.textResultForLlm);
  }
}

/** The latest update or output of a running call, in one line. */
export function latestWords(
  live:
    { readonly updates: readonly { readonly json: string }[]; readonly out: string } | undefined,
): string {
  const latest = live?.updates.at(-1)?.json ?? '';
  if (latest !== '') return oneLine(latest);
  return oneLine((live?.out ?? '').slice(-400).trimEnd().split('\n').at(-1) ?? '');
}

/** Limit of a program that is shown as code; longer ones are shown as JSON. Characters. */
const shownCode = 50_000;

/** The Python of a call of `run_python`; empty if it is another call, or its arguments hold none. */
export function programIn(tool: string, args: string): string {
  if (tool !== runPython || args.length > shownCode) return '';
  const { code } = asObject(parseJson(args));
  return asText(code);
}

/** The start of a text, without line breaks. */
export function oneLine(text: string): string {
  return text.slice(0, 400).replace(/\s+/g, ' ').trim();
}

function endedWords(words: string, { failed = false } = {}): CallWords {
  return { words, failed, alive: false, waits: false };
}
