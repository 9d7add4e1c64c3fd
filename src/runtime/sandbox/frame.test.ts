/** The restrictions that the frame requests from the browser. tests/threats shows that they hold. */

import { expect, it, vi } from 'vitest';
import type { FrameBoot } from '../protocol/frame.ts';
import { openFrame } from './frame.ts';

vi.mock('virtual:cloche/frame-boot', () => ({ source: 'boot()', hash: 'the-hash' }));

/** A document that accepts one frame, which loads immediately. */
function fakeDocument() {
  const attributes: Record<string, string> = {};
  const posted: unknown[][] = [];
  const loads: (() => void)[] = [];
  const frame = {
    srcdoc: '',
    isConnected: false,
    setAttribute: (name: string, value: string) => (attributes[name] = value),
    addEventListener: (_: string, then: () => void) => {
      if (loads.length === 0) queueMicrotask(then);
      loads.push(then);
    },
    remove: () => (frame.isConnected = false),
    contentWindow: { postMessage: (...message: unknown[]) => posted.push(message) },
  };
  const document = {
    createElement: () => frame,
    body: { append: () => (frame.isConnected = true) },
  };
  return { document: document as unknown as Document, frame, attributes, posted, loads };
}

it('has an opaque origin and a policy that blocks all requests', async () => {
  const { document, frame, attributes, posted } = fakeDocument();
  const boot = { broker: new Blob(), toolWorker: new Blob() } as FrameBoot;
  const opened = await openFrame(document, Promise.resolve(boot));
  expect(attributes).toEqual({ sandbox: 'allow-scripts', 'aria-hidden': 'true' });
  const [, policy = '', script] =
    /^<!doctype html><meta http-equiv="Content-Security-Policy" content="([^"]*)"><script>(.*)<\/script>$/.exec(
      frame.srcdoc,
    ) ?? [];
  expect(policy.split('; ').sort()).toEqual([
    "base-uri 'none'",
    "connect-src 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "script-src 'sha256-the-hash' blob: 'wasm-unsafe-eval'",
    'worker-src blob:',
  ]);
  expect([script, posted[0]?.[0], posted.length]).toEqual(['boot()', boot, 1]);
  opened.remove();
  expect(opened.isConnected()).toBe(false);
});

it('removes the frame if the broker’s files do not arrive', async () => {
  const { document, frame, posted } = fakeDocument();
  await expect(openFrame(document, Promise.reject(new Error('offline')))).rejects.toThrow(
    'offline',
  );
  expect([frame.isConnected, posted]).toEqual([false, []]);
});

it('counts as gone when another document loads in it', async () => {
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe = (): void => undefined;
      disconnect = (): void => undefined;
    },
  );
  const { document, frame, loads } = fakeDocument();
  Object.assign(frame, { ownerDocument: document });
  const opened = await openFrame(document, Promise.resolve({} as FrameBoot));
  const onGone = vi.fn();
  opened.onGone(onGone);
  expect(onGone).not.toHaveBeenCalled();
  loads.at(-1)?.();
  expect(onGone).toHaveBeenCalledTimes(1);
  opened.remove();
  vi.unstubAllGlobals();
});

it('calls the listener for every message from the broker, on both ports', async () => {
  const { document, posted } = fakeDocument();
  const opened = await openFrame(document, Promise.resolve({} as FrameBoot));
  const heard = vi.fn();
  opened.onMessage(heard);
  opened.messages.start();
  const [control, messages] = posted[0]?.[2] as MessagePort[];
  void opened.broker.ping();
  messages?.postMessage({ type: 'step', step: '' });
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
  control?.postMessage({});
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2));
  opened.remove();
});
