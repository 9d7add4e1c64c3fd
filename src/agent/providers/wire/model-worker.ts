/** Implements the methods of the model worker that the page calls. */

import type {
  AnswerPieces,
  AnswerQuestion,
  ModelWorker,
  ProviderAccess,
} from '../../../runtime/protocol/models.ts';
import { MessageReporter } from '../../../runtime/protocol/message-reporter.ts';
import { SentMessages } from '../../../runtime/protocol/sent-messages.ts';
import type { Adapter } from './adapter.ts';
import { loadAdapter } from './load-adapter.ts';
import { Answer, toSentError } from './buffered-answer.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { askModel } from './ask-model.ts';
import { KnownVariants } from './known-variants.ts';
import { KeptRecorders } from './kept-recorders.ts';
import { listModels } from './list-models.ts';
import { OpenModels } from './open-models.ts';
import { ReadTools } from './converted-tools.ts';
import type { ModelNetwork } from './model-network.ts';
import { convertForAllKinds } from './conversion-preview.ts';
import type { ModelMessage, ModelPart, ModelRequest } from '../../../runtime/spec/model.ts';

interface RunningRequest {
  readonly stop: AbortController;
  readonly answer: Answer;
  readonly recorder: ExchangeRecorder;
}

/** @returns the methods that the page calls; requests are sent through the network */
export function modelWorker(network: ModelNetwork): ModelWorker {
  const variants = new KnownVariants(() => Date.now());
  const models = new OpenModels();
  const tools = new ReadTools();
  const requests = new Map<number, RunningRequest>();
  const lists = new Map<number, AbortController>();
  const conversations = new SentMessages();
  const kept = new KeptRecorders();
  const earlierMessages = new Map<number, ModelMessage[]>();
  let reporter: MessageReporter | null = null;
  const recorderOf = (access: ProviderAccess): ExchangeRecorder =>
    new ExchangeRecorder(access, undefined, reporter);

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
    // A request may have been closed meanwhile.
    return (await requests.get(id)?.answer.next()) ?? { parts: [], end: { error: null } };
  }

  return {
    take: (id, messages) => {
      const before = earlierMessages.get(id);
      if (before === undefined) earlierMessages.set(id, [...messages]);
      else before.push(...messages);
    },
    ask: async (id, question) => {
      const stop = new AbortController();
      const { start } = question;
      const before = start === null ? [] : conversations.messagesOf(start);
      if (before === null) return null;
      const messages = [
        ...before,
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
      const recorder = recorderOf(question.access);
      const answer = new Answer(parts(stop.signal, adapter, question, request, recorder));
      requests.set(id, { stop, answer, recorder });
      // The worker answers only after the adapter has loaded, so that one that cannot load it
      // counts as dead.
      await adapter.catch(() => undefined);
      return next(id);
    },
    next,
    list: async (id, { access, limits }) => {
      const stop = new AbortController();
      lists.set(id, stop);
      try {
        return {
          models: await listModels(stop.signal, access, network, limits, recorderOf(access)),
        };
      } catch (thrown) {
        return { error: toSentError(thrown) };
      } finally {
        lists.delete(id);
      }
    },
    convertTool: convertForAllKinds,
    close: (id, { keep }) => {
      const running = requests.get(id);
      requests.delete(id);
      earlierMessages.delete(id);
      if (running?.answer.isOver !== true) {
        running?.stop.abort();
        // The page no longer knows the request either.
        conversations.remove(id);
      }
      if (keep && running !== undefined) kept.keep(id, running.recorder);
    },
    exchanges: (id) => kept.exchangesOf(id),
    cancelList: (id) => lists.get(id)?.abort(),
    report: (port) => {
      reporter = new MessageReporter(port);
    },
  };
}
