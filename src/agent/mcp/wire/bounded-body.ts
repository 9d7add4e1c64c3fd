/** Reads the body of a response message by message. */

import { joinBytes } from '../../../runtime/spec/bytes.ts';
import { McpError } from './mcp-error.ts';

/** Limit of a message, which is one response, or one event of a stream; bytes. */
const maxMessageBytes = 16 * 1024 * 1024;

const lf = 10;
const cr = 13;
const emptyLine = new Uint8Array([lf, lf]);

/**
 * The response, whose body fails if a message in it is too long.
 * @param onMessage called with each whole body, or the data of each event
 * @param onLimit called if a message is too long
 */
export function boundBody(
  response: Response,
  onMessage: (text: string) => void,
  onLimit: (fault: McpError) => void,
): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
  const message = isStream ? new EventBytes(onMessage) : new BodyBytes(onMessage);
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      // @mutant messages of MCP servers are bounded => never [src/agent/mcp/wire/server-fetch.test.ts]
      if (message.add(piece) <= maxMessageBytes) controller.enqueue(piece);
      else {
        const fault = new McpError('limit', `A message is longer than ${maxMessageBytes} bytes.`);
        controller.error(fault);
        onLimit(fault);
      }
    },
    flush(controller) {
      message.end();
      // Without an empty line behind it, the client ignores the last event, which may be the answer.
      if (isStream) controller.enqueue(emptyLine);
    },
  });
  return new Response(body.pipeThrough(counter), { status, statusText, headers });
}

/** A body that is one message. */
class BodyBytes {
  readonly #onMessage: (text: string) => void;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(onMessage: (text: string) => void) {
    this.#onMessage = onMessage;
  }

  /** @returns the length of the message so far */
  add(piece: Uint8Array): number {
    this.#pieces.push(piece.slice());
    return (this.#length += piece.byteLength);
  }

  end(): void {
    if (this.#length > 0) this.#onMessage(textOf(this.#pieces));
  }
}

/** A stream of events. Lines end with LF, CR LF or CR, and an empty line ends an event. */
class EventBytes {
  readonly #onMessage: (text: string) => void;
  #pieces: Uint8Array[] = [];
  /** Bytes of the event, and of the line in it. */
  #length = 0;
  #lineLength = 0;
  #lastByte = 0;

  constructor(onMessage: (text: string) => void) {
    this.#onMessage = onMessage;
  }

  /** @returns the length of the longest event that the piece has a part of */
  add(piece: Uint8Array): number {
    let longest = 0;
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      const isLineEnd = byte === lf || byte === cr;
      // The LF of CR LF ends no second line.
      const isSecond = byte === lf && this.#lastByte === cr;
      this.#lastByte = byte;
      this.#length += 1;
      longest = Math.max(longest, this.#length);
      if (!isLineEnd) this.#lineLength += 1;
      else if (!isSecond) {
        if (this.#lineLength === 0) {
          this.#pieces.push(piece.slice(from, at));
          from = at + 1;
          this.#endEvent();
        }
        this.#lineLength = 0;
      }
    }
    this.#pieces.push(piece.slice(from));
    return longest;
  }

  end(): void {
    this.#endEvent();
  }

  #endEvent(): void {
    const lines = textOf(this.#pieces).split(/\r\n|\r|\n/);
    const data = lines.filter((line) => line.startsWith('data:'));
    if (data.length > 0)
      this.#onMessage(data.map((line) => line.slice(5).replace(/^ /, '')).join('\n'));
    this.#pieces = [];
    this.#length = 0;
  }
}

function textOf(pieces: readonly Uint8Array[]): string {
  return new TextDecoder().decode(joinBytes(pieces));
}
