/** What the tool worker reports when the browser cannot hand it a message, such as the compiled module. */

import { expect, it, vi } from 'vitest';

const posted: string[] = [];

class FakeScope extends EventTarget {
  readonly postMessage = (message: string): void => void posted.push(message);
}

// Node 20 does not have it yet.
Object.assign(Promise, {
  withResolvers: <T>() => {
    const made = {} as PromiseWithResolvers<T>;
    made.promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }));
    return made;
  },
});

it('reports that the start has failed when it cannot read a message', async () => {
  vi.stubGlobal('self', new FakeScope());
  await import('./worker.ts');
  self.dispatchEvent(new MessageEvent('message', { data: {} }));
  expect(posted).toEqual([]);
  self.dispatchEvent(new MessageEvent('messageerror'));
  expect(posted.map((message) => message.slice(1))).toEqual([
    '{"t":"failed","id":0}\na message could not be read',
  ]);
  vi.unstubAllGlobals();
});
