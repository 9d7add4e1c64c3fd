/** Reads event streams that break the rules of server-sent events, message by message. */

import { isMessage } from './message.ts';
import { showValue, type Note, type ReadMessages } from './reading.ts';

/** Limit of JSON in a stream that has no events; characters. */
const maxJson = 16 * 1024 * 1024;

const isField = /^(data|event|id|retry)(:|$)/;

export function looksLikeEvents(start: string): boolean {
  return /^(:|data:|event:|id:|retry:)/.test(start);
}

/** Reads the messages in a text; null if it has none. */
type ReadText = (text: string) => ReadMessages | null;

/** Rewrites a stream of events. Events that break nothing stay as they are. */
export class EventReader {
  readonly #read: ReadText;
  readonly #note: Note;
  /** The pieces of the unfinished line, and the lines of the unfinished event. */
  #begun: string[] = [];
  #lines: string[] = [];
  #isAfterCr = false;
  /** Whether the stream is JSON without events; null until it has begun. */
  #isJson: boolean | null = null;
  #chars = 0;

  constructor(read: ReadText, note: Note) {
    this.#read = read;
    this.#note = note;
  }

  /** @returns the events that are complete */
  add(text: string): string {
    if (text === '') return '';
    const from = this.#isAfterCr && text.startsWith('\n') ? 1 : 0;
    this.#isAfterCr = text.endsWith('\r');
    const [head = '', ...others] = text.slice(from).split(/\r\n|\r|\n/);
    this.#begun.push(head);
    let read = '';
    for (const next of others) {
      read += this.#line(this.#begun.join(''));
      this.#begun = [next];
    }
    return read;
  }

  /** @returns the last event, if no empty line has ended it */
  end(): string {
    const rest = this.#line(this.#begun.join(''));
    if (this.#isJson !== true) return rest + this.#event();
    return this.#writeEvents(this.#lines.join('\n'), null) ?? '';
  }

  #line(line: string): string {
    if (this.#isJson === null && line.trim() !== '') this.#isJson = /^\s*[[{]/.test(line);
    if (this.#isJson === true) {
      this.#chars += line.length + 1;
      if (this.#chars <= maxJson) this.#lines.push(line);
      return '';
    }
    if (line === '') return this.#event();
    // Comments are dropped: a flood of them would fill the memory.
    if (isField.test(line)) this.#lines.push(line);
    return '';
  }

  #event(): string {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length === 0) return '';
    const data = valuesOf('data', lines);
    const text = data.join('\n');
    const written =
      data.length === 0 ? null : this.#writeEvents(text, valuesOf('event', lines).at(-1) ?? '');
    if (written === null) return `${lines.join('\n')}\n\n`;
    const others = lines.filter((line) => !/^(data|event)(:|$)/.test(line));
    return others.map((line) => `${line}\n`).join('') + written;
  }

  /** @returns the messages in a text as events; null if the event is to stay as it is */
  #writeEvents(text: string, event: string | null): string | null {
    const isPlain = event === '' || event === 'message';
    // An event of another kind may have data of another kind.
    if (event !== null && !isPlain && !text.includes('"jsonrpc"')) return null;
    const read = this.#read(text);
    if (read === null || !read.messages.every(isMessage) || (isPlain && read.isSame)) return null;
    if (event === null)
      this.#note('A response of the type text/event-stream is JSON without an event.');
    else if (!isPlain)
      this.#note(`A message is in an event of the type “${showValue(event, 40)}”.`);
    return read.messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('');
  }
}

function valuesOf(field: string, lines: readonly string[]): string[] {
  return lines
    .filter((line) => line === field || line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
}
