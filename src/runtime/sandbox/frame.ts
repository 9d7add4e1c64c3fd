/** The sandbox frame: an iframe with an opaque origin and a policy that blocks all requests. It runs our broker. */

import { hash, source } from 'virtual:cloche/frame-boot';
import { transfer, wrap, type Remote } from 'comlink';
import type { Broker, FrameBoot } from '../protocol/frame.ts';
import { noTap } from '../protocol/message-tap.ts';

export interface SandboxFrame {
  readonly broker: Remote<Broker>;
  /** Carries calls, and messages that the broker sends on its own initiative. */
  readonly messages: MessagePort;
  /**
   * Calls the listener when the frame is removed from the page, when another document loads in it or, where the browser
   * reports it, when the broker ends.
   */
  onGone(listener: () => void): void;
  onMessage(listener: () => void): void;
  /** Whether the frame is still in the page. */
  isConnected(): boolean;
  /** Ends everything in the frame immediately. */
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
 * Adds a frame to the page and starts the broker in it once its files have arrived and the frame has loaded.
 * @throws errors of `arriving`
 */
export async function openFrame(
  document: Document,
  arriving: Promise<FrameBoot>,
  tap = noTap,
): Promise<SandboxFrame> {
  const frame = document.createElement('iframe');
  // @mutant the frame's opaque origin => scripts' -> scripts allow-same-origin' [app tests/threats/escapes.test.ts
  //   rows 1 and 2: storage of the app is out of reach]
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('aria-hidden', 'true');
  frame.title = 'Python sandbox';
  frame.hidden = true;
  // @mutant the frame's policy => without meta http-equiv="Content-Security-Policy" content="${policy}"><
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
  for (const { port1 } of [control, messages]) tap.watch('broker', port1);
  // An opaque origin cannot be named as the target origin, hence '*'.
  frame.contentWindow?.postMessage(boot, '*', [control.port2, messages.port2]);
  const broker = wrap<Broker>(control.port1);
  const reports = tap.reports('tool worker');
  // The port for reports is sent first, so that all later messages are reported.
  if (reports !== null) void broker.report(transfer(reports, [reports]));
  return {
    broker,
    messages: messages.port1,
    onGone: (listener) => {
      // The other end closes with its worker, which ends with the frame or with its process.
      messages.port1.addEventListener('close', listener, { once: true });
      // A page around this one may navigate the frame. What ran in it has ended.
      // @mutant a sandbox frame that was navigated is noticed => removed
      frame.addEventListener('load', listener, { once: true, signal: watch.signal });
      // A browser extension or another script may remove the frame without notice.
      whenRemoved(frame, watch.signal, listener);
    },
    onMessage: (listener) => {
      for (const port of [control.port1, messages.port1])
        port.addEventListener('message', listener);
    },
    isConnected: () => frame.isConnected,
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
