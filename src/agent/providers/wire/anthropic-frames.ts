/**
 * Reads the frames of Anthropic's Messages API, also from servers that omit parts of it. Unknown events and blocks are
 * removed, as the API's documentation requires.
 */

import { asObject, isObject, parsedJson } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';
import { isSameJson, readArguments } from '../../../runtime/spec/read-arguments.ts';
import { ExactNumbers } from './exact-numbers.ts';
import { hasError, type AnswerFrames, type Frame } from './frames.ts';

/** The types of blocks in answers, each with the member that has its text, the type of its deltas, and their member. */
const blocks: Readonly<Record<string, readonly [member: string, delta: string, added: string]>> = {
  text: ['text', 'text_delta', 'text'],
  thinking: ['thinking', 'thinking_delta', 'thinking'],
  redacted_thinking: ['', '', ''],
  tool_use: ['input', 'input_json_delta', 'partial_json'],
};
/** Types of deltas by the member that they add. */
const deltas: Readonly<Record<string, string>> = {
  text: 'text_delta',
  thinking: 'thinking_delta',
  signature: 'signature_delta',
  partial_json: 'input_json_delta',
};

/** A block that has begun and not yet ended. */
interface OpenBlock {
  readonly index: number;
  readonly type: string;
  /** Text at the beginning of the block. Some servers send it only there, others repeat it in deltas. */
  readonly initial: string;
  /** Text of all deltas. */
  added: string;
  /** Whether the deltas so far repeat the beginning, and are held back. */
  isRepeating: boolean;
}

export class AnthropicFrames implements AnswerFrames {
  readonly #exact = new ExactNumbers('input');
  /** Open blocks by index, the latest last. A server may write several at the same time. */
  readonly #open = new Map<number, OpenBlock>();
  readonly #closed = new Set<Json | undefined>();
  #nextIndex = 0;
  #hasCalled = false;
  /** Whether the server has said why the answer ended, and that it ended. */
  #stopReason: string | null = null;
  #hasStopped = false;
  readonly #counted = { input: false, output: false };
  #output = 0;
  hasAnswer = false;

  read({ event, text, value }: Frame): readonly string[] | null {
    if (hasError(value) || (value.type ?? event) === 'error') {
      this.hasAnswer = true;
      return [errorText(value)];
    }
    if (this.#isUsual(value)) return [text];
    // Some servers name the event only in the line before the data.
    const type = typeof value.type === 'string' ? value.type : event;
    const read = this.#read(type, text.includes('"input"') ? this.#marked(text) : value);
    this.hasAnswer ||= read !== null;
    return read?.map((one) => JSON.stringify(one)) ?? null;
  }

  /** Ends the answer if the server gave the stop reason, but not the end. */
  end(): readonly string[] {
    const isCut = this.#hasStopped || this.#stopReason === null;
    return isCut ? [] : this.#stopped().map((one) => JSON.stringify(one));
  }

  /** Removes counts that the server did not send. */
  async *parts(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
    for await (const part of parts) {
      if (part.type !== 'ended') yield part;
      else {
        const { usage } = part;
        const { input, output } = this.#counted;
        yield {
          ...part,
          usage: {
            ...usage,
            ...(input ? {} : { input: null, cached: null }),
            ...(output ? {} : { output: null }),
          },
        };
      }
    }
  }

  /** Whether a frame is an ordinary delta, like almost all frames, and is passed on unchanged. */
  #isUsual({ type, index, delta }: JsonObject): boolean {
    if (type !== 'content_block_delta' || typeof index !== 'number') return false;
    const open = this.#open.get(index);
    if (open === undefined || open.isRepeating) return false;
    const [, own, member = ''] = blocks[open.type] ?? [];
    return isObject(delta) && delta.type === own && typeof delta[member] === 'string';
  }

  #read(type: string, value: JsonObject): JsonObject[] | null {
    switch (type) {
      case 'message_start':
        return [{ ...value, type, message: this.#message(asObject(value.message)) }];
      case 'content_block_start':
        return this.#begin(value);
      case 'content_block_delta':
        return this.#delta(value);
      case 'content_block_stop':
        return this.#stop(value);
      case 'message_delta':
        return this.#messageDelta(value);
      case 'message_stop':
        return this.#stopped();
      default:
        return null;
    }
  }

  #message(message: JsonObject): JsonObject {
    const { id, model, role } = message;
    const usage = asObject(message.usage);
    const input = countIn(usage.input_tokens);
    this.#counted.input ||= input !== null;
    const known = { id: textOr(id, ''), model: textOr(model, ''), role: textOr(role, 'assistant') };
    return { ...known, usage: { ...counts(usage), input_tokens: input ?? 0 } };
  }

  #begin({ index, content_block }: JsonObject): JsonObject[] | null {
    const block = asObject(content_block);
    const type = typeof block.type === 'string' ? block.type : '';
    const own = typeof index === 'number' ? index : this.#nextIndex;
    this.#nextIndex = Math.max(this.#nextIndex, own + 1);
    const before = this.#close(this.#open.get(own));
    this.#closed.delete(own);
    const isKnown = Object.hasOwn(blocks, type);
    const initial = isKnown ? this.#initialOf(block, type) : '';
    const open = { index: own, type, initial, added: '', isRepeating: initial !== '' };
    this.#open.set(own, open);
    if (!isKnown) return before.length === 0 ? null : before;
    this.#hasCalled ||= type === 'tool_use';
    const [member = '', delta = '', added = ''] = blocks[type] ?? [];
    const empty = type === 'tool_use' ? { input: {} } : member === '' ? {} : { [member]: '' };
    const id = type === 'tool_use' ? { id: textOr(block.id, crypto.randomUUID()) } : {};
    const start = { type: 'content_block_start', index: own };
    const text = initial === '' ? [] : [deltaOf(open, delta, added, initial)];
    return [...before, { ...start, content_block: { ...block, ...id, ...empty } }, ...text];
  }

  #initialOf(block: JsonObject, type: string): string {
    const [member = ''] = blocks[type] ?? [];
    const value = block[member];
    if (typeof value === 'string') return value;
    if (!isObject(value) || Object.keys(value).length === 0) return '';
    return this.#exact.restore(JSON.stringify(value));
  }

  #delta({ index, delta: given }: JsonObject): JsonObject[] | null {
    const delta = asObject(given);
    const member = Object.keys(deltas).find((key) => typeof delta[key] === 'string');
    if (member === undefined) return null;
    if ((delta.type ?? deltas[member]) !== deltas[member]) return null;
    const open = this.#blockAt(index);
    if (open === undefined) {
      // Some servers do not announce their blocks.
      if (member !== 'text' && member !== 'thinking') return null;
      const begun = this.#begin({ index: index ?? null, content_block: { type: member } });
      return [...(begun ?? []), ...(this.#delta({ delta }) ?? [])];
    }
    if (!Object.hasOwn(blocks, open.type)) return null;
    const [, type = '', added] = blocks[open.type] ?? [];
    const piece = textOr(delta[member], '');
    if (member !== added) return [deltaOf(open, deltas[member] ?? '', member, piece)];
    if (!open.isRepeating) return [deltaOf(open, type, member, piece)];
    open.added += piece;
    // Arguments can be compared only when they are complete.
    if (open.type === 'tool_use' || open.initial.startsWith(open.added)) return [];
    open.isRepeating = false;
    return [deltaOf(open, type, member, open.added)];
  }

  /** The block with this index; the latest one if the index is missing, or is that of no block. */
  #blockAt(index: Json | undefined): OpenBlock | undefined {
    const own = typeof index === 'number' ? this.#open.get(index) : undefined;
    return own ?? [...this.#open.values()].at(-1);
  }

  #stop({ index }: JsonObject): JsonObject[] | null {
    // Some servers end a block twice. The second end must not close another one.
    if (this.#closed.has(index)) return null;
    const closed = this.#close(this.#blockAt(index));
    return closed.length === 0 ? null : closed;
  }

  #close(open: OpenBlock | undefined): JsonObject[] {
    if (open === undefined) return [];
    const { index, isRepeating, added } = open;
    this.#open.delete(index);
    this.#closed.add(index);
    if (!Object.hasOwn(blocks, open.type)) return [];
    const [, type = '', member = ''] = blocks[open.type] ?? [];
    const isMore = isRepeating && !isRepetition(open);
    const text = isMore ? [deltaOf(open, type, member, added)] : [];
    return [...text, { type: 'content_block_stop', index }];
  }

  #closeAll(): JsonObject[] {
    return [...this.#open.values()].flatMap((open) => this.#close(open));
  }

  #messageDelta({ delta, usage }: JsonObject): JsonObject[] {
    const { stop_reason, ...rest } = asObject(delta);
    const given = asObject(usage);
    const output = countIn(given.output_tokens);
    this.#counted.output ||= output !== null;
    this.#counted.input ||= countIn(given.input_tokens) !== null;
    if (typeof stop_reason === 'string') this.#stopReason = stop_reason;
    const stop = { stop_reason: this.#stopReason };
    this.#output = output ?? this.#output;
    const read = { ...counts(given), output_tokens: this.#output };
    return [
      ...(this.#stopReason === null ? [] : this.#closeAll()),
      { type: 'message_delta', delta: { ...rest, ...stop }, usage: read },
    ];
  }

  #stopped(): JsonObject[] {
    if (this.#hasStopped) return [];
    this.#hasStopped = true;
    const before = this.#closeAll();
    const reason = this.#hasCalled ? 'tool_use' : 'end_turn';
    const why =
      this.#stopReason === null ? this.#messageDelta({ delta: { stop_reason: reason } }) : [];
    return [...before, ...why, { type: 'message_stop' }];
  }

  #marked(text: JsonText): JsonObject {
    return asObject(parsedJson(this.#exact.mark(text)));
  }
}

/** An error in the form that the SDK accepts. */
function errorText(value: JsonObject): string {
  const given = isObject(value.error) ? value.error : { ...value, type: 'error' };
  const said = [given.message, value.error, value.message].find((one) => typeof one === 'string');
  const type = typeof given.type === 'string' ? given.type : errorType(given.code);
  const message = said ?? JSON.stringify(given);
  return JSON.stringify({ type: 'error', error: { ...given, type, message } });
}

/** Gateways report a status or a code in place of the type. */
function errorType(code: Json | undefined): string {
  if (Number(code) === 429) return 'rate_limit_error';
  if (Number(code) >= 500) return 'overloaded_error';
  return typeof code === 'string' ? code : 'error';
}

/** Returns whether the deltas of a block add nothing to its beginning. */
function isRepetition({ type, initial, added }: OpenBlock): boolean {
  if (added === '' || added === initial) return true;
  if (type !== 'tool_use') return false;
  const one = readArguments(initial);
  const other = readArguments(added);
  return one !== null && other !== null && isSameJson(one.text, other.text);
}

function deltaOf({ index }: OpenBlock, type: string, member: string, text: string): JsonObject {
  return { type: 'content_block_delta', index, delta: { type, [member]: text } };
}

/** The usage without members that are null or not numbers. Objects are kept. */
function counts(usage: JsonObject): JsonObject {
  const known = Object.entries(usage).map(([key, value]): [string, Json] => {
    const count = key.endsWith('_tokens') ? countIn(value) : value;
    return [key, count];
  });
  return Object.fromEntries(known.filter(([, value]) => value !== null));
}

function countIn(value: Json | undefined): number | null {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) ? count : null;
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
