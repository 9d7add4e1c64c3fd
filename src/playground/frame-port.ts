/** The frame's end of the wire to the page around it. The page gives its port once; later offers are ignored. */

import {
  helloMark,
  MessageRate,
  readSetup,
  readToPlayground,
  setupMark,
  type FromPlayground,
  type PlaygroundSetup,
  type ToPlayground,
} from '../protocol/embed.ts';
import { fields } from '../spec/guards.ts';

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
      const { type, setup: given } = fields(data);
      // Another frame of the page may know the marks too.
      if (source !== window.parent || type !== setupMark || port === undefined) return;
      const setup = readSetup(given);
      if (setup === null) return;
      window.removeEventListener('message', onMessage);
      const rate = new MessageRate();
      resolve({
        setup,
        send: (message) => {
          port.postMessage(message);
        },
        listen: (listener) => {
          port.onmessage = ({ data: message }: MessageEvent<unknown>) => {
            const read = rate.allows(performance.now()) ? readToPlayground(message) : null;
            if (read !== null) listener(read);
          };
        },
      });
    };
    window.addEventListener('message', onMessage);
    // It holds nothing, and the page's origin is not known yet.
    window.parent.postMessage(helloMark, '*');
  });
}
