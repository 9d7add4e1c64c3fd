/** Checks the tool worker's messages: joins their pieces, limits their sizes, detects floods, and validates payloads. */

import { marks, parseHeader, pieceChars, type Header } from '../../src/runtime/protocol/python.ts';
import {
  ask,
  inspection,
  pythonProposal,
  pythonResult,
  pythonStream,
  resolution,
  pythonWorkspace,
} from 'virtual:cloche/validators';
import { fromBase64 } from '../../src/runtime/spec/bytes.ts';
import type { PythonFacts, PythonOutcome } from '../../src/runtime/protocol/frame.ts';
import {
  answerBytes,
  longestPathInCopy,
  maxInCopy,
  type WorkspaceReport,
  type WorkspaceRequest,
} from '../../src/runtime/protocol/workspace.ts';
import { deeperThan, type Json, moreThan } from '../../src/runtime/spec/json.ts';
import { exactWriter, parseExact } from '../../src/runtime/spec/exact-json.ts';
import { asFields, isCount, isObject, isRecord, isStrings } from '../../src/runtime/spec/guards.ts';
import type { PackedInspection, SpecProposal } from '../../src/runtime/spec/tool.ts';

/** Limit of a report's nesting; the loader refuses schemas deeper than 64 levels. */
const maxDepth = 200;

/** Limit of the JSON values of one tool, nested ones included; the loader refuses more than 50,000. */
const maxToolValues = 60_000;

/** Limit of the JSON values of one proposal; the loader stops at 150,000 in schemas. */
const maxProposalValues = 250_000;

/** Limit of a list of paths. A tools folder has at most 5,000 files, and tools may have written more. */
const maxPaths = 20_000;

/** Thrown when the tool worker broke the rules of the wire and must be terminated. */
export class Breach extends Error {
  readonly reason: 'flood' | 'protocol';
  constructor(reason: 'flood' | 'protocol', message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface Message {
  readonly header: Header;
  readonly payload: string;
}

/** Limit of a message with this header, in characters; 0 if it was not requested. */
export type LimitOf = (header: Header) => number;

/** Receives the messages of one tool worker, and joins those that come in pieces. */
export class Inbox {
  readonly #allowance: Allowance;
  readonly #limitOf: LimitOf;
  /** The pieces of an incomplete message. */
  #pieces: string[] = [];
  /** How many characters this message may still have. */
  #room = 0;

  constructor(allowance: Allowance, limitOf: LimitOf) {
    this.#allowance = allowance;
    this.#limitOf = limitOf;
  }

  /**
   * Accepts the data of one message event.
   * @returns a complete, requested message; or null if pieces are missing or the message is ignored
   * @throws {Breach}
   */
  accept(data: unknown): Message | null {
    if (typeof data !== 'string') return this.#ignore('something that is not a string');
    switch (data[0]) {
      case marks.whole:
        return this.#whole(data.slice(1));
      case marks.piece:
        return this.#piece(data.slice(1));
      case marks.last:
        return this.#last(data.slice(1));
      default:
        return this.#ignore('an unknown string');
    }
  }

  #whole(text: string): Message | null {
    if (text.length > pieceChars)
      throw new Breach('protocol', 'sent several multi-part messages at once');
    const parsed = parseHeader(text);
    if (!parsed) return this.#ignore('a message without a header');
    const { header, payloadAt } = parsed;
    // @mutant messages that nobody waits for => never
    if (this.#limitOf(header) < text.length) return this.#ignore('an unexpected message');
    // The one answer to a request is free; other messages use up the allowance.
    if (header.t === 'stream' || header.t === 'step') this.#pay();
    return { header, payload: text.slice(payloadAt) };
  }

  #piece(text: string): null {
    if (text.length !== pieceChars)
      throw new Breach('protocol', 'sent a message part of the wrong size');
    if (this.#pieces.length === 0) {
      const parsed = parseHeader(text);
      this.#room = parsed ? this.#limitOf(parsed.header) : 0;
      if (this.#room === 0) throw new Breach('protocol', 'sent an unexpected long message');
      if (parsed?.header.t === 'stream') this.#pay();
    }
    this.#room -= text.length;
    // @mutant the size limit of a message in pieces => never
    if (this.#room < 0) throw new Breach('protocol', 'sent more than the limit in one message');
    this.#pieces.push(text);
    return null;
  }

  #last(text: string): Message | null {
    if (this.#pieces.length === 0 || text.length > pieceChars)
      throw new Breach('protocol', 'sent the end of a message without its start');
    const whole = this.#pieces.join('') + text;
    this.#pieces = [];
    const parsed = parseHeader(whole);
    if (!parsed || this.#limitOf(parsed.header) < whole.length)
      throw new Breach('protocol', 'sent more than the limit in one message');
    return { header: parsed.header, payload: whole.slice(parsed.payloadAt) };
  }

  #ignore(what: string): null {
    this.#pay(what);
    return null;
  }

  #pay(what = 'updates'): void {
    // @mutant a flood of messages => never
    if (!this.#allowance.spend())
      throw new Breach('flood', `sent too many messages (the last was ${what})`);
  }
}

/** Messages that may follow without a pause, and how many more there may be per second and per call. */
const capacity = 300;
const perSecond = 60;
const perCall = 4;

/** How many messages a tool worker may send. */
export class Allowance {
  readonly #now: () => number;
  #tokens = capacity;
  #refilledAt: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#refilledAt = now();
  }

  /** Allows the messages of one more call. */
  earn(): void {
    this.#tokens = Math.min(capacity, this.#tokens + perCall);
  }

  /** Takes the token of one message. @returns false if none is left: the tool worker floods */
  spend(): boolean {
    const now = this.#now();
    this.#tokens = Math.min(capacity, this.#tokens + ((now - this.#refilledAt) / 1000) * perSecond);
    this.#refilledAt = now;
    this.#tokens -= 1;
    return this.#tokens >= 0;
  }
}

// The functions below return undefined if a payload is invalid.

export function toInspection(payload: string, file: string): PackedInspection | undefined {
  const value = parse(payload, parseExact);
  // A deeply nested report would overflow the stack when it is sent to the page.
  if (deeperThan(value as Json, maxDepth) || !inspection(value)) return undefined;
  if (value.file !== file) return undefined;
  if (value.tools.some((tool) => moreThan(tool as unknown as Json, maxToolValues)))
    return undefined;
  // The numbers of schemas and examples stay as the author wrote them.
  const write = exactWriter(payload);
  return { ...value, tools: value.tools.map((tool) => write(tool as unknown as Json)) };
}

export function toProposal(payload: string, file: string): SpecProposal | undefined {
  const value = parse(payload);
  // @mutant the size of a proposal of specs => moreThan(value as Json, maxProposalValues) -> false
  if (deeperThan(value as Json, maxDepth) || moreThan(value as Json, maxProposalValues))
    return undefined;
  // @mutant a proposal of specs about another file => without && value.file === file
  return pythonProposal(value) && value.file === file ? value : undefined;
}

export const toStream = reader(pythonStream);
export const toAsk = reader(ask);
export const toReasons = reader(isStrings);
export const toResolution = reader(resolution);

/** Reads the payloads that a guard accepts. */
function reader<T>(isValid: (value: unknown) => value is T): (payload: string) => T | undefined {
  return (payload) => {
    const value = parse(payload);
    return isValid(value) ? value : undefined;
  };
}

export function toStarted(payload: string): PythonFacts | undefined {
  const { version, stackSwitching } = asFields(parse(payload));
  if (typeof version !== 'string' || typeof stackSwitching !== 'boolean') return undefined;
  return { version: version.slice(0, 100), stackSwitching };
}

export function toPaths(payload: string): readonly string[] | undefined {
  const paths = toReasons(payload);
  return paths !== undefined && paths.length <= maxPaths ? paths : undefined;
}

/** The outcome without what was streamed, and the number of output characters that the tool worker dropped. */
export function toOutcome(
  payload: string,
): { outcome: Omit<PythonOutcome, 'streamed'>; outputDropped: number } | undefined {
  const value = withLongText(payload);
  if (!pythonResult(value)) return undefined;
  const { outputDropped, durationMs: _ignored, ...result } = value;
  if (!isObject(parse(result.metadata))) return undefined;
  const failed = !result.ok;
  if (failed && result.error === undefined) return undefined;
  return { outcome: { ...result, recoverable: result.recoverable ?? false }, outputDropped };
}

/** Puts the long text of a result into its place; undefined if there is no such place. The value is not validated yet. */
function withLongText(payload: string): unknown {
  const end = payload.indexOf('\n');
  if (end < 0) return parse(payload);
  const { longText, ...result } = asFields(parse(payload.slice(0, end)));
  const { content } = result;
  const part: unknown = Array.isArray(content) && isCount(longText) ? content[longText] : null;
  if (!isRecord(part)) return undefined;
  const text = payload.slice(end + 1);
  Object.assign(part, 'text' in part ? { text } : { data: text });
  return result;
}

function parse(text: string, read: (text: string) => unknown = JSON.parse): unknown {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

/** Limit of the answer to a request, in characters. */
export function workspaceChars({ tell, fileBytes }: WorkspaceRequest): number {
  // The allowance per path covers escaped characters and the JSON around it.
  const paths = maxInCopy * (longestPathInCopy + 100);
  if (tell === 'nothing') return 100_000;
  return paths + (tell === 'contents' ? Math.ceil(((fileBytes + answerBytes) * 4) / 3) : 0);
}

/** The page decides whether the paths may be written. */
export function toWorkspaceReport(payload: string): WorkspaceReport | undefined {
  const report = parse(payload);
  if (!pythonWorkspace(report)) return undefined;
  const { files, ...rest } = report;
  const decoded: WorkspaceReport['files'][number][] = [];
  for (const { path, modifiedAt, data } of files) {
    const bytes = fromBase64(data);
    if (bytes === null) return undefined;
    decoded.push({ path, modifiedAt, bytes });
  }
  return { ...rest, files: decoded };
}
