/** Messages of conversations as extensions see and return them: a list of dicts with `role` and `content`. */

import { ToolError } from '../../runtime/spec/error.ts';
import { asFields, isObject, parseJson } from '../../runtime/spec/guards.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { AskedCall, ModelMessage, ToolAnswer, UserPart } from '../../runtime/spec/model.ts';
import { asText } from '../../runtime/spec/lenient.ts';
import { callsAsText, joinRoles } from '../turn/request.ts';

/** Limits of a returned list. */
const maxMessages = 10_000;
const maxChars = 400_000;

/** The list as JSON. Arguments of calls stay as the model wrote them. */
export function messagesToPython(messages: readonly ModelMessage[]): JsonText {
  return `[${messages.flatMap(toPython).join(',')}]`;
}

/**
 * Reads messages that an extension returned. Calls without results, and results without calls, become text, since no
 * provider accepts them.
 *
 * @throws {ToolError} for anything else
 */
export function messagesFromPython(value: unknown): readonly ModelMessage[] {
  if (!Array.isArray(value)) throw invalid('it is not a list of messages');
  if (value.length > maxMessages) throw invalid(`it has more than ${maxMessages} messages`);
  let chars = 0;
  const messages: ModelMessage[] = [];
  for (const one of value) {
    const message = fromPython(asFields(one));
    chars += JSON.stringify(message).length;
    if (chars > maxChars)
      throw invalid(`it is longer than ${maxChars.toLocaleString('en')} characters`);
    const last = messages.at(-1);
    // Results of the calls of one answer belong into one message.
    if (message.role === 'tool' && last?.role === 'tool')
      messages[messages.length - 1] = {
        role: 'tool',
        answers: [...last.answers, ...message.answers],
      };
    else messages.push(message);
  }
  return joinRoles(withoutOrphans(messages));
}

/** The text of messages, for people. */
export function textOfMessages(messages: readonly ModelMessage[]): string {
  return callsAsText(messages)
    .flatMap((message) =>
      message.role === 'tool'
        ? []
        : message.parts.map((part) => ('text' in part ? part.text : '(image)')),
    )
    .join('\n\n');
}

function toPython(message: ModelMessage): readonly JsonText[] {
  switch (message.role) {
    case 'user':
      return [JSON.stringify({ role: 'user', content: textIn(message.parts) })];
    case 'assistant': {
      const textsOfType = (type: 'text' | 'reasoning'): string =>
        message.parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('\n\n');
      const calls = message.parts.flatMap((part) => (part.type === 'call' ? [callText(part)] : []));
      const plain = JSON.stringify({
        role: 'assistant',
        content: textsOfType('text'),
        ...(textsOfType('reasoning') !== '' && { reasoning: textsOfType('reasoning') }),
      });
      if (calls.length === 0) return [plain];
      return [`${plain.slice(0, -1)},"tool_calls":[${calls.join(',')}]}`];
    }
    case 'tool':
      return message.answers.map(({ askedId, wire, isError, parts }) =>
        JSON.stringify({
          role: 'tool',
          tool_call_id: askedId,
          name: wire,
          content: textIn(parts),
          is_error: isError,
        }),
      );
  }
}

function callText({ askedId, wire, arguments: args }: AskedCall): JsonText {
  const start = JSON.stringify({ id: askedId, name: wire }).slice(0, -1);
  return `${start},"arguments":${isObject(parseJson(args)) ? args : JSON.stringify(args)}}`;
}

function textIn(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '(image)')).join('\n\n');
}

function fromPython(message: Readonly<Record<string, unknown>>): ModelMessage {
  const { role, content, tool_calls: calls } = message;
  if (typeof content !== 'string') throw invalid('the content of a message is not a text');
  const text = { type: 'text', text: content } as const;
  switch (role) {
    case 'user':
    case 'system':
      return { role: 'user', parts: [text] };
    case 'assistant': {
      const asked = Array.isArray(calls) ? calls.map((one) => callFrom(asFields(one))) : [];
      const parts = [...(content === '' && asked.length > 0 ? [] : [text]), ...asked];
      return { role: 'assistant', parts };
    }
    case 'tool': {
      const { tool_call_id: askedId, name, is_error: isError } = message;
      if (typeof askedId !== 'string') throw invalid('a result has no tool_call_id');
      const answer: ToolAnswer = {
        askedId,
        wire: asText(name),
        isError: isError === true,
        parts: [text],
      };
      return { role: 'tool', answers: [answer] };
    }
    default:
      throw invalid('the role of a message is not user, assistant or tool');
  }
}

function callFrom({ id, name, arguments: args }: Readonly<Record<string, unknown>>): AskedCall {
  if (typeof id !== 'string' || id === '' || typeof name !== 'string')
    throw invalid('a call has no id or no name');
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  return {
    type: 'call',
    id: id.slice(0, 1_000),
    askedId: id,
    wire: name,
    tool: '',
    arguments: text,
  };
}

/** Writes calls and results as text where they do not fit each other. */
function withoutOrphans(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.flatMap((message, index): readonly ModelMessage[] => {
    const before = messages[index - 1];
    const after = messages[index + 1];
    const fits =
      message.role === 'assistant'
        ? areAnswered(message, after)
        : message.role === 'user' || areAnswered(before, message);
    return fits ? [message] : callsAsText([message]);
  });
}

function areAnswered(asking: ModelMessage | undefined, answering: ModelMessage | undefined) {
  const asked = asking?.role === 'assistant' ? asking.parts : [];
  const calls = asked.flatMap((part) => (part.type === 'call' ? [part.askedId] : []));
  const answers = answering?.role === 'tool' ? answering.answers.map((one) => one.askedId) : [];
  const isOnce = new Set(calls).size === calls.length;
  return isOnce && calls.length === answers.length && calls.every((id) => answers.includes(id));
}

function invalid(why: string): ToolError {
  return new ToolError('bad-input', `What it returned cannot be used: ${why}.`);
}
