/**
 * Asks models. A worker of its own: a long conversation takes longer to write out than the page may be held, the page's
 * policy lets the page itself reach nothing but its own files, and keys share no worker with what tools ask for.
 */

import { expose } from 'comlink';
import type { AnswerPieces, AnswerQuestion, ModelWorker } from '../../src/protocol/models.ts';
import type { Adapter } from '../../src/providers/wire/adapter.ts';
import { loadAdapter } from '../../src/providers/wire/adapters.ts';
import { Answer, sentError } from '../../src/providers/wire/answer.ts';
import { askModel } from '../../src/providers/wire/ask-model.ts';
import { KnownVariants } from '../../src/providers/wire/known-variants.ts';
import { listModels } from '../../src/providers/wire/list-models.ts';
import { modelNetwork } from '../../src/providers/wire/model-network.ts';
import type { ModelMessage, ModelPart } from '../../src/spec/model.ts';

declare const self: DedicatedWorkerGlobalScope;

interface Asked {
  readonly stop: AbortController;
  readonly answer: Answer;
}

const network = modelNetwork(self);
// The SDKs are handed a way to the provider that was asked, and are to have no other.
self.fetch = () => Promise.reject(new TypeError('There is no fetch here.'));

const ways = new KnownVariants(() => Date.now());
const asked = new Map<number, Asked>();
const lists = new Map<number, AbortController>();
const taken = new Map<number, ModelMessage[]>();

const worker: ModelWorker = {
  take: (id, messages) => {
    const before = taken.get(id);
    if (before === undefined) taken.set(id, [...messages]);
    else before.push(...messages);
  },
  ask: async (id, question) => {
    const stop = new AbortController();
    const request = { ...question.request };
    request.messages = [...(taken.get(id) ?? []), ...request.messages];
    taken.delete(id);
    const adapter = loadAdapter(question.access.kind);
    const answer = new Answer(parts(stop.signal, adapter, { ...question, request }));
    asked.set(id, { stop, answer });
    // No sign of life before: a worker whose own parts do not come is of no use.
    await adapter.catch(() => undefined);
    return next(id);
  },
  next,
  list: async (id, { access, limits }) => {
    const stop = new AbortController();
    lists.set(id, stop);
    try {
      return { models: await listModels(stop.signal, access, network, limits) };
    } catch (thrown) {
      return { error: sentError(thrown) };
    } finally {
      lists.delete(id);
    }
  },
  cancel: (id) => {
    asked.get(id)?.stop.abort();
    asked.delete(id);
    taken.delete(id);
    lists.get(id)?.abort();
  },
};
expose(worker);

async function* parts(
  signal: AbortSignal,
  adapter: Promise<Adapter>,
  { access, ref, request, limits }: AnswerQuestion,
): AsyncGenerator<ModelPart> {
  yield* askModel(await adapter, access, ref, network, limits, ways)(signal, request);
}

async function next(id: number): Promise<AnswerPieces> {
  const pieces = await asked.get(id)?.answer.next();
  if (pieces?.end !== null) asked.delete(id);
  // It was given up meanwhile, and nobody listens.
  return pieces ?? { parts: [], end: { error: null } };
}
