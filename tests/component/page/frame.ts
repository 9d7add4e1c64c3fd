/** Stands in for src/runtime/sandbox/frame.ts on the test page: a broker without Python, over the same two ports. */

import { expose, wrap } from 'comlink';
import type { Broker, FrameBoot } from '../../../src/runtime/protocol/frame.ts';
import { noTap } from '../../../src/runtime/protocol/message-tap.ts';
import type { SandboxFrame } from '../../../src/runtime/sandbox/frame.ts';
import { FakeBroker } from './fake-broker.ts';

export function openFrame(
  _document: Document,
  _arriving: Promise<FrameBoot>,
  tap = noTap,
): Promise<SandboxFrame> {
  const control = new MessageChannel();
  const messages = new MessageChannel();
  for (const { port1 } of [control, messages]) tap.watch('broker', port1);
  let isConnected = true;
  const broker = new FakeBroker(messages.port2);
  expose(broker, control.port2);
  return Promise.resolve({
    broker: wrap<Broker>(control.port1),
    messages: messages.port1,
    onGone: () => undefined,
    onMessage: () => undefined,
    isConnected: () => isConnected,
    remove: () => {
      isConnected = false;
      broker.end();
      for (const port of [control.port1, messages.port1]) port.close();
    },
  });
}
