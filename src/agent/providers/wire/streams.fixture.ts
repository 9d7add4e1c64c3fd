/** Test helpers that read streams as a session stores them. */

import { AnswerParts } from '../../turn/answer-parts.ts';
import { savedNameTable } from '../../../runtime/registry/provider-names.ts';
import { defaultLimits } from '../../../runtime/spec/limits.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import type { AssistantPart, HttpKind, ModelPart, Usage } from '../../../runtime/spec/model.ts';
import { loadAdapter } from './load-adapter.ts';
import { askModel } from './ask-model.ts';
import { accessTo, asker, bareNetwork, hello, refOf } from './endpoint.fixture.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { KnownVariants } from './known-variants.ts';

/** The parts of an answer that a session stores, in short. */
export interface Read {
  readonly text: string;
  readonly reasoning: string;
  /** Names of tools, arguments, and the fault of the arguments. */
  readonly calls: readonly (readonly [string, string, string?])[];
  readonly usage?: Usage;
  readonly finish?: string;
  readonly fault?: string;
}

const names = savedNameTable([
  ['sess:echo', 'sess__echo'],
  ['sess:now', 'sess__now'],
]);

export async function read(parts: AsyncIterable<ModelPart>, kind: HttpKind): Promise<Read> {
  let n = 0;
  const answer = new AnswerParts({ model: refOf(kind), names, newId: () => `call-${(n += 1)}` });
  let ended: Pick<Read, 'usage' | 'finish' | 'fault'> = {};
  try {
    for await (const part of parts)
      if (part.type === 'ended') ended = { usage: part.usage, finish: part.finish };
      else answer.add(part);
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    ended = { fault: `${thrown.fault}: ${thrown.message}` };
  }
  return { ...summary(answer.complete), ...ended };
}

function summary(parts: readonly AssistantPart[]): Pick<Read, 'text' | 'reasoning' | 'calls'> {
  const texts = (type: string): string =>
    parts.map((part) => (part.type === type && part.type !== 'call' ? part.text : '')).join('');
  const calls = parts.flatMap((part): Read['calls'][number][] => {
    if (part.type !== 'call') return [];
    const { tool, wire, arguments: args, argumentFault } = part;
    return [
      argumentFault === undefined ? [tool || wire, args] : [tool || wire, args, argumentFault],
    ];
  });
  return { text: texts('text'), reasoning: texts('reasoning'), calls };
}

interface Endpoint {
  readonly url: string;
  answer(answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }): void;
}

/** Reads a stream that the endpoint serves. */
export async function served(endpoint: Endpoint, kind: HttpKind, body: string): Promise<Read> {
  endpoint.answer({ status: 200, headers: { 'content-type': 'text/event-stream' }, body });
  const ask = await asker(kind, endpoint.url);
  return read(ask(new AbortController().signal, hello), kind);
}

/** Reads a stream that arrives in these pieces. */
export async function inPieces(
  kind: HttpKind,
  pieces: readonly Uint8Array<ArrayBuffer>[],
  type = 'text/event-stream',
): Promise<Read & { readonly skipped: number }> {
  const recorder = new ExchangeRecorder({ key: '', headers: [] });
  const left = pieces.filter((one) => one.length > 0);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
  const network = {
    ...bareNetwork,
    send: () => Promise.resolve(new Response(body, { headers: { 'content-type': type } })),
  };
  const ask = askModel(
    ...([
      await loadAdapter(kind),
      accessTo(kind, 'http://m.example'),
      refOf(kind),
      network,
    ] as const),
    ...([defaultLimits, new KnownVariants(() => 0), recorder] as const),
  );
  const answer = await read(ask(new AbortController().signal, hello), kind);
  return { ...answer, skipped: recorder.exchanges[0]?.skipped ?? -1 };
}

const encoder = new TextEncoder();

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** A frame of a stream. */
export function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** A whole short answer of each kind of provider, in frames. */
export const answers: Readonly<Record<HttpKind, readonly string[]>> = {
  'openai-compatible': chatFrames(),
  'openai-chat': chatFrames(),
  'openai-responses': [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
    { type: 'response.output_text.delta', item_id: 'i', delta: 'Hello.' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'i' } },
    {
      type: 'response.completed',
      response: { usage: { input_tokens: 3, output_tokens: 2 } },
    },
  ].map(frame),
  anthropic: [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ].map(frame),
  google: [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] } }] },
    {
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    },
  ].map(frame),
};

function chatFrames(): string[] {
  const chunk = (delta: object, finish_reason: string | null): string =>
    frame({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    });
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  return [
    chunk({ role: 'assistant', content: 'Hello.' }, null),
    chunk({}, 'stop'),
    frame({ object: 'chat.completion.chunk', choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}
