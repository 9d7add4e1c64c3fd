/** The messages of a session's requests, as the conventions for generative AI describe them. */

import type { Json } from '../../../runtime/spec/json.ts';
import type { AssistantPart, UserPart } from '../../../runtime/spec/model.ts';
import type { SessionEvent } from '../../../runtime/spec/session.ts';

/** Limit for the messages of one span, and for one result; characters. */
const maxMessageChars = 400_000;
export const maxResultChars = 100_000;
/**
 * Limit for all messages that an earlier request contained too; characters. A request contains the messages of those
 * before it, so that all of them would grow with the square of the session.
 */
const maxRepeatedChars = 64_000_000;

type StepEnded = Extract<SessionEvent, { type: 'step-ended' }>;

/** The messages of a session, and which of them each step had. */
export interface SentMessages {
  /** JSON of each message, in the order in which they were sent. */
  readonly texts: readonly string[];
  readonly steps: ReadonlyMap<string, SentStep>;
}

interface SentStep {
  /** The step's messages are those from the first index to before the second. */
  readonly from: number;
  readonly to: number;
  /** Index of the first message that no earlier step had. */
  readonly fresh: number;
  readonly ended: StepEnded;
}

export interface StepInput {
  /** JSON of the latest messages that fit; null if there are none. */
  readonly text: string | null;
  /** Number of earlier messages that did not fit. */
  readonly leftOut: number;
}

/** Collects the messages in steps of one event. */
export function* collectSentMessages(
  events: readonly SessionEvent[],
): Generator<undefined, SentMessages> {
  const texts: string[] = [];
  const steps = new Map<string, SentStep>();
  let from = 0;
  let fresh = 0;
  const add = (role: 'user' | 'assistant' | 'tool', parts: readonly Json[]): void => {
    texts.push(JSON.stringify({ role, parts }));
  };
  for (const event of events) {
    yield;
    if (event.type === 'message') add('user', event.parts.map(userPart));
    else if (event.type === 'step-ended') {
      if (!steps.has(event.stepId))
        steps.set(event.stepId, { from, to: texts.length, fresh, ended: event });
      fresh = texts.length;
      // The model does not see failed attempts.
      if (event.fault === undefined) add('assistant', event.parts.map(assistantPart));
    } else if (event.type === 'call-ended') {
      const response = event.result.textResultForLlm.slice(0, maxResultChars);
      // Earlier versions of the conventions call the response a result.
      add('tool', [{ type: 'tool_call_response', id: event.callId, response, result: response }]);
    } else if (event.type === 'compacted') {
      from = texts.length;
      fresh = from;
      add('user', [{ type: 'text', content: event.summary }]);
    }
  }
  return { texts, steps };
}

/** Chooses the messages of each step, which must be asked for in order. What is new in a step comes before repetitions. */
export class StepInputs {
  readonly #sent: SentMessages;
  #stepsLeft: number;
  #charsLeft = maxRepeatedChars;

  constructor(sent: SentMessages) {
    this.#sent = sent;
    this.#stepsLeft = sent.steps.size;
  }

  next({ from, to, fresh }: SentStep): StepInput {
    const { texts } = this.#sent;
    // Each step gets the same share, plus the part that earlier steps did not need.
    const share = this.#charsLeft / Math.max(1, this.#stepsLeft);
    let chars = 0;
    let repeated = 0;
    let first = to;
    for (; first > from; first -= 1) {
      const { length } = texts[first - 1] ?? '';
      const isFresh = first > fresh;
      // The latest message is sent if it is new, however long it is.
      const isNewest = isFresh && first === to;
      if (chars + length > maxMessageChars && !isNewest) break;
      if (!isFresh && repeated + length > share) break;
      chars += length;
      if (!isFresh) repeated += length;
    }
    this.#charsLeft -= repeated;
    this.#stepsLeft -= 1;
    const text = first === to ? null : `[${texts.slice(first, to).join(',')}]`;
    return { text, leftOut: first - from };
  }
}

/** JSON of the answer of a step. */
export function outputText({ parts, finish }: StepEnded): string {
  const finish_reason = finishReason(finish);
  return JSON.stringify([{ role: 'assistant', parts: parts.map(assistantPart), finish_reason }]);
}

export function finishReason(finish: string): string {
  const names: Readonly<Record<string, string>> = {
    calls: 'tool_call',
    filtered: 'content_filter',
    cut: 'error',
  };
  return names[finish] ?? finish;
}

function userPart(part: UserPart): Record<string, Json> {
  if (part.type === 'text') return { type: 'text', content: part.text };
  // The data is left out, because it would be repeated in every later span.
  const { mediaType } = part;
  return { type: 'text', content: `[${mediaType}, not exported]` };
}

function assistantPart(part: AssistantPart): Record<string, Json> {
  if (part.type === 'text') return { type: 'text', content: part.text };
  if (part.type === 'reasoning') return { type: 'reasoning', content: part.text };
  return { type: 'tool_call', id: part.id, name: part.wire, arguments: part.arguments };
}
