import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { ModelRequest, ToolDefinition } from '../../../runtime/spec/model.ts';
import { asker, hello, partsOf } from './endpoint.fixture.ts';
import { KnownVariants } from './known-variants.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
  endpoint.habits.otherwise = () => ({ text: 'Done.' });
});
afterAll(() => endpoint.close());

const hour = 3_600_000;
const request: ModelRequest = { ...hello, tools: ['a', 'b'].map(toolOf) };

function toolOf(name: string): ToolDefinition {
  return { name: `t__${name}`, description: 'T.', parameters: { type: 'object', properties: {} } };
}

function refuses(message: string): void {
  endpoint.answer({ status: 400, error: { message } });
}

/** Tool names of each request since the last call. */
function sentTools(): string[][] {
  const reported = endpoint.requests.map(({ body }) =>
    (body as { tools: { function: { name: string } }[] }).tools.map((tool) => tool.function.name),
  );
  endpoint.requests.length = 0;
  return reported;
}

const both = ['t__a', 't__b'];

test('a refused tool is left out of the next requests, for an hour', async () => {
  let now = 0;
  const ways = new KnownVariants(() => now);
  const ask = await asker('openai-compatible', endpoint.url, { ways });
  const again = await asker('openai-compatible', endpoint.url, { ways });
  refuses('tools.1: no');
  await partsOf(ask, request);
  expect(sentTools()).toEqual([both, ['t__a']]);
  now = hour - 1;
  await partsOf(again, request);
  expect(endpoint.requests[0]?.text).toContain('they cannot be called: t__b.');
  expect(sentTools()).toEqual([['t__a']]);
  // Using the entry did not extend its time.
  now = hour;
  await partsOf(again, request);
  expect(sentTools()).toEqual([both]);
});

test('other tools, models and addresses are not affected', async () => {
  const ways = new KnownVariants(() => 0);
  const ask = await asker('openai-compatible', endpoint.url, { ways });
  refuses('tools.1: no');
  await partsOf(ask, request);
  sentTools();
  const mended = { ...toolOf('b'), parameters: { type: 'object' } };
  await partsOf(ask, { ...request, tools: [toolOf('a'), mended] });
  await partsOf(await asker('openai-compatible', endpoint.url, { ways, model: 'other' }), request);
  const access = { baseUrl: `${endpoint.url.replace('127.0.0.1', 'localhost')}/v1` };
  const network = {
    send: (signal: AbortSignal, { url, body }: { url: string; body: string | null }) =>
      fetch(url.replace('localhost', '127.0.0.1'), { method: 'POST', body, signal }),
  };
  await partsOf(await asker('openai-compatible', endpoint.url, { ways, access, network }), request);
  expect(sentTools()).toEqual([both, both, both]);
});

test('adjustments for the conversation, and those that did not help, are not remembered', async () => {
  const ways = new KnownVariants(() => 0);
  const ask = await asker('openai-compatible', endpoint.url, { ways });
  refuses("property 'reasoning_content' is unsupported");
  await partsOf(ask, request);
  refuses('tools.1: no');
  refuses('messages: no');
  await expect(partsOf(ask, request)).rejects.toThrow('messages: no');
  sentTools();
  await partsOf(ask, request);
  expect(sentTools()).toEqual([both]);
});

test('only the latest entries are remembered', async () => {
  const ways = new KnownVariants(() => 0);
  const variant = { adjusted: new Set<never>(), without: new Set(['t__b']), leavesOutOpaque: true };
  const to = (n: number) => ({ kind: 'google', baseUrl: '', model: String(n) }) as const;
  for (let n = 0; n < 60; n += 1) await ways.keep(to(n), request, variant);
  const known = [];
  for (let n = 0; n < 60; n += 1) known.push((await ways.of(to(n), request)).without.size);
  expect(known).toEqual([...Array<number>(10).fill(0), ...Array<number>(50).fill(1)]);
  expect(await ways.of(to(59), request)).toEqual({ ...variant, leavesOutOpaque: false });
});
