/**
 * Reads the frames of Anthropic's Messages API, also from servers that omit parts of it. Unknown events and blocks are
 * removed, as the API's documentation requires.
 */

import { asObject, isObject, parsedJson } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';
import { isSameJson, readArguments } from '../../../runtime/spec/read-arguments.ts';
import { countIn } from './counts.ts';
import { ExactNumbers } from './exact-numbers.ts';
import { hasError, type AnswerFrames, type Frame } from './frames.ts';

/** The type of each delta, by the member that has its text. */
const deltaTypes = {
  text: 'text_delta',
  thinking: 'thinking_delta',
  signature: 'signature_delta',
  partial_json: 'input_json_delta',
} as const;
type DeltaMember = keyof typeof deltaTypes;
const deltaMembers: readonly DeltaMember[] = ['text', 'thinking', 'signature', 'partial_json'];
/** For each type of block in answers, the member that has the text of its deltas; null if it has no deltas. */
const blocks: ReadonlyMap<string, DeltaMember | null> = new Map([
  ['text', 'text'],
  ['thinking', 'thinking'],
  ['redacted_thinking', null],
  ['tool_use', 'partial_json'],
]);
/** Reasons for the end of an answer, as gateways to other APIs name them, with Anthropic's names. */
const reasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};
/** The counts that are read. The SDK refuses answers in which another one has an unexpected form. */
const countNames = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
];

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
  /** Blocks in the first event, of servers that send no others. */
  #early: readonly Json[] = [];
  hasAnswer = false;

  read({ event, text, value }: Frame): readonly string[] | null {
    if (hasError(value) || (value.type ?? event) === 'error') {
      this.hasAnswer = true;
      return [errorText(value)];
    }
    if (this.#isUsual(value)) {
      this.#note(value);
      return [text];
    }
    // Some servers name the event only in the line before the data.
    const type = typeof value.type === 'string' ? value.type : event;
    const marked = text.includes('"input"') ? asObject(parsedJson(this.#exact.mark(text))) : value;
    const read = this.#read(type, marked);
    this.hasAnswer ||= read !== null;
    return read?.map((one) => JSON.stringify(one)) ?? null;
  }

  /** Ends the answer if the server gave the stop reason, but not the end. */
  end(): readonly string[] {
    const isCut = this.#hasStopped || this.#stopReason === null;
    return isCut ? [] : this.#endMessage().map((one) => JSON.stringify(one));
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
    const member = blocks.get(open.type) ?? null;
    if (member === null || !isObject(delta)) return false;
    return delta.type === deltaTypes[member] && typeof delta[member] === 'string';
  }

  /** Keeps the input of a call, which shows whether the server ends the call too early. */
  #note({ index, delta }: JsonObject): void {
    const open = typeof index === 'number' ? this.#open.get(index) : undefined;
    if (open?.type === 'tool_use') open.added += textOr(asObject(delta).partial_json, '');
  }

  #read(type: string, value: JsonObject): JsonObject[] | null {
    switch (type) {
      case 'message':
        return this.#readWhole(value);
      case 'message_start':
        return [this.#startMessage(asObject(value.message))];
      case 'content_block_start':
        return this.#startBlock(value);
      case 'content_block_delta':
        return this.#readDelta(value);
      case 'content_block_stop':
        return this.#endBlock(value);
      case 'message_delta':
        return this.#readMessageDelta(value);
      case 'message_stop':
        return this.#endMessage();
      default:
        return null;
    }
  }

  /** Reads a whole message, which some servers send in place of a stream. */
  #readWhole(message: JsonObject): JsonObject[] {
    const { stop_reason, usage } = message;
    const delta = stop_reason === undefined ? {} : { stop_reason };
    return [
      this.#startMessage(message),
      ...this.#readMessageDelta({ delta, usage: usage ?? null }),
      ...this.#endMessage(),
    ];
  }

  #startMessage(message: JsonObject): JsonObject {
    const { content } = message;
    if (Array.isArray(content)) this.#early = content;
    return { type: 'message_start', message: this.#messageOf(message) };
  }

  #messageOf(message: JsonObject): JsonObject {
    const { id, model, role } = message;
    const usage = asObject(message.usage);
    const input = countIn(usage.input_tokens);
    this.#counted.input ||= input !== undefined;
    const known = { id: textOr(id, ''), model: textOr(model, ''), role: textOr(role, 'assistant') };
    return { ...known, usage: { ...counts(usage), input_tokens: input ?? 0 } };
  }

  #startBlock({ index, content_block }: JsonObject): JsonObject[] | null {
    const block = asObject(content_block);
    const type = typeof block.type === 'string' ? block.type : '';
    const own = typeof index === 'number' ? index : this.#nextIndex;
    this.#nextIndex = Math.max(this.#nextIndex, own + 1);
    const before = this.#closeBlock(this.#open.get(own));
    this.#closed.delete(own);
    // Encrypted reasoning that is missing cannot be sent back.
    const isEmpty = type === 'redacted_thinking' && typeof block.data !== 'string';
    const isKnown = blocks.has(type) && !isEmpty;
    const initial = isKnown ? this.#initialOf(block, type) : '';
    const open = { index: own, type, initial, added: '', isRepeating: initial !== '' };
    this.#open.set(own, open);
    if (!isKnown) return before.length === 0 ? null : before;
    this.#hasCalled ||= type === 'tool_use';
    const start = { type: 'content_block_start', index: own, content_block: begun(block, type) };
    const member = blocks.get(type) ?? null;
    const text = initial === '' || member === null ? [] : [deltaOf(open, member, initial)];
    const { signature } = block;
    const signed =
      type === 'thinking' && typeof signature === 'string' && signature !== ''
        ? [deltaOf(open, 'signature', signature)]
        : [];
    return [...before, start, ...text, ...signed];
  }

  #initialOf(block: JsonObject, type: string): string {
    if (type !== 'tool_use') return textOr(block[type], '');
    const { input = '' } = block;
    if (typeof input === 'string') return input;
    return isEmptyInput(input) ? '' : this.#exact.restore(JSON.stringify(input));
  }

  #readDelta({ index, delta: given }: JsonObject): JsonObject[] | null {
    const delta = usualDelta(asObject(given), this.#exact);
    const member = deltaMembers.find((key) => typeof delta[key] === 'string');
    if (member === undefined) return null;
    if ((delta.type ?? deltaTypes[member]) !== deltaTypes[member]) return null;
    const open = this.#blockAt(index);
    if (open === undefined) {
      // Some servers do not announce their blocks.
      if (member !== 'text' && member !== 'thinking') return null;
      const begun = this.#startBlock({ index: index ?? null, content_block: { type: member } });
      return [...(begun ?? []), ...(this.#readDelta({ delta }) ?? [])];
    }
    if (!blocks.has(open.type)) return null;
    const piece = textOr(delta[member], '');
    const isOwn = member === blocks.get(open.type);
    if (isOwn && (open.isRepeating || open.type === 'tool_use')) open.added += piece;
    if (!isOwn || !open.isRepeating) return [deltaOf(open, member, piece)];
    // Arguments can be compared only when they are complete.
    if (open.type === 'tool_use' || open.initial.startsWith(open.added)) return [];
    open.isRepeating = false;
    return [deltaOf(open, member, open.added)];
  }

  /** The block with this index; the latest one if the index is missing, or is that of no block. */
  #blockAt(index: Json | undefined): OpenBlock | undefined {
    const own = typeof index === 'number' ? this.#open.get(index) : undefined;
    return own ?? [...this.#open.values()].at(-1);
  }

  #endBlock({ index }: JsonObject): JsonObject[] | null {
    // Some servers end a block twice. The second end must not close another one.
    if (this.#closed.has(index)) return null;
    const open = this.#blockAt(index);
    // Some gateways end a call before its input has arrived. The end of the answer closes such a call.
    if (open !== undefined && isUnfinished(open)) return [];
    const closed = this.#closeBlock(open);
    return closed.length === 0 ? null : closed;
  }

  #closeBlock(open: OpenBlock | undefined): JsonObject[] {
    if (open === undefined) return [];
    const { index, isRepeating, added } = open;
    this.#open.delete(index);
    this.#closed.add(index);
    const member = blocks.get(open.type);
    if (member === undefined) return [];
    const isMore = isRepeating && member !== null && !isRepetition(open);
    const text = isMore ? [deltaOf(open, member, added)] : [];
    return [...text, { type: 'content_block_stop', index }];
  }

  #closeAll(): JsonObject[] {
    const early = this.#nextIndex === 0 ? this.#early : [];
    const begun = early.flatMap((block) => this.#startBlock({ content_block: block }) ?? []);
    return [...begun, ...[...this.#open.values()].flatMap((open) => this.#closeBlock(open))];
  }

  #readMessageDelta({ delta, usage }: JsonObject): JsonObject[] {
    const { stop_reason } = asObject(delta);
    const given = asObject(usage);
    const output = countIn(given.output_tokens);
    this.#counted.output ||= output !== undefined;
    this.#counted.input ||= countIn(given.input_tokens) !== undefined;
    if (typeof stop_reason === 'string') this.#stopReason = usualReason(stop_reason);
    this.#output = output ?? this.#output;
    const read = { ...counts(given), output_tokens: this.#output };
    return [
      ...(this.#stopReason === null ? [] : this.#closeAll()),
      { type: 'message_delta', delta: { stop_reason: this.#stopReason }, usage: read },
    ];
  }

  #endMessage(): JsonObject[] {
    if (this.#hasStopped) return [];
    this.#hasStopped = true;
    const before = this.#closeAll();
    const reason = this.#hasCalled ? 'tool_use' : 'end_turn';
    const why =
      this.#stopReason === null ? this.#readMessageDelta({ delta: { stop_reason: reason } }) : [];
    return [...before, ...why, { type: 'message_stop' }];
  }
}

/** An error in the form that the SDK accepts. */
function errorText(value: JsonObject): string {
  const given = isObject(value.error) ? value.error : { ...value, type: 'error' };
  const text = [given.message, value.error, value.message].find((one) => typeof one === 'string');
  const type = typeof given.type === 'string' ? given.type : errorType(given.code);
  const message = text ?? JSON.stringify(given);
  return JSON.stringify({ type: 'error', error: { ...given, type, message } });
}

/** Gateways report a status or a code in place of the type. */
function errorType(code: Json | undefined): string {
  if (Number(code) === 429) return 'rate_limit_error';
  if (Number(code) >= 500) return 'overloaded_error';
  return typeof code === 'string' ? code : 'error';
}

/** Returns whether the input of a call is missing or incomplete. */
function isUnfinished({ type, initial, added }: OpenBlock): boolean {
  return type === 'tool_use' && initial === '' && parsedJson(added) === undefined;
}

/** Returns whether the deltas of a block add nothing to its beginning. */
function isRepetition({ type, initial, added }: OpenBlock): boolean {
  if (added === '' || added === initial) return true;
  if (type !== 'tool_use') return false;
  const one = readArguments(initial);
  const other = readArguments(added);
  return one !== null && other !== null && isSameJson(one.text, other.text);
}

function deltaOf({ index }: OpenBlock, member: DeltaMember, text: string): JsonObject {
  const delta = { type: deltaTypes[member], [member]: text };
  return { type: 'content_block_delta', index, delta };
}

/** A block without its text or input, which follows in deltas, and without members that are not read. */
function begun({ id, name, data }: JsonObject, type: string): JsonObject {
  if (type === 'tool_use')
    return { type, id: textOr(id, crypto.randomUUID()), name: name ?? null, input: {} };
  return type === 'redacted_thinking' ? { type, data: data ?? '' } : { type, [type]: '' };
}

/** Some servers write an empty object as an empty list. */
function isEmptyInput(input: Json): boolean {
  return typeof input === 'object' && (input === null || Object.keys(input).length === 0);
}

/** Returns a delta with its text in the usual member. Input that is no text becomes JSON, so that it is not lost. */
function usualDelta(delta: JsonObject, exact: ExactNumbers): JsonObject {
  const { type, text, thinking, partial_json: input = null } = delta;
  if (type === 'thinking_delta' && typeof text === 'string' && thinking === undefined)
    return { type, thinking: text };
  return typeof input === 'string' || isEmptyInput(input)
    ? delta
    : { ...delta, partial_json: exact.restore(JSON.stringify(input)) };
}

function usualReason(reason: string): string {
  const name = reason.toLowerCase();
  return Object.hasOwn(reasons, name) ? (reasons[name] ?? name) : name;
}

function counts(usage: JsonObject): JsonObject {
  return Object.fromEntries(
    countNames.flatMap((name): [string, Json][] => {
      const count = countIn(usage[name]);
      return count === undefined ? [] : [[name, count]];
    }),
  );
}

/** Turns a complete message, from a server that did not stream, into a stream. Null if the body is none. */
export function streamOfMessage(body: string): string | null {
  const value = parsedJson(body);
  if (!isObject(value) || value.type !== 'message' || !Array.isArray(value.content)) return null;
  // JSON strings contain no line ends.
  return `data: ${body.replace(/[\r\n]+/g, ' ')}\n\n`;
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
