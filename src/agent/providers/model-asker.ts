/** Asks models in a worker, which is started with the first request. */

import { noTap, type MessageTap } from '../../runtime/protocol/message-tap.ts';
import { transfer } from 'comlink';
import {
  longestListMs,
  type AnswerPieces,
  type AnswerQuestion,
  type ListAnswer,
  type ModelLimits,
  type ModelWorker,
  type ProviderAccess,
  type SentError,
} from '../../runtime/protocol/models.ts';
import { SentMessages } from '../../runtime/protocol/sent-messages.ts';
import { createPacer } from '../../runtime/async/pace.ts';
import { WorkerClient, type RunningWorker } from '../../runtime/async/worker-client.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type {
  ListedModel,
  ModelMessage,
  ModelPart,
  ModelRef,
  ModelRequest,
  OnExchanges,
  ToolDefinition,
} from '../../runtime/spec/model.ts';

/**
 * Milliseconds. The worker applies the limits itself, and reports every few seconds that it is alive. If it exceeds a
 * limit by this time, it is considered dead, and all its answers end.
 */
const graceMs = 10_000;

const never = new AbortController().signal;

/** Maximum number of messages that are sent together. */
const maxMessages = 200;

export class ModelAsker {
  /** The page's origin, which providers must allow in CORS. */
  readonly pageOrigin: string;
  readonly #client: WorkerClient<ModelWorker>;
  readonly #limits: ModelLimits;
  readonly #tap: MessageTap;
  /** The messages that each worker has. */
  readonly #sent = new WeakMap<RunningWorker<ModelWorker>, SentMessages>();
  #lastId = 0;

  constructor(start: () => Worker, limits: ModelLimits, pageOrigin: string, tap = noTap) {
    this.#client = new WorkerClient<ModelWorker>({
      start,
      died: workerGoneError,
      late: workerGoneError,
    });
    this.#limits = limits;
    this.pageOrigin = pageOrigin;
    this.#tap = tap;
  }

  /** @throws {ModelError}; the signal's reason */
  async *ask(
    signal: AbortSignal,
    access: ProviderAccess,
    ref: ModelRef,
    request: ModelRequest,
    onExchanges?: OnExchanges,
  ): AsyncGenerator<ModelPart> {
    signal.throwIfAborted();
    const { worker, known } = this.#connect();
    const models = worker.remote;
    const limits = this.#limits;
    const id = (this.#lastId += 1);
    let isOver = false;
    try {
      const { tools, ...others } = request;
      const ask = async (how: { isWhole: boolean }): Promise<AnswerPieces | null> => {
        const rest = await sendAhead(signal, { id, known, request: others, ...how }, (some) => {
          void models.take(id, some);
        });
        const asked = { access, ref, ...rest, tools: textOf(tools), limits };
        const deadlineMs = limits.modelFirstMs + graceMs;
        return worker.ask<AnswerPieces | null>(signal, models.ask(id, asked), { deadlineMs });
      };
      // The worker answers null if it no longer has the messages that the request continues.
      let pieces = (await ask({ isWhole: false })) ?? (await ask({ isWhole: true }));
      if (pieces === null) throw workerGoneError();
      for (;;) {
        isOver = pieces.end !== null;
        yield* pieces.parts;
        if (pieces.end !== null) break;
        const deadlineMs = limits.modelIdleMs + graceMs;
        pieces = await worker.ask<AnswerPieces>(signal, models.next(id), { deadlineMs });
      }
      if (pieces.end.error !== null) throw errorOf(pieces.end.error);
    } finally {
      if (!isOver) known.remove(id);
      void models.close(id, { keep: onExchanges !== undefined });
      onExchanges?.(() => worker.ask(never, models.exchanges(id)));
    }
  }

  /** @throws {ModelError}; the signal's reason */
  async list(signal: AbortSignal, access: ProviderAccess): Promise<readonly ListedModel[]> {
    signal.throwIfAborted();
    const { worker } = this.#connect();
    const id = (this.#lastId += 1);
    try {
      const list: Promise<ListAnswer> = worker.remote.list(id, { access, limits: this.#limits });
      const listed = await worker.ask(signal, list, { deadlineMs: longestListMs + graceMs });
      if ('error' in listed) throw errorOf(listed.error);
      return listed.models;
    } finally {
      if (signal.aborted) void worker.remote.cancelList(id);
    }
  }

  #connect(): { worker: RunningWorker<ModelWorker>; known: SentMessages } {
    const worker = this.#client.connect();
    let known = this.#sent.get(worker);
    if (known === undefined) {
      known = new SentMessages();
      this.#sent.set(worker, known);
      const reports = this.#tap.reports('provider');
      if (reports !== null) void worker.remote.report(transfer(reports, [reports]));
    }
    return { worker, known };
  }
}

export function startModelWorker(tap: MessageTap): Worker {
  const worker = new Worker(new URL('../../../workers/models/asker.ts', import.meta.url), {
    type: 'module',
    name: 'models',
  });
  return tap.watch('models', worker);
}

interface Sending {
  readonly id: number;
  readonly known: SentMessages;
  readonly request: Omit<ModelRequest, 'tools'>;
  /** Sends all messages, because the worker did not know the start that it was sent for this request. */
  readonly isWhole: boolean;
}

/**
 * Prepares a request with only the messages that the worker does not have. If these are too many for one message, which
 * would block the page, sends the first ones ahead. The caller must send the request in the same task.
 *
 * @returns the request with the messages that are left to send
 */
async function sendAhead(
  signal: AbortSignal,
  { id, known, request, isWhole }: Sending,
  send: (messages: readonly ModelMessage[]) => void,
): Promise<Pick<AnswerQuestion, 'request' | 'start'>> {
  const { messages } = request;
  const start = isWhole ? null : known.startOf(messages);
  const news = messages.slice(start?.count);
  if (news.length <= maxMessages) {
    known.add(id, messages, start);
    return { request: { ...request, messages: news }, start };
  }
  const pacer = createPacer();
  let from = 0;
  for (; messages.length - from > maxMessages; from += maxMessages) {
    if (pacer.mustRest()) await pacer.rest();
    signal.throwIfAborted();
    send(messages.slice(from, from + maxMessages));
  }
  await pacer.rest();
  signal.throwIfAborted();
  known.add(id, messages, null);
  return { request: { ...request, messages: messages.slice(from) }, start: null };
}

/** The JSON of each tool, which is the same object in all requests of a session. */
const toolTexts = new WeakMap<ToolDefinition, JsonText>();

function textOf(tools: readonly ToolDefinition[]): JsonText {
  const texts = tools.map((tool) => {
    const text = toolTexts.get(tool) ?? JSON.stringify(tool);
    if (Object.isFrozen(tool)) toolTexts.set(tool, text);
    return text;
  });
  return `[${texts.join(',')}]`;
}

function errorOf({ fault, message, hint, retryAfterMs }: SentError): ModelError {
  return new ModelError(fault, message, hint, retryAfterMs);
}

function workerGoneError(): ModelError {
  return new ModelError(
    'cut',
    'The part of this page that sends requests to models has failed or could not be loaded.',
    'Try again. If it keeps failing, reload the page.',
  );
}
