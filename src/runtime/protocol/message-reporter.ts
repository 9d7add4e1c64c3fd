/** Watches the messages of a port, and reports those of a worker to the page, for the debug mode. */

import { MessageDescriber } from './message-description.ts';
import type { Description, LoggedMessage, MessageReport } from './message-tap.ts';

/** A message of a port, in either direction. */
interface SeenMessage {
  readonly sent: boolean;
  readonly message: unknown;
  readonly ports: readonly MessagePort[];
}

/** Calls `seen` for each message of a port, before a transfer empties its buffers. */
export function watchPort(port: EventTarget, seen: (message: SeenMessage) => void): void {
  port.addEventListener('message', (event) => {
    if (event instanceof MessageEvent)
      seen({ sent: false, message: event.data, ports: event.ports });
  });
  const post: unknown = Reflect.get(port, 'postMessage');
  if (typeof post !== 'function') return;
  const watched = (...sent: unknown[]): void => {
    seen({ sent: true, message: sent[0], ports: [] });
    Reflect.apply(post, port, sent);
  };
  Object.assign(port, { postMessage: watched });
}

/** Limit of messages in a report, and milliseconds between reports, so that a flood does not reach the page. */
const maxReported = 200;
const reportMs = 200;

/** Reports the messages of a worker over a port of the page. */
export class MessageReporter {
  readonly #port: Pick<MessagePort, 'postMessage'>;
  #messages: LoggedMessage[] = [];
  #skipped = 0;
  #isWaiting = false;

  constructor(port: Pick<MessagePort, 'postMessage'>) {
    this.#port = port;
  }

  /** Reports each message that crosses this port. */
  watch(port: EventTarget): void {
    const describer = new MessageDescriber();
    watchPort(port, ({ sent, message }) => {
      if (this.#takeRoom()) this.#add({ sent, ...describer.describe(message) });
    });
  }

  /** Reports a message that crosses no port. */
  add({ sent }: Pick<LoggedMessage, 'sent'>, describe: () => Description): void {
    if (this.#takeRoom()) this.#add({ sent, ...describe() });
  }

  /** Returns whether one more message can be reported; if not, counts it as skipped. */
  #takeRoom(): boolean {
    if (this.#messages.length < maxReported) return true;
    this.#skipped += 1;
    return false;
  }

  #add(message: Omit<LoggedMessage, 'at'>): void {
    this.#messages.push({ at: Date.now(), ...message });
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => this.#send(), reportMs);
  }

  #send(): void {
    this.#isWaiting = false;
    const report: MessageReport = { messages: this.#messages, skipped: this.#skipped };
    this.#messages = [];
    this.#skipped = 0;
    this.#port.postMessage(report);
  }
}
