/** Watches the messages of a port, and reports those of a worker to the page, for the debug mode. */

import { MessageDescriber, type Description } from './message-description.ts';
import type { LoggedMessage, MessageReport } from './message-tap.ts';

/** Calls `seen` for each message that crosses a port, in both directions, before a transfer empties it. */
export function watchPort(
  port: EventTarget,
  seen: (sent: boolean, message: unknown, ports: readonly MessagePort[]) => void,
): void {
  port.addEventListener('message', (event) => {
    if (event instanceof MessageEvent) seen(false, event.data, event.ports);
  });
  const post: unknown = Reflect.get(port, 'postMessage');
  if (typeof post !== 'function') return;
  const watched = (...sent: unknown[]): void => {
    seen(true, sent[0], []);
    Reflect.apply(post, port, sent);
  };
  Object.assign(port, { postMessage: watched });
}

/** Messages of one report, and milliseconds between two reports: a flood reaches neither the page nor its memory. */
const maxReported = 200;
const reportMs = 200;

/** Reports the messages of a worker over a port of the page. */
export class MessageReporter {
  readonly #port: Pick<MessagePort, 'postMessage'>;
  #messages: LoggedMessage[] = [];
  #leftOut = 0;
  #isWaiting = false;

  constructor(port: Pick<MessagePort, 'postMessage'>) {
    this.#port = port;
  }

  /** Reports each message that crosses this port. */
  watch(port: EventTarget): void {
    const describer = new MessageDescriber();
    watchPort(port, (sent, message) => {
      if (this.#hasRoom()) this.#add(sent, describer.describe(message));
    });
  }

  add(sent: boolean, describe: () => Description): void {
    if (this.#hasRoom()) this.#add(sent, describe());
  }

  #hasRoom(): boolean {
    if (this.#messages.length < maxReported) return true;
    this.#leftOut += 1;
    return false;
  }

  #add(sent: boolean, description: Description): void {
    this.#messages.push({ at: Date.now(), sent, ...description });
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => this.#send(), reportMs);
  }

  #send(): void {
    this.#isWaiting = false;
    const report: MessageReport = { messages: this.#messages, leftOut: this.#leftOut };
    this.#messages = [];
    this.#leftOut = 0;
    this.#port.postMessage(report);
  }
}
