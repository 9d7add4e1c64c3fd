/** Shortens a call for the log: small calls are stored whole, long texts of large ones are cut. */

import type { LoggedCall } from '../spec/call.ts';
import type { ContentPart, ToolResult } from '../spec/result.ts';

/** Approximate limit for one logged call, in characters. */
const mostChars = 1_000_000;
/** Approximate overhead of each list item, in characters. */
const itemChars = 50;

/** Approximate number of characters of an entry: a measure of its size in memory and on disk. */
export function sizeOf({ call, result }: LoggedCall): number {
  const { textResultForLlm, stdout, stderr, metadata, traceback = '', error = '' } = result;
  const texts = [call.arguments, textResultForLlm, stdout, stderr, metadata, traceback, error];
  const items = [
    ...result.content.map((part) => ('text' in part ? part.text : part.data)),
    ...result.updates.map(({ json }) => json),
    ...result.log.map(({ message }) => message),
  ];
  return (
    500 +
    texts.reduce((sum, text) => sum + text.length, 0) +
    items.reduce((sum, text) => sum + text.length + itemChars, 0)
  );
}

/**
 * Returns the entry itself, or a shortened copy with `cut: true`. The space goes first to what users look at
 * first: arguments, error, the text for the model, output, the rest. Cut arguments are no longer valid JSON;
 * every other JSON text is complete or dropped.
 */
export function shortenCall(entry: LoggedCall): LoggedCall {
  if (sizeOf(entry) <= mostChars) return entry;
  const room = new Room(mostChars);
  const args = room.text(entry.call.arguments, 200_000);
  return {
    ...entry,
    cut: true,
    call: { ...entry.call, arguments: args },
    result: resultWithin(entry.result, room),
  };
}

/** How a result is cut. */
interface Cutting {
  /** Minimum number of characters to keep of its texts: the text for the model, and text content. */
  readonly textChars: number;
  /** Returns the replacement for a text that was cut. */
  readonly mark: (cut: string, whole: string) => string;
}

const forLog: Cutting = { textChars: 0, mark: (cut) => cut };

/** Cuts a result to the log's limit, plus twice `textChars`. */
export function shortenResult(result: ToolResult, cutting: Cutting): ToolResult {
  return resultWithin(result, new Room(mostChars + 2 * cutting.textChars), cutting);
}

/** Evaluated from top to bottom: each field takes its share of the space that is left. */
function resultWithin(result: ToolResult, room: Room, cutting = forLog): ToolResult {
  const { error, traceback, textResultForLlm } = result;
  const most = Math.max(200_000, cutting.textChars);
  return {
    ...result,
    ...(error === undefined ? {} : { error: room.text(error, 10_000) }),
    ...(traceback === undefined ? {} : { traceback: room.text(traceback, 50_000) }),
    textResultForLlm: cutting.mark(room.text(textResultForLlm, most), textResultForLlm),
    stdout: room.text(result.stdout, 100_000),
    stderr: room.text(result.stderr, 100_000),
    metadata: room.has(result.metadata) ? result.metadata : '{}',
    content: result.content
      .map((part) => cutPart(part, room, cutting))
      .filter((part) => part !== undefined),
    log: result.log.filter(({ message }) => room.has(message)),
    updates: result.updates.filter(({ json }) => room.has(json)),
  };
}

/** Incomplete JSON and images would be invalid, so what is left of them is shown as text. */
function cutPart(
  part: ContentPart,
  room: Room,
  { textChars, mark }: Cutting,
): ContentPart | undefined {
  if ('text' in part) {
    if (room.has(part.text)) return part;
    const text = room.text(part.text, Math.max(100_000, textChars));
    return text === '' ? undefined : { type: 'text', text: mark(text, part.text) };
  }
  if (room.has(part.data)) return part;
  const text = room.text(`(${part.mediaType}, too large for the log)`, 1_000);
  return text === '' ? undefined : { type: 'text', text };
}

/** The number of characters that are left. */
class Room {
  #left: number;

  constructor(chars: number) {
    this.#left = chars;
  }

  /** Takes the space for a whole text. @returns false if there is not enough */
  has(text: string): boolean {
    if (text.length + itemChars > this.#left) return false;
    this.#left -= text.length + itemChars;
    return true;
  }

  /** Returns the start of a text, limited by `most` and by the space that is left. */
  text(text: string, most: number): string {
    const length = Math.max(0, Math.min(text.length, most, this.#left));
    this.#left -= length + itemChars;
    // Engines keep the whole string in memory behind a slice of it; a clone is independent.
    return length === text.length ? text : structuredClone(text.slice(0, length));
  }
}
