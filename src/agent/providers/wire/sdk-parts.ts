/** Converts the stream of an SDK to our model parts. */

import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import type { Finish, ModelPart, Usage } from '../../../runtime/spec/model.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import { secretsOf, removeSecrets, type SecretAccess } from './access.ts';
import type { PreparedRequest } from './adapter.ts';

type Reading = Pick<PreparedRequest, 'restore' | 'reasoningData' | 'chargesCacheWrites'>;

/** Token counts above this are treated as wrong. */
const maxTokens = 1e12;
/** Characters of the reason for which an answer ended. */
const maxReasonChars = 100;

/** Reasons that name a failure, such as Gemini's `function_call_filter: MALFORMED_FUNCTION_CALL` and those of DeepSeek. */
const failure = /error|malformed|failed|(?:unexpected|too_many)_tool|insufficient_system_resource/i;

/** A text or reasoning part that is still streaming. */
interface OpenPart {
  /** Our own id: SDKs reuse ids when a text continues after a call. */
  readonly id: string;
  readonly data: JsonObject;
}

/**
 * Yields the parts of one answer.
 *
 * @param access what to remove from error messages
 * @throws {StreamFault} with the error that the provider sent in the stream
 * @throws {ModelError} `cut` if the stream ends early
 */
export async function* answerParts(
  stream: AsyncIterable<LanguageModelV3StreamPart>,
  reading: Reading,
  access: SecretAccess,
): AsyncGenerator<ModelPart> {
  const { restore = (_tool: string, text: string) => text, reasoningData } = reading;
  const open = new Map<string, OpenPart>();
  const wires = new Map<string, string>();
  let parts = 0;
  let called = false;
  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        open.set(keyOf(part), { id: `${parts}`, data: {} });
        parts += 1;
        noteData(open.get(keyOf(part)), part.providerMetadata);
        break;
      case 'text-delta':
      case 'reasoning-delta': {
        const streaming = open.get(keyOf(part));
        noteData(streaming, part.providerMetadata);
        const type = part.type === 'text-delta' ? 'text' : 'reasoning';
        if (streaming !== undefined && part.delta !== '')
          yield { type, id: streaming.id, delta: part.delta };
        break;
      }
      case 'text-end':
      case 'reasoning-end': {
        const streaming = open.get(keyOf(part));
        if (streaming === undefined) break;
        open.delete(keyOf(part));
        noteData(streaming, part.providerMetadata);
        if (part.type === 'reasoning-end') Object.assign(streaming.data, reasoningData?.());
        yield { type: 'part-ended', id: streaming.id, ...nonEmptyData(streaming.data) };
        break;
      }
      case 'tool-input-start':
        wires.set(part.id, part.toolName);
        yield { type: 'call-delta', id: part.id, wire: part.toolName, delta: '' };
        break;
      case 'tool-input-delta':
        if (part.delta !== '') {
          const wire = wires.get(part.id) ?? '';
          yield { type: 'call-delta', id: part.id, wire, delta: restore(wire, part.delta) };
        }
        break;
      case 'tool-call': {
        called = true;
        const data: JsonObject = {};
        noteData({ id: '', data }, part.providerMetadata);
        yield {
          type: 'call',
          id: part.toolCallId,
          wire: part.toolName,
          arguments: restore(part.toolName, part.input),
          ...nonEmptyData(data),
        };
        break;
      }
      case 'finish':
        yield {
          type: 'ended',
          finish: finishOf(part.finishReason, called, access),
          usage: usageOf(part.usage, reading.chargesCacheWrites === true),
        };
        return;
      case 'error':
        throw new StreamFault(part.error);
      default:
      // Sources, files and the like are never requested.
    }
  }
  throw cut();
}

/** An error that the provider sent in the stream, in any shape. */
export class StreamFault extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super('The stream reported an error.');
    this.error = error;
  }
}

export function cut(): ModelError {
  return new ModelError(
    'cut',
    'The answer was interrupted.',
    'Try again. If it keeps failing, check the provider’s status page.',
  );
}

function keyOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type.startsWith('text') ? 'text' : 'reasoning'} ${id}`;
}

function noteData(
  part: OpenPart | undefined,
  metadata: SharedV3ProviderMetadata | undefined,
): void {
  if (part === undefined || metadata === undefined) return;
  // Removes undefined values, which cannot be stored.
  const plain = JSON.parse(JSON.stringify(metadata)) as Record<string, JsonObject>;
  for (const [provider, data] of Object.entries(plain))
    part.data[provider] = { ...(part.data[provider] as JsonObject | undefined), ...data };
}

function nonEmptyData(data: JsonObject): { data?: JsonObject } {
  return Object.values(data).some((of) => Object.keys(of as JsonObject).length > 0) ? { data } : {};
}

function finishOf(
  { unified, raw }: LanguageModelV3FinishReason,
  called: boolean,
  access: SecretAccess,
): Finish {
  switch (unified) {
    case 'stop':
    case 'tool-calls':
      // Some providers report "stop" after calls.
      return called ? 'calls' : 'stop';
    case 'length':
      return 'length';
    case 'content-filter':
      return 'filtered';
    case 'error':
    case 'other':
      // There is no reason, since the stream ended early.
      if (raw === undefined) throw cut();
      if (unified === 'other' && !failure.test(raw)) return called ? 'calls' : 'other';
      throw new ModelError(
        'answer',
        `The model’s answer ended with the reason ${removeSecrets(raw, secretsOf(access)).slice(0, maxReasonChars)}.`,
        'Try again, or choose another model.',
      );
  }
}

function usageOf(
  { inputTokens, outputTokens }: LanguageModelV3Usage,
  chargesCacheWrites: boolean,
): Usage {
  const cacheWrites = chargesCacheWrites ? tokens(inputTokens.cacheWrite) : null;
  return {
    input: tokens(inputTokens.total),
    cached: tokens(inputTokens.cacheRead),
    output: tokens(outputTokens.total),
    reasoning: tokens(outputTokens.reasoning),
    ...(cacheWrites === null || cacheWrites === 0 ? {} : { cacheWrites }),
  };
}

/** Returns null for an impossible count; some servers count incorrectly. */
function tokens(count: number | undefined): number | null {
  return count !== undefined && count >= 0 && count <= maxTokens ? count : null;
}
