/** Reads the frames of an event stream, and passes on the frames that belong to the answer. */

import { isObject, parseJson } from '../../../runtime/spec/guards.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import { tokenEnd } from '../../../runtime/spec/json-tokens.ts';
import { otherError, type ShapedError } from './error-shapes.ts';

/** A frame whose data is a JSON object. */
export interface Frame {
  /** The name of the event; empty if the server sent none. */
  readonly event: string;
  readonly text: string;
  readonly value: JsonObject;
}

/** The rules of an API for the frames of one answer. */
export interface AnswerFrames {
  /** Whether a frame so far was part of an answer, or an error. */
  readonly hasAnswer: boolean;
  /** Returns the data to pass on in place of a frame; null if it is not part of an answer. */
  read(frame: Frame): readonly string[] | null;
  /**
   * Returns the data to add at the end of the answer.
   *
   * @param isDone whether the server said that the answer is complete
   */
  end?(isDone: boolean): readonly string[];
}

export interface FrameWatch {
  readonly frames: AnswerFrames;
  /** Joins lines that have arrived together. */
  readonly joinLines: ((lines: readonly string[]) => readonly string[]) | undefined;
  /** Is called for each frame that is not part of an answer. */
  readonly onSkipped: () => void;
  /** Returns the error for a stream without an answer. @param last the data of its last frame */
  readonly onNoAnswer: (last: string) => Error;
}

const done = '[DONE]';
const anyDone = /^"?\[done\]"?$/i;
/** Characters that are kept of a body that has no frames. */
const maxOtherChars = 2 ** 20;
/** Names of events that keep a connection open. */
const keepAlive = /^(?:ping|keep-?_?alive|heartbeat|comment)$/i;

/** Reads one stream. Lines may end with CR, LF or both, and may arrive in pieces of any size. */
export class FrameReader {
  readonly #watch: FrameWatch;
  #rest = '';
  /** Whether the last text ended with a CR, to which a following LF belongs. */
  #isAfterReturn = false;
  #event = '';
  #data: string[] = [];
  #hasEnded = false;
  /** Whether there is an answer, and the server has said that it is complete. */
  #isOver = false;
  /** The data of the last frame that was skipped. */
  #lastSkipped: string | null = null;
  /** Lines of JSON or HTML, which some servers send in place of a stream. */
  #other = '';

  constructor(watch: FrameWatch) {
    this.#watch = watch;
  }

  /**
   * Returns the frames to pass on.
   *
   * @throws the error for a stream without an answer
   */
  read(text: string): string {
    const lines = (this.#rest + this.#withLineFeeds(text)).split('\n');
    this.#rest = lines.pop() ?? '';
    return (this.#watch.joinLines?.(lines) ?? lines).map((line) => this.#line(line)).join('');
  }

  /** Returns the frames that remain at the end of the stream. An incomplete frame is dropped. */
  end(): string {
    const before = this.#line(this.#rest);
    if (!isWhole(this.#text)) this.#dropCut();
    const last = this.#frame();
    const unread = this.#other.trim();
    const isOther = unread !== '' && (!this.#watch.frames.hasAnswer || isError(unread));
    const other = isOther ? this.#passOn('', unread) : '';
    return before + last + other + this.#endAnswer({ isDone: false });
  }

  /** Drops the frame that was cut off, which is the last line only if each line is a frame. */
  #dropCut(): void {
    const isSeveral = this.#data.some((one) => one === done || isObject(parseJson(one)));
    if (!isSeveral) {
      this.#data = [];
      this.#event = '';
    } else if (!isWhole(this.#data.at(-1) ?? '')) this.#data.pop();
  }

  #withLineFeeds(text: string): string {
    if (text === '') return text;
    const withoutLineFeed = this.#isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#isAfterReturn = text.endsWith('\r');
    return withoutLineFeed.includes('\r')
      ? withoutLineFeed.replace(/\r\n?/g, '\n')
      : withoutLineFeed;
  }

  /** Reads a line. @returns the frame that it ends, if it ends one */
  #line(line: string): string {
    if (line === '') return this.#frame();
    const isOther =
      (this.#other !== '' && !/^(?:data|event):/.test(line)) || /^\s*[{[<]/.test(line);
    if (this.#data.length === 0 && isOther) return this.#otherLine(line);
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).trim();
    switch (field) {
      case 'data':
        // Some gateways write the name of the field again.
        this.#data.push(value.replace(/^(?:data:\s*)+/, ''));
        return '';
      case 'event': {
        // Some servers write no empty line between two frames.
        const before = this.#event !== '' && this.#data.length > 0 ? this.#frame() : '';
        this.#event = value;
        return before;
      }
      case 'error':
        // Older llama.cpp servers reported errors this way.
        this.#event = 'error';
        this.#data.push(value);
        return '';
      case 'id':
      case 'retry':
        return '';
      default:
        this.#watch.onSkipped();
        return '';
    }
  }

  /** Reads a line that is no field: an object is a frame, as in a stream of JSON lines. */
  #otherLine(line: string): string {
    this.#watch.onSkipped();
    if (this.#other === '' && isObject(parseJson(line))) return this.#passOn(this.#event, line);
    if (this.#other.length < maxOtherChars) this.#other += `${line}\n`;
    return '';
  }

  get #text(): string {
    return this.#data.join('\n').trim();
  }

  /** Passes on the frame that the lines so far form. */
  #frame(): string {
    const data = this.#data;
    const event = this.#event;
    if (data.length === 0 && event === '') return '';
    const text = this.#text;
    this.#data = [];
    this.#event = '';
    // Some servers omit the empty line between two frames.
    const isSeveral = data.length > 1 && parseJson(text) === undefined;
    return (isSeveral ? data : [text]).map((one) => this.#passOn(event, one)).join('');
  }

  #passOn(event: string, text: string): string {
    if (anyDone.test(text)) {
      const ending = this.#endAnswer({ isDone: true }) + writeEvents([done]);
      this.#isOver = this.#watch.frames.hasAnswer;
      return ending;
    }
    // The SDKs would add what follows to the answer.
    const data = this.#isOver || keepAlive.test(event) ? null : this.#read(event, text);
    if (data !== null) return writeEvents(data);
    this.#watch.onSkipped();
    this.#lastSkipped = text;
    return '';
  }

  #read(event: string, text: string): readonly string[] | null {
    const { frames } = this.#watch;
    const plain = parseJson(text);
    const parsed = plain ?? parseJson(withoutNaN(text));
    // Google sends a list if its answer is not asked for as a stream of events.
    if (Array.isArray(parsed) && parsed.some(isObject)) return this.#readList(event, text);
    const value: unknown = parsed;
    if (isObject(value)) {
      const own = value === plain ? text : JSON.stringify(value);
      const read = frames.read({ event, text: own, value });
      const other = read === null ? otherError(value) : undefined;
      return other === undefined ? read : frames.read(errorFrame(other));
    }
    if (event === 'error' && text !== '') {
      const message = typeof value === 'string' ? value : text;
      const error = { error: { message } };
      return frames.read({ event, text: JSON.stringify(error), value: error });
    }
    // Part of the answer may be lost in a damaged object, so the SDK must report it as invalid.
    return value === undefined && text.startsWith('{') ? [text] : null;
  }

  /** Reads the items of a list as frames. Their text is kept, because writing parsed values would round numbers. */
  #readList(event: string, text: string): readonly string[] | null {
    const read = listItems(text).map((item) => this.#read(event, item));
    return read.every((one) => one === null) ? null : read.flatMap((one) => one ?? []);
  }

  /** Ends the answer. @param options.isDone whether the server said that it is complete */
  #endAnswer({ isDone }: { isDone: boolean }): string {
    if (this.#hasEnded) return '';
    this.#hasEnded = true;
    const { frames, onNoAnswer } = this.#watch;
    if (!frames.hasAnswer && this.#lastSkipped !== null) throw onNoAnswer(this.#lastSkipped);
    return writeEvents(frames.end?.(isDone) ?? []);
  }
}

/** The frame of an error that was reported in another shape. */
export function errorFrame({ message, code }: ShapedError): Frame {
  const known = typeof code === 'number' || typeof code === 'string' ? { code } : {};
  const value = { error: { message, ...known } };
  return { event: 'error', text: JSON.stringify(value), value };
}

/** Python's JSON has numbers that JSON does not have. They occur in members that are not read. */
function withoutNaN(text: string): string {
  if (!/\b(?:NaN|Infinity)\b/.test(text)) return text;
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}

/** The texts of the items of a list in JSON. */
function listItems(text: string): readonly string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at = tokenEnd(text, at)) {
    const sign = text.charAt(at);
    if (sign === '[' || sign === '{') depth += 1;
    if (sign === ']' || sign === '}') depth -= 1;
    const isEnd = (depth === 1 && sign === ',') || (depth === 0 && sign === ']');
    if (isEnd) items.push(text.slice(from, at));
    if (isEnd || (depth === 1 && sign === '[')) from = at + 1;
  }
  return items;
}

/** Whether a text outside of the frames reports an error, and is not part of the answer. */
function isError(text: string): boolean {
  const value = parseJson(text);
  return hasError(value) || (isObject(value) && otherError(value) !== undefined);
}

/** Returns whether the data of a frame has its end. */
function isWhole(text: string): boolean {
  return text === done || text === '' || parseJson(text) !== undefined;
}

/** The response in a frame, which some servers do not wrap. */
export function responseIn(value: JsonObject): JsonObject {
  const { response } = value;
  return isObject(response) && Object.keys(response).length > 0 ? response : value;
}

/** Returns whether an object reports an error. Some servers write an empty one beside each piece of an answer. */
export function hasError(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { error } = value;
  if (!isObject(error)) return isText(error);
  return Object.keys(error).length > 0 || Object.keys(value).length === 1;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function writeEvents(data: readonly string[]): string {
  // In JSON, a line end can only stand between tokens.
  return data.map((text) => `data: ${text.replaceAll('\n', ' ')}\n\n`).join('');
}
