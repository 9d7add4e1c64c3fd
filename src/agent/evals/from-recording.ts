/** Makes an evaluation from a recording: its messages, and the calls that its model made. */

import type { Evaluation, EvaluationPrompt, ExpectedCall } from '../../runtime/spec/evaluation.ts';
import { isObject, parsedJson } from '../../runtime/spec/guards.ts';
import type { Recording } from '../../runtime/spec/recording.ts';

/** Maximum number of messages that become one prompt. */
const maxMessages = 50;
const maxCalls = 50;

/** Makes one prompt of all messages, since later messages build on earlier answers. */
export function evaluationOf({ title, turns, tools }: Recording): Evaluation {
  const used = turns.slice(0, maxMessages);
  const messages = used
    .map(({ message }) =>
      message.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    )
    .filter((text) => text !== '');
  const must = used
    .flatMap(({ steps }) => steps.flatMap(({ parts }) => parts))
    .flatMap((part) =>
      part.type === 'call' && part.tool !== '' && tools.includes(part.tool)
        ? [expectedCall(part.tool, part.arguments)]
        : [],
    )
    .slice(0, maxCalls);
  const prompt: EvaluationPrompt = {
    ...(messages.length === 1 ? { text: messages[0] ?? '' } : { messages }),
    ...(must.length === 0 ? {} : { expect: { calls: { must } } }),
  };
  return {
    name: title.slice(0, 200) || 'Evaluation',
    tools: [...tools],
    repeats: 3,
    prompts: [prompt],
  };
}

function expectedCall(tool: string, args: string): ExpectedCall {
  const value = parsedJson(args);
  return isObject(value) ? { tool, includes: value } : tool;
}
