/** Anthropic's messages: streams answers and rejects invalid requests as Anthropic does. */

import { createHash } from 'node:crypto';
import { newId } from './openai-chat.ts';
import { fields, list, word, type Fields } from './read-body.ts';
import { anthropicSchemaFault } from './schemas.ts';
import {
  pieces,
  usualUsage,
  type ReceivedRequest,
  type Refusal,
  type ScriptedAnswer,
  type WireEvent,
  type WireFormat,
} from './script.ts';

export const anthropic: WireFormat = {
  refusal,
  events,
  errorEvent: ({ message, type = 'overloaded_error' }) => ({
    event: 'error',
    data: { type: 'error', error: { type, message } },
  }),
  errorBody: (status, { message, type }) => ({
    type: 'error',
    error: { type: type ?? types[status] ?? 'api_error', message },
    request_id: 'req_1',
  }),
  lineEnd: '\n',
  epilogue: '',
};

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/** Ids of calls that followed thinking end so; the thinking has to come back with them. */
const afterThinking = '_thought';

function refusal({ body, headers }: ReceivedRequest): Refusal | undefined {
  if (headers['anthropic-version'] === undefined)
    return badRequest('anthropic-version: header is required');
  const direct = headers['anthropic-dangerous-direct-browser-access'];
  if (headers.origin !== undefined && direct !== 'true')
    return {
      status: 401,
      error: {
        message:
          "CORS requests must set 'anthropic-dangerous-direct-browser-access' header, or use server-side requests.",
      },
    };
  const { tools, messages, max_tokens, thinking } = fields(body);
  if (typeof max_tokens !== 'number') return badRequest('max_tokens: Field required');
  for (const [index, tool] of list(tools).entries()) {
    const refused = toolRefusal(tool, index);
    if (refused !== undefined) return refused;
  }
  return messagesRefusal(list(messages), fields(thinking).type === 'enabled');
}

function toolRefusal(tool: Fields, index: number): Refusal | undefined {
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(word(tool.name)))
    return badRequest(
      `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
    );
  const schema = fields(tool.input_schema);
  if (schema.type !== 'object')
    return badRequest(`tools.${index}.custom.input_schema.type: Field required`);
  const fault = anthropicSchemaFault(schema);
  if (fault !== undefined) return badRequest(`tools.${index}.custom.input_schema: ${fault}`);
  for (const key of Object.keys(fields(schema.properties)))
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(key))
      return badRequest(
        `tools.${index}.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`,
      );
  return undefined;
}

/** @param thinks whether each answer that is being continued has to begin with thinking, as with a budget */
function messagesRefusal(messages: readonly Fields[], thinks: boolean): Refusal | undefined {
  if (messages.length === 0) return badRequest('messages: at least one message is required');
  let open: string[] = [];
  const all = messages.flatMap(({ content }) => blocksOf(content));
  const ids = all.filter(({ type }) => type === 'tool_use').map(({ id }) => word(id));
  const twice = ids.findIndex((id, at) => ids.indexOf(id) < at);
  if (twice !== -1) return badRequest('messages: `tool_use` ids must be unique');
  for (const [index, message] of [...messages, {} as Fields].entries()) {
    const blocks = blocksOf(message.content);
    const answered = answersFirst(blocks);
    const missing = open.filter((id) => !answered.includes(id));
    if (missing.length > 0)
      return badRequest(
        `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      );
    for (const [at, block] of blocks.entries()) {
      const isLast = index === messages.length - 2;
      const why = blockRefusal(block, blocks, open, message.role, thinks && isLast);
      if (why !== undefined) return badRequest(`messages.${index}.content.${at}: ${why}`);
    }
    open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => word(id));
  }
  return undefined;
}

function blockRefusal(
  block: Fields,
  blocks: readonly Fields[],
  open: readonly string[],
  role: unknown,
  // Thinking has to come back while its calls are being answered; later, and to other models, it need not.
  thinks: boolean,
): string | undefined {
  switch (block.type) {
    case 'text':
      return word(block.text).trim() === ''
        ? 'text content blocks must contain non-whitespace text'
        : undefined;
    case 'tool_result':
      return open.includes(word(block.tool_use_id))
        ? undefined
        : `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${word(block.tool_use_id)}.`;
    case 'thinking':
      return block.signature === signature(word(block.thinking))
        ? undefined
        : 'Invalid `signature` in `thinking` block';
    case 'tool_use':
      if (role !== 'assistant') return '`tool_use` blocks can only be in `assistant` messages';
      if (Array.isArray(block.input) || typeof block.input !== 'object')
        return 'tool_use.input: Input should be a valid dictionary';
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(word(block.name)))
        return "tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
      return thinks && word(block.id).endsWith(afterThinking) && blocks[0]?.type !== 'thinking'
        ? 'Expected `thinking` or `redacted_thinking`, but found `tool_use`.'
        : undefined;
    case 'image':
      return /^image\/(jpeg|png|gif|webp)$/.test(word(fields(block.source).media_type))
        ? undefined
        : "image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'";
    default:
      return `Input tag '${word(block.type)}' found using 'type' does not match any of the expected tags`;
  }
}

/** The calls that the message answers before it says anything else. */
function answersFirst(blocks: readonly Fields[]): string[] {
  const end = blocks.findIndex(({ type }) => type !== 'tool_result');
  return blocks.slice(0, end === -1 ? undefined : end).map((block) => word(block.tool_use_id));
}

function blocksOf(content: unknown): Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
}

function badRequest(message: string): Refusal {
  return { status: 400, error: { message, type: 'invalid_request_error' } };
}

function signature(thinking: string): string {
  return createHash('sha256').update(`thinking:${thinking}`).digest('base64');
}

function events(answer: ScriptedAnswer, { body }: ReceivedRequest): WireEvent[] {
  const { reasoning = '', text = '', calls = [], usage = usualUsage } = answer;
  const blocks = [
    ...(reasoning === ''
      ? []
      : [
          {
            start: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              ...pieces(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
              { type: 'signature_delta', signature: signature(reasoning) },
            ],
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
          },
        ]),
    ...calls.map((call) => ({
      start: {
        type: 'tool_use',
        id: `${newId('toolu')}${reasoning === '' ? '' : afterThinking}`,
        name: call.name,
        input: {},
      },
      deltas: ['', ...pieces(call.arguments)].map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      })),
    })),
  ];
  const { cacheWrites = 0 } = usage;
  const before = {
    input_tokens: usage.input - usage.cached - cacheWrites,
    cache_creation_input_tokens: cacheWrites,
    cache_read_input_tokens: usage.cached,
    output_tokens: 1,
  };
  const { model } = fields(body);
  return [
    named('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: before,
      },
    }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      named('content_block_start', { index, content_block: start }),
      ...(index === 0 ? [named('ping', {})] : []),
      ...deltas.map((delta) => named('content_block_delta', { index, delta })),
      named('content_block_stop', { index }),
    ]),
    named('message_delta', {
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    named('message_stop', {}),
  ];
}

function stopReason({ finish, calls = [] }: ScriptedAnswer): string {
  if (finish !== undefined) return finish === 'length' ? 'max_tokens' : 'refusal';
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

function named(type: string, data: object): WireEvent {
  return { event: type, data: { type, ...data } };
}
