/** The frame's end of the wire to the page around it. The page gives its port once; later offers are ignored. */

import {
  embedLimits,
  floodedCode,
  helloMark,
  MessageRate,
  readSetup,
  readToPlayground,
  requestNumber,
  setupMark,
  type FromPlayground,
  type PlaygroundSetup,
  type ToPlayground,
} from '../../runtime/protocol/embed.ts';
import { asFields } from '../../runtime/spec/guards.ts';

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
