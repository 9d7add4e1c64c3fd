/** Asks models in a worker, which is started with the first request. */

import { wrap, type Remote } from 'comlink';
import type { ModelAsker } from './providers.ts';
import {
  longestListMs,
  type AnswerPieces,
  type AnswerQuestion,
  type ListAnswer,
  type ModelLimits,
  type ModelWorker,
  type SentError,
} from '../../runtime/protocol/models.ts';
import { SentConversations } from '../../runtime/protocol/sent-conversations.ts';
import { createPacer } from '../../runtime/async/pace.ts';
import { wait } from '../../runtime/async/wait.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { ModelMessage, ModelRequest, ToolDefinition } from '../../runtime/spec/model.ts';

/**
 * Milliseconds. The worker applies the limits itself, and reports every few seconds that it is alive. If it exceeds a
 * limit by this time, it is considered dead, and all its answers end.
 */
const graceMs = 10_000;

/** Maximum number of messages that are sent together. */
const maxMessages = 200;

/** @param start starts the worker; an `error` event of the worker means that it has died */
export function modelAsker(
  start: () => Worker,
  limits: ModelLimits,
  pageOrigin: string,
): ModelAsker {
  let running: Running | null = null;
  let ids = 0;

  function connect(): Running {
    if (running === null || running.isOver) running = new Running(start());
    return running;
  }

  return {
    pageOrigin,
    async *ask(signal, access, ref, request, onExchanges) {
      signal.throwIfAborted();
      const worker = connect();
      const id = (ids += 1);
      let isOver = false;
      try {
        const { tools, ...others } = request;
        const ask = async (isWhole: boolean): Promise<AnswerPieces | null> => {
          const rest = await worker.send(signal, id, others, isWhole);
          const asked = { access, ref, ...rest, tools: textOf(tools), limits };
          const first = worker.models.ask(id, asked);
          return worker.reply(signal, first, limits.modelFirstMs + graceMs);
        };
        let pieces = (await ask(false)) ?? (await ask(true));
        if (pieces === null) throw gone();
        for (;;) {
          isOver = pieces.end !== null;
          // The exchanges come before the last part, after which nobody asks for more.
          if (pieces.end !== null) onExchanges?.(pieces.end.exchanges);
          yield* pieces.parts;
          if (pieces.end !== null) break;
          pieces = await worker.reply(signal, worker.models.next(id), limits.modelIdleMs + graceMs);
        }
        if (pieces.end.error !== null) throw errorOf(pieces.end.error);
      } finally {
        if (!isOver) {
          worker.forget(id);
          void worker.models.cancel(id).then(onExchanges, () => undefined);
        }
      }
    },
    async list(signal, access) {
      signal.throwIfAborted();
      const worker = connect();
      const id = (ids += 1);
      try {
        const list: Promise<ListAnswer> = worker.models.list(id, { access, limits });
        const listed = await worker.reply(signal, list, longestListMs + graceMs);
        if ('error' in listed) throw errorOf(listed.error);
        return listed.models;
      } finally {
        if (signal.aborted) void worker.models.cancel(id);
      }
    },
  };
}

export function startModelWorker(): Worker {
  return new Worker(new URL('../../../workers/models/asker.ts', import.meta.url), {
    type: 'module',
    name: 'models',
  });
}

/**
 * Sends a long conversation in parts, which would block the page if sent at once.
 *
 * @returns the request with the remaining messages
 */
async function sendAhead(
  signal: AbortSignal,
  request: Omit<ModelRequest, 'tools'>,
  send: (messages: readonly ModelMessage[]) => void,
): Promise<Omit<ModelRequest, 'tools'>> {
  const { messages } = request;
  const pacer = createPacer();
  let from = 0;
  for (; messages.length - from > maxMessages; from += maxMessages) {
    if (pacer.mustRest()) await pacer.rest();
    signal.throwIfAborted();
    send(messages.slice(from, from + maxMessages));
  }
  if (from > 0) await pacer.rest();
  signal.throwIfAborted();
  return { ...request, messages: messages.slice(from) };
}

/** A worker until its death. */
class Running {
  readonly models: Remote<ModelWorker>;
  readonly #worker: Worker;
  readonly #over = new AbortController();
  readonly #sent = new SentConversations();

  constructor(worker: Worker) {
    this.#worker = worker;
    this.models = wrap<ModelWorker>(worker);
    worker.addEventListener('error', () => this.#end());
  }

  /**
   * Prepares a request with only the messages that the worker does not have. If these are too many for one message,
   * sends the first ones ahead. The caller must send the request in the same task.
   *
   * @param isWhole sends all messages, because the worker did not know the start that it was sent for this request
   * @returns the request with the messages that are left to send
   */
  async send(
    signal: AbortSignal,
    id: number,
    request: Omit<ModelRequest, 'tools'>,
    isWhole: boolean,
  ): Promise<Pick<AnswerQuestion, 'request' | 'start'>> {
    const { messages } = request;
    const start = isWhole ? null : this.#sent.startOf(messages);
    const news = messages.slice(start?.count);
    if (news.length <= maxMessages) {
      this.#sent.add(id, messages, start);
      return { request: { ...request, messages: news }, start };
    }
    const rest = await sendAhead(signal, request, (some) => void this.models.take(id, some));
    this.#sent.add(id, messages, null);
    return { request: rest, start: null };
  }

  /** Forgets the messages of a request that is cancelled. */
  forget(id: number): void {
    this.#sent.remove(id);
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Waits for a reply. A worker that misses the deadline is terminated, and all other pending replies reject. */
  reply<T>(signal: AbortSignal, reply: Promise<T>, ms: number): Promise<T> {
    const timeout = setTimeout(() => this.#end(), ms);
    return wait(signal, reply, { lost: this.#over.signal }).finally(() => clearTimeout(timeout));
  }

  /** Terminates the worker; the next request starts another one. */
  #end(): void {
    this.#worker.terminate();
    this.#over.abort(gone());
  }
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

function gone(): ModelError {
  return new ModelError(
    'cut',
    'The part of this page that sends requests to models has failed or could not be loaded.',
    'Try again. If it keeps failing, reload the page.',
  );
}
