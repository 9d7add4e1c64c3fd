import { expect, test } from 'vitest';
import type { Send } from '../grants/sender.ts';
import type { NetworkRequest } from '../protocol/network.ts';
import { modelNetwork } from './model-fetch.ts';

const request: NetworkRequest = {
  ...{ url: 'https://api.example/v1/chat', method: 'POST' },
  headers: [['authorization', 'Bearer key']],
  body: new TextEncoder().encode('{}'),
};
const { signal } = new AbortController();

function networkOf(send: Send): ReturnType<typeof modelNetwork> {
  return modelNetwork(send, 'https://cloche.example', () => true);
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

test('an answer comes with its status, its headers and its body as it is read', async () => {
  const asked: string[] = [];
  const pieces = ['data: 1\n\n', 'data: 2\n\n'];
  const network = networkOf((_signal, { url }) => {
    asked.push(url);
    return Promise.resolve({
      ...{ status: 429, statusText: 'Slow', headers: [['retry-after', '3']] as const },
      read: () => {
        asked.push('read');
        const piece = pieces.shift();
        return Promise.resolve(piece === undefined ? null : bytes(piece));
      },
      cancel: () => {
        asked.push('cancel');
      },
    });
  });
  const response = await network.send(signal, request);
  expect(asked).toEqual(['https://api.example/v1/chat']);
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
  expect(await response.text()).toBe('data: 1\n\ndata: 2\n\n');
  expect(asked).toEqual(['https://api.example/v1/chat', 'read', 'read', 'read']);
});

test('giving up a body gives up the request', async () => {
  const done: string[] = [];
  const network = networkOf(() =>
    Promise.resolve({
      ...{ status: 200, statusText: '', headers: [] },
      read: () => Promise.resolve(bytes('more')),
      cancel: () => {
        done.push('cancelled');
      },
    }),
  );
  const response = await network.send(signal, request);
  await response.body?.cancel();
  expect(done).toEqual(['cancelled']);
});

test('a body whose connection breaks throws what broke it', async () => {
  const network = networkOf(() =>
    Promise.resolve({
      ...{ status: 200, statusText: '', headers: [] },
      read: () => Promise.reject(new TypeError('network error')),
      cancel: () => {},
    }),
  );
  const response = await network.send(signal, request);
  await expect(response.text()).rejects.toThrow('network error');
});

test('a redirect is refused with words, no answer is an error, an abort its reason', async () => {
  const redirect = networkOf(() => Promise.resolve({ failed: 'redirect', why: 'a redirect' }));
  await expect(redirect.send(signal, request)).rejects.toMatchObject({
    name: 'ModelError',
    fault: 'request',
    message:
      'https://api.example leads to another address. That was not followed, since the key would have gone along.',
  });
  const none = networkOf(() => Promise.resolve({ failed: 'network', why: 'Failed to fetch' }));
  await expect(none.send(signal, request)).rejects.toThrow(new TypeError('Failed to fetch'));
  const stop = new AbortController();
  const reason = new Error('enough');
  const aborted = networkOf(() => {
    stop.abort(reason);
    return Promise.resolve({ failed: 'network', why: 'aborted' });
  });
  await expect(aborted.send(stop.signal, request)).rejects.toBe(reason);
});

test('whether anything answers is asked blindly and without a key', async () => {
  const asked: NetworkRequest[] = [];
  const done: string[] = [];
  const network = networkOf((_signal, sent) => {
    asked.push(sent);
    if (sent.url.endsWith('/gone')) return Promise.resolve({ failed: 'network', why: 'none' });
    return Promise.resolve({
      ...{ status: 0, statusText: '', headers: [] },
      read: () => Promise.resolve(null),
      cancel: () => {
        done.push('cancelled');
      },
    });
  });
  expect(await network.answers(signal, 'https://api.example/v1/models')).toBe(true);
  expect(await network.answers(signal, 'https://api.example/gone')).toBe(false);
  expect(done).toEqual(['cancelled']);
  const blind = { method: 'GET', headers: [], body: null, blind: true };
  expect(asked).toEqual([
    { url: 'https://api.example/v1/models', ...blind },
    { url: 'https://api.example/gone', ...blind },
  ]);
});
