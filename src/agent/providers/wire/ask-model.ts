/**
 * Asks a model over HTTP: one request, one stream. Sends adjusted requests after some refusals; other retries are left
 * to the turn.
 */

import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import type { ModelLimits, ProviderAccess } from '../../../runtime/protocol/models.ts';
import { inventName } from '../../../runtime/registry/provider-names.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import type {
  AskModel,
  ModelPart,
  ModelRef,
  ModelRequest,
  AssistantPart,
  ModelMessage,
  ToolAnswer,
} from '../../../runtime/spec/model.ts';
import { answerMask } from './answer-mask.ts';
import type { Adapter, AdapterRequest, PreparedRequest } from './adapter.ts';
import { answerParts, cut, StreamFault } from './sdk-parts.ts';
import { callsOnce } from './calls-once.ts';
import { convertTools } from './converted-tools.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';
import { ExactArguments } from './exact-arguments.ts';
import { Exchange } from './exchange.ts';
import { refusalOf, prepareMessage } from './fault-words.ts';
import { separateThinking } from './inline-thinking.ts';
import { mentionsThinking } from './thinking-tags.ts';
import type { KnownVariants } from './known-variants.ts';
import { readLeftCalls } from './left-calls.ts';
import { maskParts } from './masked-parts.ts';
import type { ModelNetwork } from './model-network.ts';
import { OpenModels } from './open-models.ts';
import { parseStreamError, parseRetryDelay } from './provider-error.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { nextVariant, requestBy } from './request-variant.ts';
import { toPrompt } from './to-prompt.ts';
import { wireProperties } from './wire-properties.ts';

export function askModel(
  adapter: Adapter,
  access: ProviderAccess,
  ref: ModelRef,
  network: ModelNetwork,
  limits: ModelLimits,
  ways: KnownVariants,
  recorder: ExchangeRecorder | null = null,
  models = new OpenModels(),
): AskModel {
  const mask = answerMask(access);
  return async function* (signal, request) {
    const place = { ...access, model: ref.model };
    const first = await ways.of(place, request);
    for (let variant = first; ;) {
      let hasBegun = false;
      try {
        for await (const part of attempt(signal, requestBy(variant, request), variant.adjusted)) {
          if (!hasBegun && variant !== first) await ways.keep(place, request, variant);
          hasBegun = true;
          yield part;
        }
        return;
      } catch (thrown) {
        // A request is only sent again if it was refused before its answer began.
        const other = hasBegun ? null : nextVariant(variant, thrown, adapter, request);
        if (other === null) throw thrown;
        variant = other;
      }
    }
  };

  async function* attempt(
    signal: AbortSignal,
    given: ModelRequest,
    changes: ReadonlySet<RequestAdjustment>,
  ): AsyncGenerator<ModelPart> {
    signal.throwIfAborted();
    const adjusted = new Set([...changes, ...(adapter.adjustmentsAt?.(access) ?? [])]);
    if (adapter.maxTools !== undefined && given.tools.length > adapter.maxTools)
      throw tooManyTools(access, given.tools.length, adapter.maxTools);
    const exchange = new Exchange(signal, access, ref.model, network, limits, recorder);
    try {
      const tools = convertTools(adapter, given.tools, adjusted);
      const { seed, ...rest } = given;
      const seeded = seed === undefined || adjusted.has('no-seed') ? rest : given;
      const request = await withLegalNames({ ...seeded, tools });
      const prepared = await preparedFor(adapter, { access, model: ref.model, request, adjusted });
      const exact = new ExactArguments();
      const { edit, frames, joinLines, asStream } = prepared;
      const editText = (body: string): string => exact.putIn(body);
      const fetch = exchange.fetch({ edit, frames, joinLines, asStream, editText }, 'stream');
      const prompt = toPrompt(request, ref, prepared.prompt ?? adapter.prompt, (tool, text) =>
        exact.mark(prepared.toWire?.(tool, text) ?? text),
      );
      const options = { ...callOptions(request, prepared), prompt, abortSignal: signal };
      const { stream } = await models.with(adapter, access, ref.model, fetch, (model) =>
        Promise.resolve(model.doStream(options)),
      );
      const parts = answerParts(iterate(stream), prepared, access);
      const ownParts = prepared.readParts?.(parts) ?? parts;
      const separate = separateThinking(ownParts, () => mentionsThinking(request));
      const read = callsOnce(
        adapter.mayLeaveCalls === true ? readLeftCalls(separate, request) : separate,
      );
      // @mutant a key that a provider repeats is masked in answers => mask === null ? read : maskParts(read, mask)
      //   -> read [src/agent/providers/wire/echoed-keys.test.ts]
      yield* mask === null ? read : maskParts(read, mask);
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      throw exchange.fault ?? toModelError(thrown, access, ref.model);
    } finally {
      exchange.close();
    }
  }
}

async function preparedFor(adapter: Adapter, asking: AdapterRequest): Promise<PreparedRequest> {
  const own = adapter.prepare(asking);
  return adapter.limitsProperties === true
    ? { ...own, ...(await wireProperties(asking.request.tools)) }
    : own;
}

function callOptions(
  { tools, maxOutput, seed }: ModelRequest,
  prepared: PreparedRequest,
): Omit<LanguageModelV3CallOptions, 'prompt'> {
  const { strict, providerOptions } = prepared;
  const reported = (prepared.tools ?? tools).map(
    ({ name, description, parameters, examples }): LanguageModelV3FunctionTool => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
      ...(examples === undefined ? {} : { inputExamples: examples.map((input) => ({ input })) }),
      ...(strict === undefined ? {} : { strict }),
    }),
  );
  return {
    ...(reported.length > 0 ? { tools: reported } : {}),
    ...(maxOutput === undefined ? {} : { maxOutputTokens: maxOutput }),
    ...(seed === undefined ? {} : { seed }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
}

/** Some browsers do not support async iteration of streams. */
async function* iterate(
  stream: ReadableStream<LanguageModelV3StreamPart>,
): AsyncGenerator<LanguageModelV3StreamPart> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield withSaidName(value);
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** Converts an error that an SDK threw or passed on in its stream. */
function toModelError(thrown: unknown, access: ProviderAccess, model: string): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const error = thrown instanceof StreamFault ? thrown.error : thrown;
  if (error instanceof ModelError) return error;
  if (error instanceof ToolError) return new ModelError('request', error.message, error.hint);
  const reported = parseStreamError(error);
  const name = error instanceof Error ? error.name : '';
  if (name.includes('InvalidResponseData') && reported.message.includes('finish reason'))
    return cut();
  // The SDK could not parse the response. If the response contains an error, that error is reported instead.
  if (
    /JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody/.test(name) &&
    !reported.inside
  )
    return new ModelError(
      'answer',
      `${access.name} sent an invalid answer.`,
      `Try again; check that the base URL ${access.baseUrl} belongs to this API.`,
    );
  if (/UnsupportedFunctionality|InvalidPrompt|InvalidArgument/.test(name))
    return new ModelError(
      'request',
      `${access.name} cannot receive this conversation: ${prepareMessage(reported.message, access)}`,
      'Choose another model, or fork the session at an earlier message.',
    );
  return refusalOf(access, model, reported, parseRetryDelay(reported.message));
}

function tooManyTools({ name }: ProviderAccess, count: number, max: number): ModelError {
  return new ModelError(
    'request',
    `${name} accepts at most ${max} tools in one request. This one has ${count}.`,
    'Start a new session with fewer tools, or choose a model of another provider.',
  );
}

/**
 * Restores tool names as the model wrote them. The SDKs look names up in plain objects, so that a name such as
 * `constructor` becomes an inherited member.
 */
function withSaidName(part: LanguageModelV3StreamPart): LanguageModelV3StreamPart {
  if (!('toolName' in part)) return part;
  const found: unknown = part.toolName;
  return typeof found === 'string' ? part : { ...part, toolName: nameOf(found) };
}

function nameOf(found: unknown): string {
  const names = Object.getOwnPropertyNames(Object.prototype);
  return names.find((name) => Reflect.get({}, name) === found) ?? '';
}

/**
 * Replaces tool names in earlier calls that providers would refuse. A model can invent any name, and the session
 * would then be refused for ever. Returns the request with valid names in calls and their answers.
 */
async function withLegalNames(request: ModelRequest): Promise<ModelRequest> {
  const names = new Map<string, string>();
  for (const wire of new Set(request.messages.flatMap(namesIn))) {
    const name = await inventName(wire);
    if (name !== wire) names.set(wire, name);
  }
  if (names.size === 0) return request;
  return { ...request, messages: request.messages.map((message) => renameCalls(message, names)) };
}

function namesIn(message: ModelMessage): string[] {
  if (message.role === 'user') return [];
  const named = message.role === 'tool' ? message.answers : message.parts;
  return named.flatMap((one) => ('wire' in one ? [one.wire] : []));
}

function renameCalls(message: ModelMessage, names: ReadonlyMap<string, string>): ModelMessage {
  if (message.role === 'assistant')
    return { ...message, parts: message.parts.map((part) => renamedCall(part, names)) };
  if (message.role === 'tool')
    return { ...message, answers: message.answers.map((answer) => renamedAnswer(answer, names)) };
  return message;
}

function renamedCall(part: AssistantPart, names: ReadonlyMap<string, string>): AssistantPart {
  const wire = part.type === 'call' ? names.get(part.wire) : undefined;
  if (part.type !== 'call' || wire === undefined) return part;
  // The opaque data is signed for the old name.
  const { opaque: _, ...rest } = part;
  return { ...rest, wire };
}

function renamedAnswer(answer: ToolAnswer, names: ReadonlyMap<string, string>): ToolAnswer {
  const wire = names.get(answer.wire);
  return wire === undefined ? answer : { ...answer, wire };
}
