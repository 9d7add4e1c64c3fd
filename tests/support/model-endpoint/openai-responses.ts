/** OpenAI's responses: streams answers and rejects invalid requests as OpenAI does. */

import { badRequest, nameRefusal, newId, openaiError, toolsRefusal } from './openai-chat.ts';
import { fields, list, word, type Fields } from './read-body.ts';
import {
  pieces,
  usualUsage,
  type ReceivedRequest,
  type Refusal,
  type ScriptedAnswer,
  type WireEvent,
  type WireFormat,
} from './script.ts';

export const openaiResponses: WireFormat = {
  refusal,
  events: (answer, request) => numbered(unnumbered(answer, request)),
  errorEvent: ({ message, type = 'server_error', code = 'server_error' }) =>
    named('response.failed', {
      sequence_number: 99,
      response: { id: 'resp_1', status: 'failed', error: { code, type, message }, usage: null },
    }),
  errorBody: openaiError,
  lineEnd: '\n',
  epilogue: '',
};

/** What this endpoint encrypts reasoning to. */
const sealed = (text: string): string => `sealed:${btoa(encodeURIComponent(text))}`;

function refusal({ body }: ReceivedRequest): Refusal | undefined {
  const { tools, input, stream } = fields(body);
  if (stream !== true) return badRequest('This endpoint only streams.');
  const reported = list(tools).map(({ name, parameters }) => ({ name, parameters }));
  const refused = toolsRefusal(reported, (index) => `tools[${index}].name`);
  if (refused !== undefined) return refused;
  for (const tool of list(tools)) {
    // Left away it means true, which few schemas are fit for.
    if (tool.strict !== false && fields(tool.parameters).additionalProperties !== false)
      return badRequest(
        `Invalid schema for function '${word(tool.name)}': In context=(), 'additionalProperties' is required to be supplied and to be false.`,
        'invalid_function_parameters',
      );
  }
  return inputRefusal(list(input));
}

function inputRefusal(input: readonly Fields[]): Refusal | undefined {
  if (input.length === 0) return badRequest("Missing required parameter: 'input'.");
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const [index, item] of input.entries()) {
    const refused = itemRefusal(item, index, called);
    if (refused !== undefined) return refused;
    if (item.type === 'function_call') called.add(word(item.call_id));
    if (item.type === 'function_call_output') answered.add(word(item.call_id));
  }
  for (const id of called)
    if (!answered.has(id)) return badRequest(`No tool output found for function call ${id}.`);
  return undefined;
}

function itemRefusal(
  item: Fields,
  index: number,
  called: ReadonlySet<string>,
): Refusal | undefined {
  switch (item.type) {
    case undefined:
    case 'message':
      return undefined;
    case 'item_reference':
      return badRequest(
        `Item with id '${word(item.id)}' not found. Items are not persisted when \`store\` is set to false.`,
      );
    case 'reasoning':
      return word(item.encrypted_content).startsWith('sealed:')
        ? undefined
        : badRequest(`Invalid 'input[${index}].encrypted_content'.`, 'invalid_encrypted_content');
    case 'function_call':
      return typeof item.arguments === 'string'
        ? nameRefusal(item.name, `input[${index}].name`)
        : badRequest(`Invalid type for 'input[${index}].arguments': expected a string.`);
    case 'function_call_output':
      return called.has(word(item.call_id))
        ? undefined
        : badRequest(
            `No tool call found for function call output with call_id ${word(item.call_id)}.`,
          );
    default:
      return badRequest(`Invalid value: '${word(item.type)}'.`);
  }
}

function unnumbered(answer: ScriptedAnswer, { body }: ReceivedRequest): WireEvent[] {
  const { model, include } = fields(body);
  const { reasoning = '', text = '', calls = [] } = answer;
  const response = { id: 'resp_1', object: 'response', created_at: 1_750_000_000, model };
  const wantsSealed = Array.isArray(include) && include.includes('reasoning.encrypted_content');
  const items = [
    ...(reasoning === '' ? [] : [reasoningItem(reasoning, wantsSealed)]),
    ...(text === '' ? [] : [messageItem(text)]),
    ...calls.map(callItem),
  ];
  const ending = answer.finish === undefined ? 'response.completed' : 'response.incomplete';
  const reason = answer.finish === 'length' ? 'max_output_tokens' : 'content_filter';
  return [
    named('response.created', { response: { ...response, status: 'in_progress' } }),
    named('response.in_progress', { response: { ...response, status: 'in_progress' } }),
    ...items.flatMap((item, index) => item(index)),
    named(ending, {
      response: {
        ...response,
        incomplete_details: answer.finish === undefined ? null : { reason },
        usage: responsesUsage(answer),
      },
    }),
  ];
}

type Item = (output_index: number) => WireEvent[];

function reasoningItem(text: string, wantsSealed: boolean): Item {
  const id = newId('rs');
  const done = {
    id,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text }],
    ...(wantsSealed ? { encrypted_content: sealed(text) } : {}),
  };
  return (output_index) => {
    const at = { item_id: id, output_index, summary_index: 0 };
    return [
      named('response.output_item.added', { output_index, item: { ...done, summary: [] } }),
      named('response.reasoning_summary_part.added', {
        ...at,
        part: { type: 'summary_text', text: '' },
      }),
      ...pieces(text).map((delta) =>
        named('response.reasoning_summary_text.delta', { ...at, delta }),
      ),
      named('response.reasoning_summary_text.done', { ...at, text }),
      named('response.reasoning_summary_part.done', { ...at, part: done.summary[0] }),
      named('response.output_item.done', { output_index, item: done }),
    ];
  };
}

function messageItem(text: string): Item {
  const id = newId('msg');
  const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  const part = { type: 'output_text', text, annotations: [] };
  return (output_index) => {
    const at = { item_id: id, output_index, content_index: 0 };
    return [
      named('response.output_item.added', { output_index, item }),
      named('response.content_part.added', { ...at, part: { ...part, text: '' } }),
      ...pieces(text).map((delta) => named('response.output_text.delta', { ...at, delta })),
      named('response.output_text.done', { ...at, text }),
      named('response.content_part.done', { ...at, part }),
      named('response.output_item.done', {
        output_index,
        item: { ...item, status: 'completed', content: [part] },
      }),
    ];
  };
}

function callItem({ name, arguments: text }: { name: string; arguments: string }): Item {
  const id = newId('fc');
  const item = { id, type: 'function_call', call_id: newId('call'), name };
  return (output_index) => [
    named('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', arguments: '' },
    }),
    ...pieces(text).map((delta) =>
      named('response.function_call_arguments.delta', { item_id: id, output_index, delta }),
    ),
    named('response.function_call_arguments.done', { item_id: id, output_index, arguments: text }),
    named('response.output_item.done', {
      output_index,
      item: { ...item, status: 'completed', arguments: text },
    }),
  ];
}

function responsesUsage({ usage = usualUsage }: ScriptedAnswer): unknown {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}

function named(type: string, data: object): WireEvent {
  return { event: type, data: { type, ...data } };
}

function numbered(events: readonly WireEvent[]): WireEvent[] {
  return events.map((event, sequence_number) => ({
    ...event,
    data: { ...fields(event.data), sequence_number },
  }));
}
