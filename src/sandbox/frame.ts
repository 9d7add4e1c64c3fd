/** The sealed frame: an opaque origin whose policy lets nothing out, with our broker in it. */

import { hash, source } from 'virtual:cloche/frame-boot';
import { wrap, type Remote } from 'comlink';
import type { Broker, FrameBoot } from '../protocol/frame.ts';

export interface SandboxFrame {
  readonly broker: Remote<Broker>;
  /** Calls, and what the broker tells unasked. */
  readonly messages: MessagePort;
  /** Told when the frame was taken out of the page, and where browsers tell it, when the broker is gone. */
  onGone(listener: () => void): void;
  /** It has not been taken out of the page. */
  isHere(): boolean;
  /** Ends everything in the frame at once. */
  remove(): void;
}

const policy = [
  "default-src 'none'",
  `script-src 'sha256-${hash}' blob: 'wasm-unsafe-eval'`,
  'worker-src blob:',
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Adds a frame to the page and starts the broker in it, as soon as both are there.
 * @throws what the broker's arrival throws
 */
export async function openFrame(
  document: Document,
  arriving: Promise<FrameBoot>,
): Promise<SandboxFrame> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('aria-hidden', 'true');
  frame.title = 'Python sandbox';
  frame.hidden = true;
  frame.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><script>${source}</script>`;
  const loaded = new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true });
  });
  document.body.append(frame);
  let boot: FrameBoot;
  try {
    [boot] = await Promise.all([arriving, loaded]);
  } catch (thrown) {
    frame.remove();
    throw thrown;
  }
  const control = new MessageChannel();
  const messages = new MessageChannel();
  const watch = new AbortController();
  // The frame's origin is opaque: no other target origin can name it.
  frame.contentWindow?.postMessage(boot, '*', [control.port2, messages.port2]);
  return {
    broker: wrap<Broker>(control.port1),
    messages: messages.port1,
    onGone: (listener) => {
      // The other end goes with its worker: with the frame, or with the process that they live in.
      messages.port1.addEventListener('close', listener, { once: true });
      // Nobody has to tell of a frame that somebody else removes: a browser's extension, or another script.
      whenRemoved(frame, watch.signal, listener);
    },
    isHere: () => frame.isConnected,
    remove: () => {
      watch.abort();
      control.port1.close();
      messages.port1.close();
      frame.remove();
    },
  };
}

function whenRemoved(frame: HTMLElement, signal: AbortSignal, then: () => void): void {
  const observer = new MutationObserver(() => {
    if (frame.isConnected) return;
    observer.disconnect();
    then();
  });
  observer.observe(frame.ownerDocument.body, { childList: true });
  signal.addEventListener('abort', () => {
    observer.disconnect();
  });
}
