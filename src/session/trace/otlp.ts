/**
 * A session as OpenTelemetry traces in OTLP JSON, with the semantic conventions for generative AI (development status;
 * attribute names as of November 2026): one trace per turn, with spans for the turn, its requests to models, and its
 * calls of tools.
 */

import { exactText } from '../../spec/exact-json.ts';
import type { Json } from '../../spec/json.ts';
import type { AssistantPart, UserPart } from '../../spec/model.ts';
import type { SessionEvent, SessionHead } from '../../spec/session.ts';
import { sessionTrace, turnEnd, type CallSpan, type StepSpan, type TraceTurn } from './trace.ts';

export interface OtlpDeps {
  /** The kind of a provider, such as `openai-chat`; undefined if it is no longer known. */
  readonly kindOf: (provider: string) => string | undefined;
}

/** Limit for the messages of one span, and for one result; characters. */
const maxMessageChars = 400_000;
const maxResultChars = 100_000;

/** A message as the conventions describe it. */
interface Message {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly Record<string, Json>[];
  readonly finish_reason?: string;
}

type Value =
  | { stringValue: string }
  | { intValue: string }
  | { doubleValue: number }
  | {
      boolValue: boolean;
    }
  | { arrayValue: { values: readonly { stringValue: string }[] } };

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal, 3: client. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  /** 1: ok, 2: error. */
  readonly status: { readonly code: 1 | 2; readonly message?: string };
}

/** Returns the content of an OTLP JSON file. */
export function otlpFile(
  head: SessionHead,
  events: readonly SessionEvent[],
  deps: OtlpDeps,
): string {
  const turns = sessionTrace(events);
  const messages = messagesBefore(events);
  const spans = turns.flatMap((turn) => turnSpans(head, turn, messages, deps));
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributes({ 'service.name': 'cloche' }) },
        scopeSpans: [{ scope: { name: 'cloche' }, spans }],
      },
    ],
  });
}

function turnSpans(
  head: SessionHead,
  turn: TraceTurn,
  messages: ReadonlyMap<string, { readonly input: readonly Message[]; readonly output: Message }>,
  deps: OtlpDeps,
): readonly OtlpSpan[] {
  const traceId = hexId(`${head.id} ${turn.id}`, 32);
  const spanId = (id: string): string => hexId(`${traceId} ${id}`, 16);
  const root: OtlpSpan = {
    ...{ traceId, spanId: spanId(turn.id), name: 'invoke_agent Cloche', kind: 1 },
    ...times(turn.at, turnEnd(turn) - turn.at),
    attributes: attributes({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Cloche',
      'gen_ai.conversation.id': head.id,
      'gen_ai.usage.input_tokens': turn.usage.input,
      'gen_ai.usage.output_tokens': turn.usage.output,
      'cloche.cost_usd': turn.cost,
      'cloche.turn.end': turn.end,
    }),
    status: { code: turn.end === 'failed' ? 2 : 1 },
  };
  const inner = turn.spans.flatMap((span): readonly OtlpSpan[] => {
    const base = { traceId, spanId: spanId(span.id), parentSpanId: root.spanId } as const;
    if (span.kind === 'step') {
      const { input, output } = messages.get(span.id) ?? { input: [], output: null };
      return [{ ...base, ...stepSpan(span, head, deps, input, output) }];
    }
    return span.kind === 'call' ? [{ ...base, ...callSpan(span, head) }] : [];
  });
  return [root, ...inner];
}

type SpanBody = Omit<OtlpSpan, 'traceId' | 'spanId' | 'parentSpanId'>;

function stepSpan(
  step: StepSpan,
  head: SessionHead,
  { kindOf }: OtlpDeps,
  input: readonly Message[],
  output: Message | null,
): SpanBody {
  const { model, usage, finish, fault } = step;
  return {
    ...{ name: `chat ${model.model}`, kind: 3, ...times(step.at, step.ms ?? 0) },
    attributes: attributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerName(kindOf(model.provider)),
      'gen_ai.conversation.id': head.id,
      'gen_ai.request.model': model.model,
      'gen_ai.request.stream': true,
      'gen_ai.response.finish_reasons': finish === null ? null : [finishReason(finish)],
      'gen_ai.response.time_to_first_chunk': step.firstMs === null ? null : seconds(step.firstMs),
      'gen_ai.usage.input_tokens': usage.input,
      'gen_ai.usage.output_tokens': usage.output,
      'gen_ai.usage.cache_read.input_tokens': usage.cached,
      'gen_ai.usage.reasoning.output_tokens': usage.reasoning,
      'gen_ai.input.messages': input.length === 0 ? null : messagesText(input),
      'gen_ai.output.messages': output === null ? null : messagesText([output]),
      'error.type': fault?.fault ?? null,
      'cloche.cost_usd': step.cost,
      'cloche.usage.estimated': step.estimated ? true : null,
    }),
    status: fault === null ? { code: 1 } : { code: 2, message: fault.message.slice(0, 1_000) },
  };
}

function callSpan(call: CallSpan, head: SessionHead): SpanBody {
  const { result } = call;
  const failed = result?.isError === true;
  return {
    ...{ name: `execute_tool ${call.name}`, kind: 1, ...times(call.at, call.ms ?? 0) },
    attributes: attributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.conversation.id': head.id,
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.call.arguments': call.arguments.slice(0, maxResultChars),
      'gen_ai.tool.call.result': result?.textResultForLlm.slice(0, maxResultChars) ?? null,
      'error.type': failed ? errorType(result.error ?? 'error') : null,
      'cloche.tool.waited_ms': call.waitedMs,
      'cloche.tool.approval_asked': call.asked ? true : null,
    }),
    status: failed ? { code: 2 } : { code: 1 },
  };
}

/** Returns for each step the messages before it, and its answer. */
function messagesBefore(
  events: readonly SessionEvent[],
): ReadonlyMap<string, { readonly input: readonly Message[]; readonly output: Message }> {
  const found = new Map<string, { readonly input: readonly Message[]; readonly output: Message }>();
  let sent: Message[] = [];
  for (const event of events) {
    if (event.type === 'message') sent.push({ role: 'user', parts: event.parts.map(userPart) });
    else if (event.type === 'step-ended') {
      const output: Message = {
        role: 'assistant',
        parts: event.parts.map(assistantPart),
        finish_reason: finishReason(event.finish),
      };
      found.set(event.stepId, { input: [...sent], output });
      // The model does not see its failed attempts.
      if (event.fault === undefined) sent.push({ role: 'assistant', parts: output.parts });
    } else if (event.type === 'call-ended') {
      const response = event.result.textResultForLlm.slice(0, maxResultChars);
      sent.push({
        role: 'tool',
        // Earlier versions of the conventions call the response a result.
        parts: [{ type: 'tool_call_response', id: event.callId, response, result: response }],
      });
    } else if (event.type === 'compacted')
      sent = [{ role: 'user', parts: [{ type: 'text', content: event.summary }] }];
  }
  return found;
}

function userPart(part: UserPart): Record<string, Json> {
  if (part.type === 'text') return { type: 'text', content: part.text };
  // Without the data, which would be repeated in every later span.
  const { mediaType } = part;
  return { type: 'text', content: `[${mediaType}, not exported]` };
}

function assistantPart(part: AssistantPart): Record<string, Json> {
  if (part.type === 'text') return { type: 'text', content: part.text };
  if (part.type === 'reasoning') return { type: 'reasoning', content: part.text };
  return { type: 'tool_call', id: part.id, name: part.wire, arguments: part.arguments };
}

/** JSON of the latest messages that fit. */
function messagesText(messages: readonly Message[]): string {
  const texts: string[] = [];
  let chars = 0;
  for (const message of [...messages].reverse()) {
    const text = exactText(message as unknown as Json);
    chars += text.length;
    if (chars > maxMessageChars && texts.length > 0) break;
    texts.unshift(text);
  }
  return `[${texts.join(',')}]`;
}

/** The names that the conventions give to providers; others are named after what they speak. */
function providerName(kind: string | undefined): string {
  switch (kind) {
    case 'anthropic':
      return 'anthropic';
    case 'google':
      return 'gcp.gemini';
    case 'openai-chat':
    case 'openai-responses':
      return 'openai';
    default:
      return kind ?? 'unknown';
  }
}

function finishReason(finish: string): string {
  const names: Readonly<Record<string, string>> = {
    ...{ calls: 'tool_call', filtered: 'content_filter', cut: 'error' },
  };
  return names[finish] ?? finish;
}

/** `ValueError` of `ValueError: no`. */
function errorType(error: string): string {
  return error.split(':', 1)[0]?.slice(0, 100) ?? error;
}

function seconds(ms: number): { readonly double: number } {
  return { double: ms / 1_000 };
}

function times(at: number, ms: number): Pick<OtlpSpan, 'startTimeUnixNano' | 'endTimeUnixNano'> {
  const nano = (time: number): string => `${String(Math.round(time))}000000`;
  return { startTimeUnixNano: nano(at), endTimeUnixNano: nano(at + Math.max(0, ms)) };
}

type Plain = string | number | boolean | null | readonly string[] | { readonly double: number };

/** Leaves out what is null. Numbers are integers unless they are marked as doubles, or have a fraction. */
function attributes(values: Readonly<Record<string, Plain>>): readonly Attribute[] {
  return Object.entries(values).flatMap(([key, value]): readonly Attribute[] => {
    if (value === null) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value.toWellFormed() } }];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    if (typeof value === 'number')
      return [
        {
          key,
          value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value },
        },
      ];
    if ('double' in value) return [{ key, value: { doubleValue: value.double } }];
    return [
      { key, value: { arrayValue: { values: value.map((text) => ({ stringValue: text })) } } },
    ];
  });
}

/** Derives an id of hexadecimal digits from a text: the same text always gives the same id. */
function hexId(text: string, digits: number): string {
  let id = '';
  for (let round = 0; id.length < digits; round += 1) {
    // FNV-1a with 64 bits.
    let hash = 0xcbf29ce484222325n ^ BigInt(round);
    for (let at = 0; at < text.length; at += 1)
      hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
    id += hash.toString(16).padStart(16, '0');
  }
  const cut = id.slice(0, digits);
  // An id of zeros is invalid.
  return /^0+$/.test(cut) ? `${cut.slice(1)}1` : cut;
}
