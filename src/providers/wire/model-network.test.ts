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
  await network.answers(signal, 'https://m.example');
  expect(sent.map(({ cache, mode, credentials }) => [cache, mode, credentials])).toEqual([
    ['default', 'cors', 'omit'],
    ['no-store', 'cors', 'omit'],
    ['no-store', 'no-cors', 'omit'],
  ]);
});
