/** Acknowledges a subscription in place of a server that does not: the client waits for the acknowledgement. */

import { asFields } from '../../../../runtime/spec/guards.ts';
import type { Note, PendingRequest, ReadMessages } from './reading.ts';

const method = 'notifications/subscriptions/acknowledged';
/** Longest wait for the server; milliseconds. */
const acknowledgeMs = 3_000;

export class Subscription {
  readonly #request: PendingRequest;
  readonly #note: Note;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAcknowledged = false;

  constructor(request: PendingRequest, note: Note) {
    this.#request = request;
    this.#note = note;
  }

  /** @param write writes into the stream that the client reads */
  start(write: (text: string) => void): void {
    this.#timer = setTimeout(() => {
      if (this.#isAcknowledged) return;
      try {
        write(`data: ${JSON.stringify(this.#acknowledgement())}\n\n`);
      } catch {
        // The client has closed the stream.
      }
    }, acknowledgeMs);
  }

  /** Puts the acknowledgement before the first message, unless that is the acknowledgement. */
  read(read: ReadMessages): ReadMessages {
    const [first] = read.messages;
    const { method: of } = asFields(first);
    if (this.#isAcknowledged || typeof of !== 'string') return read;
    if (of !== method)
      return { messages: [this.#acknowledgement(), ...read.messages], isSame: false };
    this.#isAcknowledged = true;
    return read;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #acknowledgement(): object {
    this.#isAcknowledged = true;
    this.#note(`${this.#request.method}: the stream does not begin with ${method}.`);
    const { id, params } = this.#request;
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    return {
      jsonrpc: '2.0',
      method,
      params: { notifications: asFields(params.notifications), _meta },
    };
  }
}
