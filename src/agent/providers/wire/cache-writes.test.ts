import { afterAll, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import { asker, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
afterAll(() => endpoint.close());

test('tokens that Claude wrote to its cache are counted apart from those that it read', async () => {
  const usage = { input: 1_000, cached: 300, output: 20, reasoning: 0, cacheWrites: 600 };
  endpoint.answer({ text: 'Hello.', usage });
  const parts = await partsOf(await asker('anthropic', endpoint.url));
  expect(parts.at(-1)).toMatchObject({
    usage: { input: 1_000, cached: 300, output: 20, cacheWrites: 600 },
  });
});

test('an impossible count is ignored', async () => {
  const usage = { input: -1, cached: 0, output: 1e300, reasoning: 0 };
  for (const kind of ['openai-compatible', 'openai-responses'] as const) {
    endpoint.answer({ text: 'Hello.', usage });
    const parts = await partsOf(await asker(kind, endpoint.url));
    expect(parts.at(-1)).toMatchObject({ type: 'ended', usage: { input: null, output: null } });
  }
});
