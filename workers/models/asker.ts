/**
 * The model worker: sends requests to providers of models. It is a separate worker for three reasons: serialising a long
 * conversation would block the page, the page's own policy allows no requests to other hosts, and API keys stay apart
 * from the worker that sends requests for tools.
 */

import { expose } from 'comlink';
import type { AnswerPieces, AnswerQuestion, ModelWorker } from '../../src/protocol/models.ts';
import { SentConversations } from '../../src/protocol/sent-conversations.ts';
import type { Adapter } from '../../src/providers/wire/adapter.ts';
import { loadAdapter } from '../../src/providers/wire/adapters.ts';
import { Answer, sentError } from '../../src/providers/wire/answer.ts';
import { secretsOf } from '../../src/providers/wire/access.ts';
import { ExchangeRecorder } from '../../src/providers/wire/exchange-recorder.ts';
import { askModel } from '../../src/providers/wire/ask-model.ts';
import { KnownVariants } from '../../src/providers/wire/known-variants.ts';
import { listModels } from '../../src/providers/wire/list-models.ts';
import { OpenModels } from '../../src/providers/wire/open-models.ts';
import { ReadTools } from '../../src/providers/wire/converted-tools.ts';
import { modelNetwork } from '../../src/providers/wire/model-network.ts';
import { toolFit } from '../../src/providers/wire/tool-fit.ts';
import type { ModelMessage, ModelPart, ModelRequest } from '../../src/spec/model.ts';

declare const self: DedicatedWorkerGlobalScope;

interface RunningRequest {
  readonly stop: AbortController;
  readonly answer: Answer;
  readonly recorder: ExchangeRecorder;
}

const network = modelNetwork(self);
// The SDKs are given a `fetch` for the provider of the request, and must not use any other.
self.fetch = () => Promise.reject(new TypeError('There is no fetch here.'));

const variants = new KnownVariants(() => Date.now());
const models = new OpenModels();
const tools = new ReadTools();
const requests = new Map<number, RunningRequest>();
const lists = new Map<number, AbortController>();
const conversations = new SentConversations();
const earlierMessages = new Map<number, ModelMessage[]>();

const worker: ModelWorker = {
  take: (id, messages) => {
    const before = earlierMessages.get(id);
    if (before === undefined) earlierMessages.set(id, [...messages]);
    else before.push(...messages);
  },
  ask: async (id, question) => {
    const stop = new AbortController();
    const { start } = question;
    const messages = [
      ...(start === null ? [] : conversations.messagesOf(start)),
      ...(earlierMessages.get(id) ?? []),
      ...question.request.messages,
    ];
    conversations.add(id, messages, start);
    const request = {
      ...question.request,
      messages,
      tools: tools.read(question.tools),
    };
    earlierMessages.delete(id);
    const adapter = loadAdapter(question.access.kind);
    const recorder = new ExchangeRecorder(secretsOf(question.access));
    const answer = new Answer(
      parts(stop.signal, adapter, question, request, recorder),
      () => recorder.exchanges,
    );
    requests.set(id, { stop, answer, recorder });
    // No answer before the adapter has loaded, so that a worker that cannot load it counts as dead.
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
  fit: toolFit,
  cancel: (id) => {
    const running = requests.get(id);
    running?.stop.abort();
    requests.delete(id);
    earlierMessages.delete(id);
    lists.get(id)?.abort();
    return running?.recorder.exchanges ?? [];
  },
};
expose(worker);

async function* parts(
  signal: AbortSignal,
  adapter: Promise<Adapter>,
  { access, ref, limits }: AnswerQuestion,
  request: ModelRequest,
  recorder: ExchangeRecorder,
): AsyncGenerator<ModelPart> {
  const opened = await adapter;
  const ask = askModel(opened, access, ref, network, limits, variants, recorder, models);
  yield* ask(signal, request);
}

async function next(id: number): Promise<AnswerPieces> {
  const pieces = await requests.get(id)?.answer.next();
  if (pieces?.end !== null) requests.delete(id);
  // The request was cancelled meanwhile.
  return pieces ?? { parts: [], end: { error: null, exchanges: [] } };
}
