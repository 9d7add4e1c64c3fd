/**
 * A session as OpenTelemetry traces in OTLP JSON, with the semantic conventions for generative AI (version 0.1.0, in
 * development; names as of November 2026): one trace per turn, with spans for the turn, its requests to models, and its
 * calls of tools.
 */

import { runPaced } from '../../../runtime/async/pace.ts';
import type { ToolResult } from '../../../runtime/spec/result.ts';
import type { SessionEvent, SessionHead } from '../../../runtime/spec/session.ts';
import {
  finishReason,
  maxResultChars,
  outputText,
  collectSentMessages,
  StepInputs,
  type SentMessages,
  type StepInput,
} from './otlp-messages.ts';
import { traceSteps, turnEnd, type CallSpan, type StepSpan, type TraceTurn } from './trace.ts';

export interface OtlpDeps {
  /** The kind of a provider, such as `openai-chat`; undefined if it is no longer known. */
  readonly kindOf: (provider: string) => string | undefined;
}

export interface OtlpFile {
  readonly file: Blob;
  /** Number of requests without some of their earlier messages, which were left out to limit the size of the file. */
  readonly shortened: number;
}

/** Characters of the file that are held as a string before they become a Blob, which browsers may store on disk. */
const maxTextChars = 4_000_000;

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

/** Writes an OTLP JSON file without blocking the page. */
export async function otlpFile(
  head: SessionHead,
  events: readonly SessionEvent[],
  deps: OtlpDeps,
): Promise<OtlpFile> {
  return runPaced(writeOtlp(head, events, deps));
}

/** Each step is one event or one span. */
function* writeOtlp(
  head: SessionHead,
  events: readonly SessionEvent[],
  deps: OtlpDeps,
): Generator<undefined, OtlpFile> {
  const turns = yield* traceSteps(events);
  const sent = yield* collectSentMessages(events);
  const inputs = new StepInputs(sent);
  const resource = JSON.stringify({ attributes: attributes({ 'service.name': 'cloche' }) });
  const parts: Blob[] = [];
  let text = `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"cloche"},"spans":[`;
  let comma = '';
  let shortened = 0;
  for (const turn of turns)
    for (const { span, isShortened } of turnSpans(head, turn, sent, inputs, deps)) {
      text += comma + JSON.stringify(span);
      comma = ',';
      if (isShortened) shortened += 1;
      if (text.length > maxTextChars) {
        parts.push(new Blob([text]));
        text = '';
      }
      yield;
    }
  const file = new Blob([...parts, `${text}]}]}]}`], { type: 'application/json' });
  return { file, shortened };
}

interface WrittenSpan {
  readonly span: OtlpSpan;
  /** Whether earlier messages of the request are left out. */
  readonly isShortened: boolean;
}

function* turnSpans(
  head: SessionHead,
  turn: TraceTurn,
  sent: SentMessages,
  inputs: StepInputs,
  deps: OtlpDeps,
): Generator<WrittenSpan> {
  const traceId = hexId(`${head.id} ${turn.id}`, 32);
  const spanId = (id: string): string => hexId(`${traceId} ${id}`, 16);
  const root: OtlpSpan = {
    traceId,
    spanId: spanId(turn.id),
    name: 'invoke_agent Cloche',
    kind: 1,
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
  yield { span: root, isShortened: false };
  for (const span of turn.spans) {
    const base = { traceId, spanId: spanId(span.id), parentSpanId: root.spanId } as const;
    if (span.kind === 'step') {
      const step = sent.steps.get(span.id);
      const input = step === undefined ? { text: null, leftOut: 0 } : inputs.next(step);
      const output = step === undefined ? null : outputText(step.ended);
      const isCompacted = step !== undefined && step.from > 0;
      const body = stepSpan(span, head, deps, { ...input, isCompacted }, output);
      yield { span: { ...base, ...body }, isShortened: input.leftOut > 0 };
    } else if (span.kind === 'call') {
      const parent = span.parent === null ? {} : { parentSpanId: spanId(span.parent) };
      yield { span: { ...base, ...parent, ...callSpan(span, head) }, isShortened: false };
    }
  }
}

type SpanBody = Omit<OtlpSpan, 'traceId' | 'spanId' | 'parentSpanId'>;

function stepSpan(
  step: StepSpan,
  head: SessionHead,
  { kindOf }: OtlpDeps,
  input: StepInput & { readonly isCompacted: boolean },
  output: string | null,
): SpanBody {
  const { model, usage, finish, fault } = step;
  return {
    name: `chat ${model.model}`,
    kind: 3,
    ...times(step.at, step.ms ?? 0),
    attributes: attributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerName(kindOf(model.provider)),
      'gen_ai.conversation.id': head.id,
      'gen_ai.conversation.compacted': input.isCompacted ? true : null,
      'gen_ai.request.model': model.model,
      'gen_ai.request.stream': true,
      'gen_ai.response.finish_reasons': finish === null ? null : [finishReason(finish)],
      'gen_ai.response.time_to_first_chunk':
        step.firstMs === null ? null : { double: step.firstMs / 1_000 },
      'gen_ai.usage.input_tokens': usage.input,
      'gen_ai.usage.output_tokens': usage.output,
      'gen_ai.usage.cache_read.input_tokens': usage.cached,
      'gen_ai.usage.cache_write.input_tokens': usage.cacheWrites ?? null,
      'gen_ai.usage.reasoning.output_tokens': usage.reasoning,
      'gen_ai.input.messages': input.text,
      'gen_ai.output.messages': output,
      'cloche.input_messages.left_out': input.leftOut === 0 ? null : input.leftOut,
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
    name: `execute_tool ${call.name}`,
    kind: 1,
    ...times(call.at, call.ms ?? 0),
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
      'cloche.tool.changes': changesOf(result),
    }),
    status: failed ? { code: 2 } : { code: 1 },
  };
}

/** The changes that the user and interceptors made to a call, as JSON; null if there are none. */
function changesOf(result: ToolResult | null): string | null {
  const changes = result?.changes ?? [];
  if (changes.length === 0) return null;
  return JSON.stringify(
    changes.map(({ by = 'user', what, before, after }) => ({ by, what, before, after })),
  );
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

/** `ValueError` of `ValueError: no`. */
function errorType(error: string): string {
  return error.split(':', 1)[0]?.slice(0, 100) ?? error;
}

function times(at: number, ms: number): Pick<OtlpSpan, 'startTimeUnixNano' | 'endTimeUnixNano'> {
  const nano = (time: number): string => `${String(Math.round(time))}000000`;
  return { startTimeUnixNano: nano(at), endTimeUnixNano: nano(at + Math.max(0, ms)) };
}

type Plain = string | number | boolean | null | readonly string[] | { readonly double: number };

/**
 * Converts attributes, without those that are null. Numbers are integers unless they are marked as
 * doubles, or have a fraction.
 */
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
