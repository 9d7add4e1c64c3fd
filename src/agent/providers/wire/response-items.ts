/** The items of one answer of the Responses API: texts, reasoning and calls, in the frames that the SDK accepts. */

import { asObject, isObject } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import { isSameJson, readArguments } from '../../../runtime/spec/read-arguments.ts';
import { asText } from '../../../runtime/spec/lenient.ts';

type ItemType = 'message' | 'reasoning' | 'function_call';

interface ResponseItem {
  readonly type: ItemType;
  /** The id for the SDK: the server's first one, if it sent any. */
  readonly id: string;
  /** The position for the SDK, which no other item has. */
  readonly at: number;
  /** The server's position, which several items may have; undefined if it sent none. */
  readonly givenAt: Json | undefined;
  /** The text or arguments at the beginning of the item. Some servers send them only there. */
  readonly initial: string;
  /** The text or arguments that have arrived in pieces. */
  text: string;
  /** The text since the last part ended. */
  part: string;
  /** Empty until they arrive. */
  callId: string;
  name: string;
  /** Whether the SDK knows the item. */
  isAnnounced: boolean;
  isDone: boolean;
  /** Whether reasoning is a summary. Some servers send the whole reasoning, too. */
  isSummary: boolean | undefined;
  /** The parts of reasoning that the SDK knows. */
  readonly parts: Set<number>;
  /** Whether the item is in the list at the end of the answer. */
  isListed: boolean;
}

interface PieceOptions {
  readonly isDone: boolean;
}

const prefixes = { message: 'msg', reasoning: 'rs', function_call: 'fc' };
const phases: readonly (Json | undefined)[] = ['commentary', 'final_answer'];

export class ResponseItems {
  readonly #items: ResponseItem[] = [];
  readonly #restore: (text: JsonText) => JsonText;

  /** @param restore restores the spelling of numbers in arguments that were sent as an object */
  constructor(restore: (text: JsonText) => JsonText) {
    this.#restore = restore;
  }

  /** Reads a frame that announces an item. */
  added(frame: JsonObject): readonly JsonObject[] {
    const usual = usualItem(frame);
    const type = typeOf(usual);
    if (type === null || this.#isRepeated(type, frame, usual)) return [];
    const item = this.#begin(type, frame, usual);
    // A call is announced when both its name and its id are known: the SDK cannot change them later.
    return item.type !== 'function_call' || (item.name !== '' && item.callId !== '')
      ? this.#announce(item, usual)
      : [];
  }

  /** Reads a frame with a complete item. */
  done(frame: JsonObject): readonly JsonObject[] {
    const given = usualItem(frame);
    const type = typeOf(given);
    if (type === null) return [];
    const known = this.#findOpenCall(type, given) ?? this.#findOpen(type, frame, idIn(given));
    if (known === undefined && this.#isRepeated(type, frame, given)) return [];
    return this.#finish(known ?? this.#begin(type, frame, given), given);
  }

  /**
   * Reads a piece of a message.
   * @param options.isDone whether this is the whole text of a part, of which pieces may have arrived
   */
  text(frame: JsonObject, sent: string, { isDone }: PieceOptions): readonly JsonObject[] {
    const [item, before] = this.#ensure('message', frame);
    const delta = isDone ? missingEnd(item.part, sent) : sent;
    item.text += delta;
    item.part = isDone ? '' : item.part + delta;
    if (delta === '') return before;
    const { logprobs } = frame;
    // Almost all frames are like this one, and are passed on unchanged.
    const isUsual =
      !isDone &&
      frame.type === 'response.output_text.delta' &&
      frame.item_id === item.id &&
      (!Array.isArray(logprobs) || logprobs.length === 0);
    return [...before, isUsual ? frame : textDelta(item, delta)];
  }

  /**
   * Reads a piece of reasoning.
   * @param options.isDone whether this is the whole reasoning of a part, of which pieces may have arrived
   */
  reasoning(
    frame: JsonObject,
    sent: string,
    { isSummary, isDone }: PieceOptions & { readonly isSummary: boolean },
  ): readonly JsonObject[] {
    const [item, before] = this.#ensure('reasoning', frame);
    item.isSummary ??= isSummary;
    if (item.isSummary !== isSummary) return before;
    const delta = isDone ? missingEnd(item.part, sent) : sent;
    item.text += delta;
    item.part = isDone ? '' : item.part + delta;
    if (delta === '') return before;
    const index = isSummary && typeof frame.summary_index === 'number' ? frame.summary_index : 0;
    return [...before, ...partBegun(item, index), reasoningDelta(item, index, delta)];
  }

  /** The SDK needs to know in which part a text is. */
  summaryPart(frame: JsonObject): readonly JsonObject[] {
    const item = this.#findOpen('reasoning', frame, frame.item_id);
    const { type, summary_index: index } = frame;
    if (item === undefined || typeof index !== 'number') return [];
    const before = partBegun(item, index);
    const isEnd = type === 'response.reasoning_summary_part.done';
    return isEnd ? [...before, { type, item_id: item.id, summary_index: index }] : before;
  }

  /** Reads a whole part of a message, which some servers send without its pieces. */
  contentPart(frame: JsonObject): readonly JsonObject[] {
    const text = textIn(frame.part);
    const open = this.#findOpen('message', frame, frame.item_id);
    const isNew = open?.text === '' && text !== '';
    return isNew ? this.text(frame, text, { isDone: true }) : [];
  }

  /** Reads a piece of a call's arguments. @param options.isDone whether these are the whole arguments */
  arguments(frame: JsonObject, piece: string, { isDone }: PieceOptions): readonly JsonObject[] {
    const [item] = this.#ensure('function_call', frame, { announces: false });
    const delta = isDone ? missingEnd(item.text, this.#restore(piece)) : piece;
    const isOther = isDone && piece !== '' && !piece.startsWith(item.text);
    item.text = isOther ? piece : item.text + delta;
    if (!item.isAnnounced || delta === '') return [];
    const type = 'response.function_call_arguments.delta';
    const isUsual =
      frame.type === type && frame.item_id === item.id && frame.output_index === item.at;
    return [isUsual ? frame : { type, item_id: item.id, output_index: item.at, delta }];
  }

  /**
   * Returns the items that have not arrived before, and the ends of open items.
   *
   * @param output the list of items at the end of the answer, which may be empty, or have other ids
   * @param options.isCut whether the answer was cut off, so that calls may be incomplete
   */
  rest(
    output: readonly JsonObject[],
    { isCut }: { readonly isCut: boolean },
  ): readonly JsonObject[] {
    const isWhole = (text: string): boolean => !isCut || readArguments(text) !== null;
    const listed = output.flatMap((one) => {
      const given = usualItem({ item: one });
      const type = typeOf(given);
      if (type === null) return [];
      const known = this.#findListed(type, given);
      if (known !== undefined) known.isListed = true;
      if (known?.isDone === true && (type === 'function_call' || hasAll(known, given))) return [];
      if (type === 'function_call' && !isWhole(this.#argumentsOf(known, given))) return [];
      const item = known?.isDone === false ? known : this.#begin(type, {}, given);
      item.isListed = true;
      return this.#finish(item, given);
    });
    const open = this.#items.filter(
      (item) =>
        !item.isDone &&
        (item.type !== 'function_call' || (item.name !== '' && isWhole(textOf(item)))),
    );
    return [...listed, ...open.flatMap((item) => this.#finish(item, { type: item.type }))];
  }

  /** The item before the end that an item in the list at the end means. Texts are compared by their order. */
  #findListed(type: ItemType, given: JsonObject): ResponseItem | undefined {
    const unlisted = this.#items.filter((item) => item.type === type && !item.isListed);
    if (type !== 'function_call') return unlisted[0];
    const args = this.#argumentsOf(undefined, given);
    return (
      unlisted.find(({ callId }) => callId !== '' && callId === given.call_id) ??
      unlisted.find(({ name, text }) => name === given.name && isSameText(text, args)) ??
      unlisted.find(({ name, isDone }) => !isDone && (name === '' || name === given.name))
    );
  }

  /** The call with the id that the server gave it; undefined if there is none, or if it is done. */
  #findOpenCall(type: ItemType, { call_id }: JsonObject): ResponseItem | undefined {
    if (type !== 'function_call') return undefined;
    return this.#items.find(({ callId, isDone }) => callId !== '' && callId === call_id && !isDone);
  }

  /** The open item that a frame belongs to, by its id, its position, or else the latest one of its type. */
  #findOpen(
    type: ItemType,
    { output_index: at }: JsonObject,
    id: Json | undefined,
  ): ResponseItem | undefined {
    const open = this.#items.filter((item) => item.type === type && !item.isDone);
    const found = open.find((item) => item.id === id) ?? open.findLast((o) => o.givenAt === at);
    // The pieces of two calls must not be mixed.
    return found ?? (type === 'function_call' && at !== undefined ? undefined : open.at(-1));
  }

  /** Returns whether an item was announced or sent before. Positions alone do not tell, since items may share them. */
  #isRepeated(type: ItemType, { output_index: at }: JsonObject, given: JsonObject): boolean {
    const id = idIn(given);
    const items = this.#items.filter((item) => item.type === type);
    if (type !== 'function_call')
      return items.some(({ id: own, isDone, givenAt }) =>
        id === '' ? isDone && at !== undefined && givenAt === at : own === id,
      );
    // Two different calls with one id stay two.
    const { call_id } = given;
    const args = this.#argumentsOf(undefined, given);
    return items.some(
      ({ callId, isDone, text, id: own }) =>
        (callId === '' ? own === id : callId === call_id) && (!isDone || isSameText(text, args)),
    );
  }

  /** Finds the item of a frame, or begins one. @returns the item, and the frames that announce it */
  #ensure(
    type: ItemType,
    frame: JsonObject,
    { announces = true } = {},
  ): readonly [ResponseItem, readonly JsonObject[]] {
    const known = this.#findOpen(type, frame, frame.item_id);
    if (known !== undefined) return [known, []];
    const item = this.#begin(type, frame, { id: frame.item_id ?? null });
    return [item, announces ? this.#announce(item, {}) : []];
  }

  #begin(type: ItemType, { output_index: givenAt }: JsonObject, given: JsonObject): ResponseItem {
    const own = idIn(given);
    const isTaken = (one: unknown): boolean =>
      this.#items.some(({ at, id }) => one === at || one === id);
    const next = Math.max(-1, ...this.#items.map(({ at }) => at)) + 1;
    const { call_id, name } = given;
    const item: ResponseItem = {
      type,
      id: own === '' || isTaken(own) ? `${prefixes[type]}_${crypto.randomUUID()}` : own,
      at: typeof givenAt === 'number' && !isTaken(givenAt) ? givenAt : next,
      givenAt,
      initial: type === 'function_call' ? this.#argumentsOf(undefined, given) : '',
      text: '',
      part: '',
      callId: asText(call_id),
      name: asText(name),
      isAnnounced: false,
      isDone: false,
      isSummary: undefined,
      parts: new Set([0]),
      isListed: false,
    };
    this.#items.push(item);
    return item;
  }

  #announce(item: ResponseItem, given: JsonObject): readonly JsonObject[] {
    const { type, id, at, callId, name } = item;
    item.isAnnounced = true;
    const call = type === 'function_call' ? { call_id: callId, name, arguments: '' } : {};
    const own = { type, id, ...call, ...dataOf(type, given) };
    return [{ type: 'response.output_item.added', output_index: at, item: own }];
  }

  /** The frames that complete an item. */
  #finish(item: ResponseItem, given: JsonObject): readonly JsonObject[] {
    const { type, id } = item;
    item.isDone = true;
    if (type === 'function_call') return this.#doneCall(item, given);
    const before = item.isAnnounced ? [] : this.#announce(item, given);
    const added = missingEnd(item.text, wholeText(type, given));
    item.text += added;
    const delta = type === 'message' ? textDelta(item, added) : reasoningDelta(item, 0, added);
    const text = added === '' ? [] : [delta];
    return [...before, ...text, doneFrame(item, { type, id, ...dataOf(type, given) })];
  }

  #doneCall(item: ResponseItem, given: JsonObject): readonly JsonObject[] {
    const { type, id } = item;
    const { call_id, name } = given;
    item.text = this.#argumentsOf(item, given);
    item.callId ||= typeof call_id === 'string' && call_id !== '' ? call_id : id;
    if (!item.isAnnounced && typeof name === 'string') item.name = name;
    const before = item.isAnnounced ? [] : this.#announce(item, given);
    const call = { call_id: item.callId, name: item.name, arguments: item.text };
    return [...before, doneFrame(item, { type, id, ...call, status: 'completed' })];
  }

  /** The arguments of a call: those of its end, or else those that arrived before. */
  #argumentsOf(item: ResponseItem | undefined, given: JsonObject): string {
    const whole = this.#restore(argumentsIn(given.arguments));
    if (whole !== '') return whole;
    return item === undefined ? '' : textOf(item);
  }
}

/** What has arrived of the text or arguments of an item. */
function textOf({ text, initial }: ResponseItem): string {
  return text === '' ? initial : text;
}

/** Arguments as text. What is no text is written as JSON, so that nothing is lost. */
export function argumentsIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** The text of a text, a part, or a list of parts. */
function textIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('');
  return isObject(value) ? firstText(value.text, value.refusal) : '';
}

/** The first text that is not empty. An empty member may stand beside the one that has the text. */
export function firstText(...values: readonly (Json | undefined)[]): string {
  return values.map(textIn).find((text) => text !== '') ?? '';
}

/** An item with a usual type and id. Calls of tools without a schema have a text as input. */
function usualItem({ item }: JsonObject): JsonObject {
  const given = asObject(item);
  const named = idIn(given) === '' ? { ...given, id: given.item_id ?? '' } : given;
  return given.type === 'custom_tool_call'
    ? { ...named, type: 'function_call', arguments: given.input ?? '' }
    : named;
}

/** The type of an item; null for calls of tools that the server runs itself, and their results. */
function typeOf({ type }: JsonObject): ItemType | null {
  return type === 'message' || type === 'reasoning' || type === 'function_call' ? type : null;
}

function idIn({ id }: JsonObject): string {
  return asText(id);
}

/** The members of an item that later requests send back. */
function dataOf(type: ItemType, { phase, encrypted_content: encrypted }: JsonObject): JsonObject {
  if (type === 'message') return phases.includes(phase) ? { phase: phase ?? null } : {};
  return type === 'reasoning' && typeof encrypted === 'string'
    ? { encrypted_content: encrypted }
    : {};
}

/** The whole text of a message or of reasoning. */
function wholeText(type: ItemType, { content, summary }: JsonObject): string {
  if (type === 'message') return textIn(content);
  const parts = textIn(summary) === '' ? content : summary;
  return Array.isArray(parts) ? parts.map(textIn).join('\n\n') : textIn(parts);
}

/** Returns whether the text of an item has arrived before. */
function hasAll({ type, text }: ResponseItem, given: JsonObject): boolean {
  return text !== '' || wholeText(type, given) === '';
}

/** The end of a whole text of which the beginning has arrived; empty if something else has. */
function missingEnd(arrived: string, whole: string): string {
  return whole.startsWith(arrived) ? whole.slice(arrived.length) : '';
}

function isSameText(one: string, other: string): boolean {
  const first = readArguments(one);
  const second = readArguments(other);
  return first !== null && second !== null ? isSameJson(first.text, second.text) : one === other;
}

function doneFrame({ at }: ResponseItem, item: JsonObject): JsonObject {
  return { type: 'response.output_item.done', output_index: at, item };
}

function textDelta({ id, at }: ResponseItem, delta: string): JsonObject {
  return { type: 'response.output_text.delta', item_id: id, output_index: at, delta };
}

function reasoningDelta({ id }: ResponseItem, index: number, delta: string): JsonObject {
  const type = 'response.reasoning_summary_text.delta';
  return { type, item_id: id, summary_index: index, delta };
}

/** Announces a part of reasoning that the SDK does not know. */
function partBegun(item: ResponseItem, index: number): readonly JsonObject[] {
  if (item.parts.has(index)) return [];
  item.parts.add(index);
  item.part = '';
  const type = 'response.reasoning_summary_part.added';
  return [{ type, item_id: item.id, summary_index: index }];
}
