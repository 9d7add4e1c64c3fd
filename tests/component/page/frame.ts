/** Stands in for src/runtime/sandbox/frame.ts on the test page: a broker without Python, over the same two ports. */

import { expose, wrap } from 'comlink';
import type { Broker } from '../../../src/runtime/protocol/frame.ts';
import type { SandboxFrame } from '../../../src/runtime/sandbox/frame.ts';
import { FakeBroker } from './fake-broker.ts';

export function openFrame(): Promise<SandboxFrame> {
  const control = new MessageChannel();
  const messages = new MessageChannel();
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
