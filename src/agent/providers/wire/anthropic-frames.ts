/**
 * Reads the frames of Anthropic's Messages API, also from servers that omit parts of it. Unknown events and blocks are
 * removed, as the API's documentation requires.
 */

import { asObject, isObject, parseJson } from '../../../runtime/spec/guards.ts';
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
  /** The text that came with the beginning of the block. Some servers send it only there, others repeat it in deltas. */
  readonly initial: string;
  /** The text of the deltas of a call, and of other blocks while they repeat the initial text. */
  fromDeltas: string;
  /** Whether the deltas so far are the beginning of the initial text, and are held back. */
  isRepeating: boolean;
}

export class AnthropicFrames implements AnswerFrames {
  readonly #exact = new ExactNumbers('input');
  /** Open blocks by index, the latest last. A server may write several at the same time. */
  readonly #open = new Map<number, OpenBlock>();
  readonly #closed = new Set<Json | undefined>();
  #nextIndex = 0;
  /** Whether the answer has a call. */
  #hasCalled = false;
  /** Whether the server has said why the answer ended, and that it ended. */
  #stopReason: string | null = null;
  #hasStopped = false;
  /** Which counts of tokens the server has sent. */
  readonly #hasCount = { input: false, output: false };
  /** The latest count of output tokens. */
  #outputTokens = 0;
  /** Blocks in the first event, of servers that send no others. */
  #early: readonly Json[] = [];
  hasAnswer = false;

  read({ event, text, value }: Frame): readonly string[] | null {
    if (hasError(value) || (value.type ?? event) === 'error') {
      this.hasAnswer = true;
      return [errorText(value)];
    }
    if (this.#isUsual(value)) {
      this.#keepInput(value);
      return [text];
    }
    // Some servers name the event only in the line before the data.
    const type = typeof value.type === 'string' ? value.type : event;
    const marked = text.includes('"input"') ? asObject(parseJson(this.#exact.mark(text))) : value;
    const frames = this.#read(type, marked);
    this.hasAnswer ||= frames !== null;
    return frames?.map((frame) => JSON.stringify(frame)) ?? null;
  }

  /** Ends the answer if the server gave the stop reason, but not the end. */
  end(): readonly string[] {
    const isCut = this.#hasStopped || this.#stopReason === null;
    return isCut ? [] : this.#endMessage().map((frame) => JSON.stringify(frame));
  }

  /** Removes counts that the server did not send. */
  async *parts(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
    for await (const part of parts) {
      if (part.type !== 'ended') {
        yield part;
        continue;
      }
      const input = this.#hasCount.input ? {} : { input: null, cached: null };
      const output = this.#hasCount.output ? {} : { output: null };
      yield { ...part, usage: { ...part.usage, ...input, ...output } };
    }
  }

  /** Whether a frame is an ordinary delta, like almost all frames, and is passed on unchanged. */
  #isUsual({ type, index, delta }: JsonObject): boolean {
    if (type !== 'content_block_delta' || typeof index !== 'number') return false;
    const open = this.#open.get(index);
    if (open === undefined || open.isRepeating) return false;
    const member = blocks.get(open.type) ?? null;
    if (member === null || !isObject(delta)) return false;
    return delta.type === deltaTypes[member] && textOr(delta[member], '') !== '';
  }

  /** Keeps the input of a call, which shows whether the server ends the call too early. */
  #keepInput({ index, delta }: JsonObject): void {
    const open = typeof index === 'number' ? this.#open.get(index) : undefined;
    if (open?.type === 'tool_use') open.fromDeltas += textOr(asObject(delta).partial_json, '');
  }

  /** Returns the frames for the SDK in place of an unusual one; null if it is not part of the answer. */
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

  /** The message without what the SDK does not read, and with what it requires. */
  #messageOf(message: JsonObject): JsonObject {
    const { id, model, role } = message;
    const usage = asObject(message.usage);
    const input = countIn(usage.input_tokens);
    this.#hasCount.input ||= input !== undefined;
    const head = { id: textOr(id, ''), model: textOr(model, ''), role: textOr(role, 'assistant') };
    return { ...head, usage: { ...readCounts(usage), input_tokens: input ?? 0 } };
  }

  #startBlock({ index: givenIndex, content_block }: JsonObject): JsonObject[] | null {
    const block = asObject(content_block);
    const type = typeof block.type === 'string' ? block.type : '';
    const index = typeof givenIndex === 'number' ? givenIndex : this.#nextIndex;
    this.#nextIndex = Math.max(this.#nextIndex, index + 1);
    // Some servers begin a block without ending the one before it.
    const frames = this.#closeBlock(this.#open.get(index));
    this.#closed.delete(index);
    // Encrypted reasoning that is missing cannot be sent back.
    const isEmpty = type === 'redacted_thinking' && typeof block.data !== 'string';
    const isKnown = blocks.has(type) && !isEmpty;
    const initial = isKnown ? this.#initialOf(block, type) : '';
    const open = { index, type, initial, fromDeltas: '', isRepeating: initial !== '' };
    this.#open.set(index, open);
    if (!isKnown) return frames.length === 0 ? null : frames;
    this.#hasCalled ||= type === 'tool_use';
    frames.push({ type: 'content_block_start', index, content_block: headOf(block, type) });
    const member = blocks.get(type) ?? null;
    if (initial !== '' && member !== null) frames.push(deltaOf(open, member, initial));
    const signature = type === 'thinking' ? textOr(block.signature, '') : '';
    if (signature !== '') frames.push(deltaOf(open, 'signature', signature));
    return frames;
  }

  #initialOf(block: JsonObject, type: string): string {
    if (type === 'thinking') return textOr(block.thinking, '') || textOr(block.text, '');
    if (type !== 'tool_use') return textOr(block[type], '');
    const { input = '' } = block;
    if (typeof input === 'string') return input;
    return isEmptyInput(input) ? '' : this.#exact.restore(JSON.stringify(input));
  }

  #readDelta({ index, delta: given }: JsonObject): JsonObject[] | null {
    const delta = usualDelta(asObject(given), this.#exact);
    const member = memberOf(delta);
    if (member === undefined) return null;
    if ((delta.type ?? deltaTypes[member]) !== deltaTypes[member]) return null;
    const open = this.#blockAt(index);
    if (open === undefined) {
      // Some servers do not announce their blocks.
      if (member !== 'text' && member !== 'thinking') return null;
      const start = this.#startBlock({ index: index ?? null, content_block: { type: member } });
      return [...(start ?? []), ...(this.#readDelta({ delta }) ?? [])];
    }
    if (!blocks.has(open.type)) return null;
    const piece = textOr(delta[member], '');
    // Other members are signatures.
    const isText = member === blocks.get(open.type);
    if (isText && (open.isRepeating || open.type === 'tool_use')) open.fromDeltas += piece;
    if (!isText || !open.isRepeating) return [deltaOf(open, member, piece)];
    // Arguments can be compared only when they are complete.
    if (open.type === 'tool_use' || open.initial.startsWith(open.fromDeltas)) return [];
    open.isRepeating = false;
    return [deltaOf(open, member, open.fromDeltas)];
  }

  /** The block with this index; the latest one if the index is missing, or is that of no block. */
  #blockAt(index: Json | undefined): OpenBlock | undefined {
    const atIndex = typeof index === 'number' ? this.#open.get(index) : undefined;
    return atIndex ?? [...this.#open.values()].at(-1);
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
    const { index, isRepeating, fromDeltas } = open;
    this.#open.delete(index);
    this.#closed.add(index);
    const member = blocks.get(open.type);
    // The SDK has not received the start of an unknown block.
    if (member === undefined) return [];
    const stop = { type: 'content_block_stop', index };
    const wasHeldBack = isRepeating && member !== null && !isRepetition(open);
    return wasHeldBack ? [deltaOf(open, member, fromDeltas), stop] : [stop];
  }

  #closeAll(): JsonObject[] {
    const early = this.#nextIndex === 0 ? this.#early : [];
    const starts = early.flatMap((block) => this.#startBlock({ content_block: block }) ?? []);
    const stops = [...this.#open.values()].flatMap((open) => this.#closeBlock(open));
    return [...starts, ...stops];
  }

  #readMessageDelta({ delta, usage }: JsonObject): JsonObject[] {
    const { stop_reason } = asObject(delta);
    const sentCounts = asObject(usage);
    const output = countIn(sentCounts.output_tokens);
    this.#hasCount.output ||= output !== undefined;
    this.#hasCount.input ||= countIn(sentCounts.input_tokens) !== undefined;
    if (typeof stop_reason === 'string') this.#stopReason = usualReason(stop_reason);
    this.#outputTokens = output ?? this.#outputTokens;
    const counts = { ...readCounts(sentCounts), output_tokens: this.#outputTokens };
    return [
      ...(this.#stopReason === null ? [] : this.#closeAll()),
      { type: 'message_delta', delta: { stop_reason: this.#stopReason }, usage: counts },
    ];
  }

  #endMessage(): JsonObject[] {
    if (this.#hasStopped) return [];
    this.#hasStopped = true;
    const stops = this.#closeAll();
    // The SDK requires a reason.
    const delta = { stop_reason: this.#hasCalled ? 'tool_use' : 'end_turn' };
    const reason = this.#stopReason === null ? this.#readMessageDelta({ delta }) : [];
    return [...stops, ...reason, { type: 'message_stop' }];
  }
}

/** An error in the form that the SDK accepts. */
function errorText(value: JsonObject): string {
  const { error } = value;
  const isDescribed = isObject(error) && Object.keys(error).length > 0;
  const sentError = isDescribed ? error : { ...value, type: 'error' };
  const text = [sentError.message, value.error, value.message].find(
    (one) => typeof one === 'string' && one !== '',
  );
  const type = typeof sentError.type === 'string' ? sentError.type : errorType(sentError.code);
  const message = text ?? JSON.stringify(sentError);
  return JSON.stringify({ type: 'error', error: { ...sentError, type, message } });
}

/** Gateways report a status or a code in place of the type. */
function errorType(code: Json | undefined): string {
  if (Number(code) === 429) return 'rate_limit_error';
  if (Number(code) >= 500) return 'overloaded_error';
  return typeof code === 'string' ? code : 'error';
}

/** Returns whether the input of a call is missing or incomplete. */
function isUnfinished({ type, initial, fromDeltas }: OpenBlock): boolean {
  return type === 'tool_use' && initial === '' && parseJson(fromDeltas) === undefined;
}

/** Returns whether the deltas of a block add nothing to its beginning. */
function isRepetition({ type, initial, fromDeltas }: OpenBlock): boolean {
  if (fromDeltas === '' || fromDeltas === initial) return true;
  if (type !== 'tool_use') return false;
  const one = readArguments(initial);
  const other = readArguments(fromDeltas);
  return one !== null && other !== null && isSameJson(one.text, other.text);
}

function deltaOf({ index }: OpenBlock, member: DeltaMember, text: string): JsonObject {
  const delta = { type: deltaTypes[member], [member]: text };
  return { type: 'content_block_delta', index, delta };
}

/** A block without its text or input, which follows in deltas, and without members that are not read. */
function headOf({ id, name, data }: JsonObject, type: string): JsonObject {
  if (type === 'tool_use')
    return { type, id: textOr(id, crypto.randomUUID()), name: name ?? null, input: {} };
  return type === 'redacted_thinking' ? { type, data: data ?? '' } : { type, [type]: '' };
}

/** Some servers write an empty object as an empty list. */
function isEmptyInput(input: Json): boolean {
  return typeof input === 'object' && (input === null || Object.keys(input).length === 0);
}

/** The member that has the text of a delta. Some servers write all members, and leave those of other types empty. */
function memberOf(delta: JsonObject): DeltaMember | undefined {
  const sent = deltaMembers.filter((key) => typeof delta[key] === 'string');
  return (
    sent.find((key) => deltaTypes[key] === delta.type) ??
    sent.find((key) => delta[key] !== '') ??
    sent[0]
  );
}

/** Returns a delta with its text in the usual member. Input that is no text becomes JSON, so that it is not lost. */
function usualDelta(delta: JsonObject, exact: ExactNumbers): JsonObject {
  const { type, text, thinking, partial_json: input = null } = delta;
  if (type === 'thinking_delta' && typeof text === 'string' && textOr(thinking, '') === '')
    return { type, thinking: text };
  return typeof input === 'string' || isEmptyInput(input)
    ? delta
    : { ...delta, partial_json: exact.restore(JSON.stringify(input)) };
}

function usualReason(reason: string): string {
  const name = reason.toLowerCase();
  return Object.hasOwn(reasons, name) ? (reasons[name] ?? name) : name;
}

/** Returns the counts that the SDK reads, as far as they are valid. */
function readCounts(usage: JsonObject): JsonObject {
  return Object.fromEntries(
    countNames.flatMap((name): [string, Json][] => {
      const count = countIn(usage[name]);
      return count === undefined ? [] : [[name, count]];
    }),
  );
}

/** Turns a complete message, from a server that did not stream, into a stream. Null if the body is none. */
export function streamOfMessage(body: string): string | null {
  const value = parseJson(body);
  if (!isObject(value) || value.type !== 'message' || !Array.isArray(value.content)) return null;
  // JSON strings contain no line ends.
  return `data: ${body.replace(/[\r\n]+/g, ' ')}\n\n`;
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
