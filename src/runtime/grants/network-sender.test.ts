/** The channel to the network worker: answer, throw, death, deadline of the caller, abort. */

import { expect, test } from 'vitest';
import type { NetworkHead, NetworkWorker } from '../protocol/network.ts';
import { FakeWorker } from '../async/fake-worker.fixture.ts';
import { networkSender } from './network-sender.ts';

const request = { url: 'https://api.test/', method: 'GET', headers: [], body: null, secrets: [] };
const head: NetworkHead = { ok: true, status: 200, statusText: 'OK', headers: [] };
const never = (): Promise<never> => new Promise(() => undefined);

/** A worker that answers with headers and no body, except for its own methods. */
const fakeWorker = (own: Partial<NetworkWorker>): FakeWorker =>
  new FakeWorker({ open: () => head, read: never, ...own });

function senderOver(...workers: FakeWorker[]): ReturnType<typeof networkSender> {
  return networkSender(() => workers.shift() as unknown as Worker);
}

const { signal } = new AbortController();

test('a request resolves to its headers and then its body; failures are data', async () => {
  const pieces = [new Uint8Array([1]), null];
  const sent = await senderOver(
    fakeWorker({ read: () => Promise.resolve(pieces.shift() ?? null) }),
  )(signal, request);
  if ('failed' in sent) throw new Error(sent.why);
  expect([sent.status, await sent.read(), await sent.read()]).toEqual([
    200,
    new Uint8Array([1]),
    null,
  ]);
  const failed: NetworkHead = { ok: false, failed: 'redirect', why: 'elsewhere' };
  const refused = senderOver(fakeWorker({ open: () => Promise.resolve(failed) }));
  expect(await refused(signal, request)).toEqual({ failed: 'redirect', why: 'elsewhere' });
});

test('an exception in the worker is a network failure', async () => {
  const broken = fakeWorker({ open: () => Promise.reject(new Error('bug')) });
  expect(await senderOver(broken)(signal, request)).toEqual({ failed: 'network', why: 'bug' });
});

test('the death of the worker rejects pending requests, and the next one starts another worker', async () => {
  const dying = fakeWorker({ open: (id) => (id === 1 ? Promise.resolve(head) : never()) });
  const send = senderOver(dying, fakeWorker({}));
  const first = await send(signal, request);
  if ('failed' in first) throw new Error(first.why);
  const body = first.read();
  const second = send(signal, request);
  dying.dispatchEvent(new Event('error'));
  const why = 'The part of this page that sends requests has failed';
  await expect(body).rejects.toThrow(why);
  expect(await second).toEqual({ failed: 'network', why });
  expect(dying.terminated).toBe(true);
  expect(await send(signal, request)).toMatchObject({ status: 200 });
});

test('an abort also ends the request in the worker', async () => {
  const worker = fakeWorker({ open: never });
  const stop = new AbortController();
  const sent = senderOver(worker)(stop.signal, request);
  stop.abort(new Error('enough'));
  expect(await sent).toEqual({ failed: 'network', why: 'enough' });
  await expect.poll(() => worker.cancelled).toEqual([1]);
});
