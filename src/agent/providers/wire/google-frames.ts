/**
 * Reads the frames of Google's streamGenerateContent API, also from gateways that write it differently. Only members
 * that are read are passed on, since the SDK refuses an answer in which another one has an unexpected form.
 */

import { asObject, isObject, parseJson } from '../../../runtime/spec/guards.ts';
import { asList, asText } from '../../../runtime/spec/lenient.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import type { ModelPart, Usage } from '../../../runtime/spec/model.ts';
import { countIn } from './counts.ts';
import type { ExactNumbers } from './exact-numbers.ts';
import { hasError, responseIn, type AnswerFrames, type Frame } from './frames.ts';

/** Reasons for the end of an answer, as gateways to other APIs name them, with Google's names. */
const reasons: Readonly<Record<string, string>> = {
  END_TURN: 'STOP',
  TOOL_CALLS: 'STOP',
  LENGTH: 'MAX_TOKENS',
  CONTENT_FILTER: 'SAFETY',
};
const countNames = [
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'cachedContentTokenCount',
  'toolUsePromptTokenCount',
  'totalTokenCount',
] as const;
type Counts = Partial<Record<(typeof countNames)[number], number>>;

export class GoogleFrames implements AnswerFrames {
  readonly #exact: ExactNumbers;
  /** The counts of all frames. Some servers send them in several. */
  #counts: Counts = {};
  /** A call without arguments. They may follow in a part that does not repeat its name. */
  #held: JsonObject | null = null;
  hasAnswer = false;

  /** @param exact keeps the spelling of numbers in arguments, which Google sends as JSON values */
  constructor(exact: ExactNumbers) {
    this.#exact = exact;
  }

  read({ text, value }: Frame): readonly string[] | null {
    if (hasError(value)) {
      this.hasAnswer = true;
      return [text];
    }
    const marked = text.includes('"args"') ? asObject(parseJson(this.#exact.mark(text))) : value;
    const { candidates, promptFeedback, usageMetadata } = chunkIn(marked);
    const isAnswer =
      isObject(promptFeedback) || (Array.isArray(candidates) && candidates.some(isObject));
    this.hasAnswer ||= isAnswer;
    if (!isAnswer && !isObject(usageMetadata)) return null;
    this.#counts = { ...this.#counts, ...countsIn(asObject(usageMetadata)) };
    const chunk = {
      ...(Array.isArray(candidates)
        ? { candidates: firstCandidate(candidates).map((one) => this.#withJoinedCalls(one)) }
        : {}),
      ...(isObject(promptFeedback) ? { promptFeedback: feedbackIn(promptFeedback) } : {}),
      ...(isObject(usageMetadata) ? { usageMetadata: this.#counts } : {}),
    };
    return [JSON.stringify(chunk)];
  }

  end(): readonly string[] {
    const parts = this.#takeHeld();
    return parts.length === 0
      ? []
      : [JSON.stringify({ candidates: [{ content: { role: 'model', parts } }] })];
  }

  /** Joins calls with their arguments if these are in a separate part. */
  #withJoinedCalls(candidate: JsonObject): JsonObject {
    const { content, finishReason } = candidate;
    const parts: Json[] = [];
    for (const part of asList(asObject(content).parts)) {
      const call = asObject(asObject(part).functionCall);
      if (this.#held !== null && isObject(call.args) && asText(call.name) === '') {
        const { functionCall, ...rest } = this.#held;
        this.#held = null;
        parts.push({ ...rest, functionCall: { ...asObject(functionCall), args: call.args } });
        continue;
      }
      parts.push(...this.#takeHeld());
      if (mayGetArguments(call)) this.#held = asObject(part);
      else parts.push(part);
    }
    if (finishReason !== undefined) parts.push(...this.#takeHeld());
    return { ...candidate, content: { ...asObject(content), parts } };
  }

  #takeHeld(): JsonObject[] {
    const held = this.#held;
    this.#held = null;
    return held === null ? [] : [held];
  }

  /** Corrects the counts of the answer: the SDK reports 0 for those that are missing. */
  async *parts(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
    for await (const part of parts)
      yield part.type === 'ended' ? { ...part, usage: this.#correctUsage(part.usage) } : part;
  }

  /** The total is the sum of the prompt, the answer, its thoughts and the prompts of tools, so one missing count can be computed. */
  #correctUsage(usage: Usage): Usage {
    const {
      promptTokenCount: prompt,
      candidatesTokenCount: answer,
      thoughtsTokenCount: thoughts = 0,
      toolUsePromptTokenCount: inTools = 0,
      totalTokenCount: total,
    } = this.#counts;
    const remaining = (known: number | undefined): number | null =>
      total === undefined || known === undefined ? null : Math.max(0, total - known - inTools);
    const written = answer === undefined ? undefined : answer + thoughts;
    const input = prompt ?? remaining(written);
    const output = written ?? remaining(prompt);
    return {
      ...usage,
      input,
      output,
      cached: input === null ? null : usage.cached,
      reasoning: output === null ? null : usage.reasoning,
    };
  }
}

/** Returns whether a call has a name, but no arguments, and does not announce any. */
function mayGetArguments({ name, args, partialArgs, willContinue }: JsonObject): boolean {
  if (asText(name) === '' || partialArgs !== undefined || willContinue === true) return false;
  return args === undefined || (isObject(args) && Object.keys(args).length === 0);
}

/** Turns a complete answer, from a server that did not stream, into a stream. Null if the body is none. */
export function streamOfContent(body: string): string | null {
  const value = parseJson(body);
  const chunks = (Array.isArray(value) ? value : [value]).map((one) => chunkIn(asObject(one)));
  if (!chunks.some((one) => Array.isArray(one.candidates) || isObject(one.promptFeedback)))
    return null;
  // JSON strings contain no line ends.
  return `data: ${body.replace(/[\r\n]+/g, ' ')}\n\n`;
}

/** The chunk in a frame. Gateways of Google's own tools wrap it. */
function chunkIn(value: JsonObject): JsonObject {
  return camelCased(responseIn(value));
}

/** The candidate that is read, in a list. Nobody asks for several. */
function firstCandidate(candidates: readonly Json[]): JsonObject[] {
  const first = candidates.map(asObject).find(({ index }) => (countIn(index) ?? 0) === 0);
  if (first === undefined) return [];
  const { content, finishReason, continuationToken } = camelCased(first);
  const given = isObject(content) ? content.parts : content;
  const parts = Array.isArray(given) ? given : [given ?? null];
  const reason = typeof finishReason === 'string' ? finishReason.toUpperCase() : '';
  return [
    {
      content: { role: 'model', parts: parts.flatMap(usualPart) },
      ...(reason === '' ? {} : { finishReason: reasons[reason] ?? reason }),
      ...(typeof continuationToken === 'string' ? { continuationToken } : {}),
    },
  ];
}

/** A part in the form that the SDK reads; none for parts such as pictures and calls that Google itself carries out. */
function usualPart(given: Json): JsonObject[] {
  const part = camelCased(typeof given === 'string' ? { text: given } : asObject(given));
  const { thoughtSignature, thought, functionCall } = part;
  const signed = typeof thoughtSignature === 'string' ? { thoughtSignature } : {};
  const call = isObject(functionCall) ? usualCall(functionCall) : {};
  const text = textOf(part);
  // Some libraries write the members of all kinds of parts, and leave the others empty. Alone, an empty call ends one that was
  // sent in pieces.
  if (isObject(functionCall) && (Object.keys(call).length > 0 || text === undefined))
    return [{ functionCall: call, ...signed }];
  if (text === undefined && thoughtSignature === undefined) return [];
  return [{ text: text ?? '', ...(thought === true ? { thought } : {}), ...signed }];
}

function usualCall(call: JsonObject): JsonObject {
  const { id, name, args, partialArgs, willContinue } = camelCased(call);
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(args === undefined || args === null ? {} : { args }),
    ...(Array.isArray(partialArgs) ? { partialArgs } : {}),
    ...(typeof willContinue === 'boolean' ? { willContinue } : {}),
  };
}

/** The text of a part. Code that Google ran and its output are shown as text, since the answer refers to them. */
function textOf({ text, executableCode, codeExecutionResult }: JsonObject): string | undefined {
  const { language, code } = asObject(executableCode);
  const name = typeof language === 'string' && /^[a-z]+$/i.test(language) ? language : '';
  const ofServer =
    block(name.toLowerCase(), code) ?? block('', asObject(codeExecutionResult).output);
  if (ofServer !== undefined) return ofServer;
  return typeof text === 'string' || typeof text === 'number' ? String(text) : undefined;
}

function block(language: string, content: Json | undefined): string | undefined {
  if (typeof content !== 'string' || content === '') return undefined;
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n${fence}${language}\n${content.replace(/\n$/, '')}\n${fence}\n`;
}

function feedbackIn(feedback: JsonObject): JsonObject {
  const { blockReason } = camelCased(feedback);
  return typeof blockReason === 'string' ? { blockReason } : {};
}

function countsIn(given: JsonObject): Counts {
  const usage = camelCased(given);
  return Object.fromEntries(
    countNames.flatMap((name) => {
      const count = countIn(usage[name]);
      return count === undefined || count < 0 ? [] : [[name, count]];
    }),
  );
}

/** The object with its own members in camel case: libraries in Python write them in snake case. */
function camelCased(object: JsonObject): JsonObject {
  const names = Object.keys(object);
  if (!names.some((name) => name.includes('_'))) return object;
  const toCamelCase = (name: string): string =>
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [toCamelCase(name), value]),
  );
}
