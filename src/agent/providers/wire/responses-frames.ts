/**
 * Reads the frames of OpenAI's Responses API, also from servers that omit parts of it: those that announce no items,
 * change or omit ids, send an item only when it is done, or send everything with the last frame. The SDK gets each item
 * announced, under one id, and ended.
 */

import { asObject, isObject, parseJson } from '../../../runtime/spec/guards.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import { countIn } from './counts.ts';
import { ExactNumbers } from './exact-numbers.ts';
import { hasError, responseIn, type AnswerFrames, type Frame } from './frames.ts';
import { argumentsIn, firstText, ResponseItems } from './response-items.ts';

/** Reasons for incomplete answers, as other servers name them, with OpenAI's names. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'max_output_tokens'],
  ['length', 'max_output_tokens'],
  ['safety', 'content_filter'],
]);
const textPiece = /^response\.(?:output_text|refusal)\.(?:delta|done)$/;
/** Reasoning comes as a summary, or whole from open models. */
const reasoningPiece = /^response\.reasoning(?:_summary)?(?:_text)?\.(?:delta|done)$/;
const callPiece = /^response\.(?:function_call_arguments|custom_tool_call_input)\.(?:delta|done)$/;
const summaryPart = /^response\.reasoning_summary_part\.(?:added|done)$/;
const ended = /^response\.(?:completed|done|incomplete|failed|cancelled)$/;

export class ResponsesFrames implements AnswerFrames {
  readonly #exact = new ExactNumbers('arguments');
  readonly #items = new ResponseItems((text) => this.#exact.restore(text));
  #hasEnded = false;
  hasAnswer = false;

  read({ event, text, value }: Frame): readonly string[] | null {
    const type = typeof value.type === 'string' ? value.type : untypedEvent(event, value);
    // A chat-completions stream is passed on, so that the SDK reports the wrong address.
    const isOtherApi = Array.isArray(value.choices) && value.choices.some(isObject);
    // The error of a whole answer is reported when the answer ends.
    const isFailed = type === 'error' || (hasError(value) && type !== wholeAnswer);
    if (!isFailed && !isOtherApi && !type.startsWith('response.')) return null;
    this.hasAnswer = true;
    if (isOtherApi) return [text];
    if (isFailed && !ended.test(type)) return [JSON.stringify(errorFrame(value))];
    const hasValues = /"arguments"\s*:\s*\{/.test(text);
    const marked = hasValues ? asObject(parseJson(this.#exact.mark(text))) : value;
    return this.#read(type, marked).map((one) => (one === value ? text : JSON.stringify(one)));
  }

  /** Ends an answer of a server that only says that it is done. */
  end(isDone: boolean): readonly string[] {
    if (!isDone || this.#hasEnded || !this.hasAnswer) return [];
    return this.#end('response.completed', {}).map((one) => JSON.stringify(one));
  }

  #read(type: string, value: JsonObject): readonly JsonObject[] {
    if (ended.test(type)) return this.#end(type, responseIn(value));
    if (type === 'response.output_item.added') return this.#items.added(value);
    if (type === 'response.output_item.done') return this.#items.done(value);
    const isDone = type.endsWith('.done');
    if (textPiece.test(type)) {
      // A refusal is shown as the answer. The SDK would report it as filtered.
      const text = firstText(value.delta, value.text, value.refusal);
      return text === '' ? [] : this.#items.text(value, text, { isDone });
    }
    if (reasoningPiece.test(type)) {
      const isSummary = type.startsWith('response.reasoning_summary');
      const text = firstText(value.delta, value.text);
      return this.#items.reasoning(value, text, { isSummary, isDone });
    }
    if (callPiece.test(type)) {
      const pieces = [value.delta, value.arguments, value.input].map(argumentsIn);
      const piece = pieces.find((one) => one !== '') ?? '';
      return this.#items.arguments(value, piece, { isDone });
    }
    if (summaryPart.test(type)) return this.#items.summaryPart(value);
    if (type === 'response.content_part.done') return this.#items.contentPart(value);
    // All other events name states, sources, or what tools of the server do.
    return [];
  }

  /** Passes on the items that have not arrived before, ends those that are open, and ends the answer. */
  #end(type: string, response: JsonObject): readonly JsonObject[] {
    if (this.#hasEnded) return [];
    this.#hasEnded = true;
    const { output, status, incomplete_details: details, usage } = response;
    const reason = asObject(details).reason;
    const lowerCase = typeof reason === 'string' ? reason.toLowerCase() : null;
    const isFailed = [type.replace(/^response\./, ''), status].some(
      (one) => one === 'failed' || one === 'cancelled',
    );
    if (hasError(response) || (isFailed && lowerCase === null)) return [errorFrame(response, type)];
    const isCut = lowerCase !== null || type === 'response.incomplete' || status === 'incomplete';
    const known = lowerCase === null ? 'incomplete' : (reasons.get(lowerCase) ?? lowerCase);
    return [
      ...this.#items.rest(Array.isArray(output) ? output.map(asObject) : [], { isCut }),
      {
        type: 'response.completed',
        response: {
          usage: usageOf(asObject(usage)),
          incomplete_details: isCut ? { reason: known } : null,
        },
      },
    ];
  }
}

/** The name that a whole answer has in place of an event. */
const wholeAnswer = 'response.done';

/** Some servers name the event only in the line before the data, or send the whole answer in one frame. */
function untypedEvent(event: string, value: JsonObject): string {
  return isWhole(value) ? wholeAnswer : event;
}

/** Turns a complete answer, from a server that did not stream, into a stream. Null if the body is none. */
export function streamOfResponse(body: string): string | null {
  const value = parseJson(body);
  if (!isObject(value) || !isWhole(value)) return null;
  // JSON strings contain no line ends.
  return `data: ${body.replace(/[\r\n]+/g, ' ')}\n\n`;
}

function isWhole({ type, object, output }: JsonObject): boolean {
  return type === undefined && Array.isArray(output) && (object ?? 'response') === 'response';
}

/** The usage with the members that are read; null if a count is missing, which the SDK would report as 0. */
function usageOf(usage: JsonObject): JsonObject | null {
  const input = countIn(usage.input_tokens) ?? countIn(usage.prompt_tokens);
  const output = countIn(usage.output_tokens) ?? countIn(usage.completion_tokens);
  if (input === undefined || output === undefined) return null;
  const cached = countIn(asObject(usage.input_tokens_details).cached_tokens);
  const reasoning = countIn(asObject(usage.output_tokens_details).reasoning_tokens);
  return {
    input_tokens: input,
    output_tokens: output,
    ...(cached === undefined ? {} : { input_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === undefined ? {} : { output_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

/** An error in the form that the SDK accepts. @param type the event that reported it */
function errorFrame(value: JsonObject, type = 'error'): JsonObject {
  const given = value.error ?? null;
  const about: JsonObject = isObject(given)
    ? given
    : { ...value, message: given ?? value.message ?? null };
  const { message, code, type: kind } = about;
  const text = [message, value.message].find((one) => typeof one === 'string' && one !== '');
  const isNamed = typeof kind === 'string' && isObject(given);
  const error = {
    type: isNamed ? kind : 'error',
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    message: text ?? (isObject(given) ? JSON.stringify(given) : noReasonText(type, value)),
  };
  return { type: 'error', sequence_number: 0, error };
}

function noReasonText(type: string, { status }: JsonObject): string {
  const how = typeof status === 'string' ? status : type.replace(/^response\./, '');
  return `The response ended with the status “${how}”, without a reason.`;
}
