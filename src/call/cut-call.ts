/** A call as the log keeps it: whole where it is small, with its long texts cut where it is not. */

import type { LoggedCall } from '../spec/call.ts';
import type { ContentPart, ToolResult } from '../spec/result.ts';

/** Characters of one call that the log keeps, about. */
const mostChars = 1_000_000;
/** Characters that each thing in a list adds to its texts, about. */
const itemChars = 50;

/** Characters that an entry holds, about: a measure of its size in memory and on disk. */
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
 * The entry itself, or a copy that fits and is marked as cut. What a person asks for first has the
 * first claim to the room: arguments, error, the text for the model, what was printed, the rest.
 * Cut arguments are no JSON any more; every other JSON text is whole or gone.
 */
export function cutCall(entry: LoggedCall): LoggedCall {
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

/** For whom a result is cut. */
interface Cutting {
  /** Characters of its text that are kept at least: for the model, and as content. */
  readonly textChars: number;
  /** What stands in place of a text that was cut. */
  readonly mark: (cut: string, whole: string) => string;
}

const forLog: Cutting = { textChars: 0, mark: (cut) => cut };

/** A result that is as large as the log keeps one at most, and by twice `textChars` larger. */
export function cutResult(result: ToolResult, cutting: Cutting): ToolResult {
  return resultWithin(result, new Room(mostChars + 2 * cutting.textChars), cutting);
}

/** Evaluated from top to bottom: each line takes its share of what the lines above have left. */
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

/** JSON and pictures that are cut are none: what there is of them is shown as text. */
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

/** Characters that may still be kept. */
class Room {
  #left: number;

  constructor(chars: number) {
    this.#left = chars;
  }

  /** Takes the room for a whole text, if there is enough. */
  has(text: string): boolean {
    if (text.length + itemChars > this.#left) return false;
    this.#left -= text.length + itemChars;
    return true;
  }

  /** The beginning of a text, at most as long as told and as there is room for. */
  text(text: string, most: number): string {
    const length = Math.max(0, Math.min(text.length, most, this.#left));
    this.#left -= length + itemChars;
    // Engines keep the long string alive behind a slice of it; a clone stands by itself.
    return length === text.length ? text : structuredClone(text.slice(0, length));
  }
}
