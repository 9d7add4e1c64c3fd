/**
 * The frame's connection with the page around it: the port, which the page gives once (later offers are ignored), and
 * reports of the frame's height.
 */

import {
  embedLimits,
  floodedCode,
  type FromPlayground,
  helloMark,
  MessageRate,
  type PlaygroundSetup,
  readSetup,
  readToPlayground,
  requestNumber,
  setupMark,
  type ToPlayground,
} from '../../runtime/protocol/embed.ts';
import { asFields } from '../../runtime/spec/guards.ts';
import { defer } from '../../runtime/async/defer.ts';

export interface HostPort {
  readonly setup: PlaygroundSetup;
  send(message: FromPlayground): void;
  /** Sets the only listener; messages that arrived before it are kept for it. */
  listen(listener: (message: ToPlayground) => void): void;
}

/** Offers the playground to the page around it. Resolves when that has sent its setup. */
export function openHostPort(window: Window): Promise<HostPort> {
  return new Promise((resolve) => {
    const onMessage = ({ source, data, ports }: MessageEvent<unknown>): void => {
      const [port] = ports;
      const { type, setup: given } = asFields(data);
      // Another frame of the page may know the marks too.
      // @mutant playground: only the page around the frame sets it up => without source !== window.parent ||
      if (source !== window.parent || type !== setupMark || port === undefined) return;
      const setup = readSetup(given);
      if (setup === null) return;
      window.removeEventListener('message', onMessage);
      const rate = new MessageRate();
      resolve({
        setup,
        send: (message) => port.postMessage(message),
        listen: (listener) => {
          port.onmessage = (event: MessageEvent<unknown>) => {
            // @mutant playground: messages in a second => = rate.count(performance.now()) -> : string = 'read'
            const verdict = rate.count(performance.now());
            // A closed port costs nothing, not even the reading of what arrives.
            if (verdict === 'flood') hangUp(port);
            else if (verdict === 'many') refuse(port, requestNumber(event.data));
            else {
              const read = readToPlayground(event.data);
              if (read !== null) listener(read);
            }
          };
        },
      });
    };
    window.addEventListener('message', onMessage);
    // The message holds nothing, and the page's origin is not known yet.
    window.parent.postMessage(helloMark, '*');
  });
}

function hangUp(port: MessagePort): void {
  const message = 'The page has sent too many messages to the playground. Reload the page.';
  port.postMessage({
    type: 'error',
    code: floodedCode,
    message,
    hint: '',
  } satisfies FromPlayground);
  port.onmessage = null;
  port.close();
}

/** Answers a request that is not read, so that the page does not wait for it forever. */
function refuse(port: MessagePort, id: number | null): void {
  if (id === null) return;
  const failed = `More than ${String(embedLimits.messagesPerSecond)} messages in a second.`;
  port.postMessage({ type: 'answer', id, result: null, failed } satisfies FromPlayground);
}

/** Pixels; a smaller change is not worth a message. */
const least = 1;
/** Changes in one second after which the height only grows, since content that depends on the frame's height would swing. */
const steadyChanges = 12;

export class HeightReports {
  #last = 0;
  #second = 0;
  #changes = 0;

  /** @param now milliseconds @returns the height to report; null if none */
  next(height: number, now: number): number | null {
    const bounded = Math.min(Math.ceil(height), embedLimits.height);
    if (Math.abs(bounded - this.#last) < least) return null;
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) this.#changes = 0;
    this.#second = second;
    this.#changes += 1;
    if (this.#changes > steadyChanges && bounded < this.#last) return null;
    return (this.#last = bounded);
  }
}

/** Time that a page has to give its frame the reported height; milliseconds. */
const givenMs = 250;

/**
 * Reports the height of `content` now and whenever it changes. If the page does not give the frame that height, the
 * frame's document scrolls, marked with `data-scrolls`; not at once, so that no scrollbar comes and goes while the
 * frame grows.
 */
export function reportHeight(content: Element, report: (height: number) => void): void {
  const reports = new HeightReports();
  const { ownerDocument: document } = content;
  const window = document.defaultView;
  const height = (): number => content.getBoundingClientRect().height;
  const scrollIfCut = defer(() => {
    const isCut = window !== null && height() > window.innerHeight + least;
    document.documentElement.toggleAttribute('data-scrolls', isCut);
  }, givenMs);
  new ResizeObserver(() => {
    const reported = reports.next(height(), performance.now());
    if (reported !== null) report(reported);
    scrollIfCut();
  }).observe(content);
  window?.addEventListener('resize', scrollIfCut);
}
