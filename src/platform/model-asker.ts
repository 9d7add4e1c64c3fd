/** Has models asked in a worker, started when the first one is. */

import { wrap, type Remote } from 'comlink';
import type { ModelAsker } from '../agent/providers.ts';
import {
  longestListMs,
  type AnswerPieces,
  type ListAnswer,
  type ModelLimits,
  type ModelWorker,
  type SentError,
} from '../protocol/models.ts';
import { createPacer } from '../async/pace.ts';
import { wait } from '../async/wait.ts';
import { ModelError } from '../spec/model-error.ts';
import type { ModelMessage, ModelRequest } from '../spec/model.ts';

/**
 * The worker has limits of its own, and says within seconds that it lives: this much later than a limit it is dead, and
 * with it every answer that it was reading. Milliseconds.
 */
const graceMs = 10_000;

/** Messages of a conversation, sent together. */
const atOnce = 200;

/** @param start its `error` event means that it is no more */
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
    async *ask(signal, access, ref, request) {
      signal.throwIfAborted();
      const to = connect();
      const id = (ids += 1);
      let isOver = false;
      try {
        const rest = await sentAhead(signal, request, (some) => void to.models.take(id, some));
        const first = to.models.ask(id, { access, ref, request: rest, limits });
        let pieces: AnswerPieces = await to.reply(signal, first, limits.modelFirstMs + graceMs);
        for (;;) {
          isOver = pieces.end !== null;
          yield* pieces.parts;
          if (pieces.end !== null) break;
          pieces = await to.reply(signal, to.models.next(id), limits.modelIdleMs + graceMs);
        }
        if (pieces.end.error !== null) throw errorOf(pieces.end.error);
      } finally {
        if (!isOver) void to.models.cancel(id);
      }
    },
    async list(signal, access) {
      signal.throwIfAborted();
      const to = connect();
      const id = (ids += 1);
      try {
        const list: Promise<ListAnswer> = to.models.list(id, { access, limits });
        const listed = await to.reply(signal, list, longestListMs + graceMs);
        if ('error' in listed) throw errorOf(listed.error);
        return listed.models;
      } finally {
        if (signal.aborted) void to.models.cancel(id);
      }
    },
  };
}

export function startModelWorker(): Worker {
  return new Worker(new URL('../../workers/models/asker.ts', import.meta.url), {
    type: 'module',
    name: 'models',
  });
}

/** All but the last of a long conversation, which would hold the page if it were sent in one go. @returns the rest */
async function sentAhead(
  signal: AbortSignal,
  request: ModelRequest,
  send: (messages: readonly ModelMessage[]) => void,
): Promise<ModelRequest> {
  const { messages } = request;
  const pacer = createPacer();
  let from = 0;
  for (; messages.length - from > atOnce; from += atOnce) {
    if (pacer.mustRest()) await pacer.rest();
    signal.throwIfAborted();
    send(messages.slice(from, from + atOnce));
  }
  if (from > 0) await pacer.rest();
  signal.throwIfAborted();
  return { ...request, messages: messages.slice(from) };
}

/** A worker while it lives. */
class Running {
  readonly models: Remote<ModelWorker>;
  readonly #worker: Worker;
  readonly #over = new AbortController();

  constructor(worker: Worker) {
    this.#worker = worker;
    this.models = wrap<ModelWorker>(worker);
    worker.addEventListener('error', () => {
      this.#end();
    });
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Waits for a reply. A worker that misses the deadline is ended, and with it every other reply that is awaited. */
  reply<T>(signal: AbortSignal, reply: Promise<T>, ms: number): Promise<T> {
    const late = setTimeout(() => {
      this.#end();
    }, ms);
    return wait(signal, reply, { lost: this.#over.signal }).finally(() => {
      clearTimeout(late);
    });
  }

  /** The next question starts another one. */
  #end(): void {
    this.#worker.terminate();
    this.#over.abort(gone());
  }
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
