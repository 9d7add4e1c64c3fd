/** OpenAI's chat completions: streams answers and rejects invalid requests as OpenAI and compatible servers do. */

import { mannersRefusal } from './manners.ts';
import { fields, list, word, type Fields } from './read-body.ts';
import { openaiSchemaFault } from './schemas.ts';
import {
  pieces,
  usualUsage,
  type ReceivedRequest,
  type Refusal,
  type ScriptedAnswer,
  type WireEvent,
  type WireFormat,
} from './script.ts';

export const openaiChat: WireFormat = {
  refusal,
  events,
  errorEvent: ({ message, type = 'server_error', code = null }) => ({
    data: { error: { message, type, code, param: null } },
  }),
  errorBody: openaiError,
  lineEnd: '\n',
  epilogue: 'data: [DONE]\n\n',
};

/** The body of an error as both of OpenAI's APIs send it. */
export function openaiError(
  status: number,
  { message, type, code }: { message: string; type?: string; code?: string },
): unknown {
  const usual = status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message, type: type ?? usual, param: null, code: code ?? null } };
}

export function badRequest(message: string, code = 'invalid_value'): Refusal {
  return { status: 400, error: { message, type: 'invalid_request_error', code } };
}

/** What OpenAI says of the name of a function; undefined where it is fine. */
export function nameRefusal(name: unknown, where: string): Refusal | undefined {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(word(name))) return undefined;
  return badRequest(
    `Invalid '${where}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
  );
}

/** What OpenAI says of the tools of a request; undefined where they are fine. */
export function toolsRefusal(
  tools: readonly { readonly name: unknown; readonly parameters: unknown }[],
  nameAt: (index: number) => string,
): Refusal | undefined {
  if (tools.length > 128)
    return badRequest(
      `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${tools.length} instead.`,
      'array_above_max_length',
    );
  for (const [index, { name, parameters }] of tools.entries()) {
    const refused = nameRefusal(name, nameAt(index));
    if (refused !== undefined) return refused;
    const fault = openaiSchemaFault(fields(parameters));
    if (fault !== undefined)
      return badRequest(
        `Invalid schema for function '${word(name)}': ${fault}`,
        'invalid_function_parameters',
      );
  }
  return undefined;
}

function refusal({ body, manners }: ReceivedRequest): Refusal | undefined {
  const { tools, messages, stream } = fields(body);
  if (stream !== true) return badRequest('This endpoint only streams.');
  const reported = list(tools).map((tool) => {
    const { name, parameters } = fields(tool.function);
    return { name, parameters };
  });
  return (
    toolsRefusal(reported, (index) => `tools[${index}].function.name`) ??
    messagesRefusal(list(messages)) ??
    mannersRefusal(list(messages), manners)
  );
}

function messagesRefusal(messages: readonly Fields[]): Refusal | undefined {
  if (messages.length === 0) return badRequest("Invalid 'messages': empty array.");
  let open: string[] = [];
  for (const [index, message] of [...messages, {} as Fields].entries()) {
    if (message.role === 'tool') {
      const id = word(message.tool_call_id);
      if (!open.includes(id))
        return badRequest(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        );
      if (typeof message.content !== 'string')
        return badRequest(`Invalid 'messages[${index}].content': expected a string.`);
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0)
      return badRequest(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
      );
    const isEmpty = message.content === null || message.content === undefined;
    if (message.role === 'assistant' && isEmpty && list(message.tool_calls).length === 0)
      return badRequest(
        `Invalid value for 'messages[${index}].content': expected a string, got null.`,
      );
    for (const [at, call] of list(message.tool_calls).entries()) {
      const { name, arguments: text } = fields(call.function);
      const refused = nameRefusal(name, `messages[${index}].tool_calls[${at}].function.name`);
      if (refused !== undefined) return refused;
      if (typeof text !== 'string')
        return badRequest(`Invalid 'messages[${index}].tool_calls[${at}].function.arguments'.`);
      open.push(word(call.id));
    }
  }
  return undefined;
}

function events(answer: ScriptedAnswer, { body, manners }: ReceivedRequest): WireEvent[] {
  const { model, stream_options } = fields(body);
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_750_000_000, model };
  const choice = (delta: object, finish: string | null = null): WireEvent => ({
    data: { ...head, choices: [{ index: 0, delta, finish_reason: finish }] },
  });
  const calls = answer.calls ?? [];
  return [
    choice({ role: 'assistant', content: '' }),
    ...pieces(answer.reasoning ?? '').map((text) =>
      choice({ [answer.reasoningField ?? 'reasoning_content']: text }),
    ),
    ...pieces(answer.text ?? '').map((text) => choice({ content: text })),
    ...calls.flatMap(({ name, arguments: text }, index) => [
      choice({
        tool_calls: [
          {
            index,
            id: manners === 'mistral' ? newId('').slice(1, 10) : newId('call'),
            type: 'function',
            function: { name, arguments: '' },
            ...(index === 0 && answer.thoughtSignature !== undefined
              ? { extra_content: { google: { thought_signature: answer.thoughtSignature } } }
              : {}),
          },
        ],
      }),
      ...pieces(text).map((piece) =>
        choice({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    ...(answer.reasoningDetails ?? []).map((reasoning_details) => choice({ reasoning_details })),
    choice({}, finishReason(answer)),
    ...(fields(stream_options).include_usage === true
      ? [{ data: { ...head, choices: [], usage: chatUsage(answer) } }]
      : []),
  ];
}

function finishReason({ finish, calls = [] }: ScriptedAnswer): string {
  if (finish !== undefined) return finish === 'length' ? 'length' : 'content_filter';
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function chatUsage({ usage = usualUsage }: ScriptedAnswer): unknown {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}

/** As providers make them up: different each time. */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;
}
