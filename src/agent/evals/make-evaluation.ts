/** Makes an evaluation from a recording or a session, or from one call of a session. */

import { recordingOf } from '../session/recording/recorded-session.ts';
import type { SessionState } from '../session/session-state.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import {
  expectedTool,
  type Evaluation,
  type EvaluationPrompt,
  type ExpectedCall,
} from '../../runtime/spec/evaluation.ts';
import { isObject, parseJson } from '../../runtime/spec/guards.ts';
import type { Recording } from '../../runtime/spec/recording.ts';

/** Maximum number of messages that become one prompt. */
const maxMessages = 50;
const maxCalls = 50;
const maxName = 200;

/** Expects all calls that the model made. */
export function evaluationOf(recording: Recording): Evaluation {
  const { title, turns, tools } = recording;
  const must = turns
    .slice(0, maxMessages)
    .flatMap(({ steps }) => steps.flatMap(({ parts }) => parts))
    .flatMap((part) =>
      part.type === 'call' && part.tool !== '' && tools.includes(part.tool)
        ? [expectedCall(part.tool, part.arguments)]
        : [],
    )
    .slice(0, maxCalls);
  return evaluation(title, recording, must);
}

/**
 * Expects only this call, with the arguments with which it ran, after the messages that came before it.
 *
 * @throws {ToolError} `not-found`
 */
export function evaluationOfCall(state: SessionState, callId: string): Evaluation {
  const { calls, entries } = state;
  const call = calls.get(callId);
  const at = entries.findIndex(
    (entry) =>
      entry.kind === 'step' &&
      entry.parts.some((part) => part.type === 'call' && part.id === callId),
  );
  if (call === undefined || at < 0)
    throw new ToolError('not-found', 'The session has no such call.', 'Reload the page.');
  const { tool } = call.asked;
  const recording = recordingOf({ ...state, entries: entries.slice(0, at + 1) });
  const [first = ''] = messagesIn(recording);
  const name = [functionOf(tool), first].filter((part) => part !== '').join(': ');
  return evaluation(name, recording, [expectedCall(tool, call.arguments)]);
}

/** A file name, without its extension, for an evaluation. */
export function fileNameFor({ name, prompts }: Evaluation): string {
  const must = prompts[0]?.expect?.calls?.must ?? [];
  const [only] = must;
  const words = only !== undefined && must.length === 1 ? functionOf(expectedTool(only)) : name;
  const plain = words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return Array.from(plain).slice(0, 40).join('') || 'evaluation';
}

/** Makes one prompt of all messages, since later messages build on earlier answers. */
function evaluation(name: string, recording: Recording, must: readonly ExpectedCall[]): Evaluation {
  const messages = messagesIn(recording);
  const prompt: EvaluationPrompt = {
    ...(messages.length === 1 ? { text: messages[0] ?? '' } : { messages }),
    ...(must.length === 0 ? {} : { expect: { calls: { must } } }),
  };
  return {
    name: Array.from(name).slice(0, maxName).join('') || 'Evaluation',
    tools: [...recording.tools],
    repeats: 3,
    prompts: [prompt],
  };
}

function messagesIn({ turns }: Recording): readonly string[] {
  return turns
    .slice(0, maxMessages)
    .map(({ message }) =>
      message.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    )
    .filter((text) => text !== '');
}

/** `f` of `module:f`. */
function functionOf(tool: string): string {
  return tool.split(':').at(-1) ?? '';
}

function expectedCall(tool: string, args: string): ExpectedCall {
  const value = parseJson(args);
  return isObject(value) ? { tool, includes: value } : tool;
}
