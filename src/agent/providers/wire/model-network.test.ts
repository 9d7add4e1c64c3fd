import { expect, test } from 'vitest';
import { modelNetwork } from './model-network.ts';

test('a question lets the browser reuse its preflight, and everything else passes its cache by', async () => {
  const sent: RequestInit[] = [];
  const network = modelNetwork({
    fetch: (_, init) => {
      sent.push(init);
      return Promise.resolve(new Response('{}'));
    },
    location: { origin: 'https://cloche.example' },
    navigator: { onLine: true },
  });
  const { signal } = new AbortController();
  for (const method of ['POST', 'GET'])
    await network.send(signal, { url: 'https://m.example', method, headers: [], body: null });
  expect(
    sent.map(({ cache, mode, credentials, redirect }) => [cache, mode, credentials, redirect]),
  ).toEqual([
    ['default', 'cors', 'omit', 'manual'],
    ['no-store', 'cors', 'omit', 'manual'],
  ]);
});

test('an answer that is a redirect is an error that names the host', async () => {
  const network = modelNetwork({
    fetch: () => Promise.resolve({ type: 'opaqueredirect' } as Response),
    location: { origin: 'https://cloche.example' },
    navigator: { onLine: true },
  });
  const request = { url: 'https://m.example/v1', method: 'GET', headers: [], body: null };
  await expect(network.send(new AbortController().signal, request)).rejects.toThrow(
    'https://m.example redirects to another address.',
  );
});
