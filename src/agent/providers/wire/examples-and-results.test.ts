/** Examples and results of tools, as each provider gets them. */

import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { HttpKind, ToolDefinition } from '../../../runtime/spec/model.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import { asker, bareNetwork, hello, kinds, partsOf } from './endpoint.fixture.ts';
import { convertForAllKinds } from './conversion-preview.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => endpoint.reset());
afterAll(() => endpoint.close());

const parameters = {
  type: 'object',
  properties: { größe: { type: 'integer' }, city: { type: 'string' } },
  required: ['city'],
};
const tool: ToolDefinition = {
  name: 'weather__today',
  description: 'The weather.',
  parameters,
  examples: [{ city: 'Oslo', größe: 2 }],
  returns: { type: 'object', properties: { celsius: { type: 'number' } } },
};
const result =
  'The weather.\n\nThe result fits this JSON Schema: {"type":"object","properties":{"celsius":{"type":"number"}}}';
const description = `${result}\n\nExamples of arguments:\n{"city":"Oslo","größe":2}`;

/** Asks as if Anthropic's own address were the endpoint. */
const asAnthropic = {
  access: { baseUrl: 'https://api.anthropic.com/v1' },
  network: {
    send: (signal: AbortSignal, request: Parameters<typeof bareNetwork.send>[1]) =>
      bareNetwork.send(signal, {
        ...request,
        url: request.url.replace('https://api.anthropic.com', endpoint.url),
      }),
  },
};

async function toolsSent(kind: HttpKind, more = {}, asked = tool): Promise<JsonObject[]> {
  endpoint.answer({ text: 'Done.' }, { text: 'Done.' });
  await partsOf(await asker(kind, endpoint.url, more), { ...hello, tools: [asked] });
  const body = endpoint.requests.at(-1)?.body as { tools: JsonObject[] };
  return body.tools;
}

test('OpenAI and compatible servers get text', async () => {
  const named = { name: 'weather__today', description, parameters };
  expect(await toolsSent('openai-responses')).toEqual([
    { type: 'function', ...named, strict: false },
  ]);
  for (const kind of ['openai-chat', 'openai-compatible'] as const)
    expect(await toolsSent(kind)).toEqual([{ type: 'function', function: named }]);
});

test('Google gets text', async () => {
  expect(await toolsSent('google')).toEqual([
    {
      functionDeclarations: [
        { name: 'weather__today', description, parametersJsonSchema: parameters },
      ],
    },
  ]);
});

test('Anthropic gets examples in their own field, with its names of parameters', async () => {
  const [sent] = await toolsSent('anthropic', asAnthropic);
  const schema = sent?.input_schema as { properties: JsonObject };
  const [wire = ''] = Object.keys(schema.properties);
  expect(wire).toMatch(/^gr_e_h[0-9a-f]{10}$|^gr_+e_h[0-9a-f]{10}$/);
  expect(sent).toMatchObject({
    name: 'weather__today',
    description: result,
    input_examples: [{ city: 'Oslo', [wire]: 2 }],
  });
});

test('gateways get text instead of a field that they may refuse', async () => {
  const [sent] = await toolsSent('anthropic');
  expect(sent).toMatchObject({ description });
  expect(sent).not.toHaveProperty('input_examples');
});

test('examples that Anthropic refuses are sent as text', async () => {
  const message = 'tools.0.custom.input_examples.0: does not match input_schema';
  endpoint.answer({ status: 400, error: { message } });
  const [sent] = await toolsSent('anthropic', asAnthropic);
  expect(endpoint.requests).toHaveLength(2);
  expect(sent).toMatchObject({ description });
  expect(sent).not.toHaveProperty('input_examples');
});

test('a server that accepts only short descriptions gets the description alone', async () => {
  const message =
    "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024";
  for (const kind of kinds) {
    endpoint.reset();
    endpoint.answer({ status: 400, error: { message } });
    expect(JSON.stringify(await toolsSent(kind)), kind).toContain('"description":"The weather."');
    expect(endpoint.requests, kind).toHaveLength(2);
  }
});

test('the preview of a definition is what is sent', async () => {
  for (const { kind, definition } of await convertForAllKinds(tool)) {
    endpoint.reset();
    const [sent] = await toolsSent(kind, kind === 'anthropic' ? asAnthropic : {});
    const [own] = (sent?.functionDeclarations as JsonObject[] | undefined) ?? [sent];
    // The SDK adds where the cache ends, and how arguments are streamed.
    const { cache_control: _, eager_input_streaming: __, ...rest } = own ?? {};
    expect(definition, kind).toEqual(rest);
  }
});

test('a seed is sent where there is one, and left out after a refusal', async () => {
  const seeds: unknown[] = [];
  for (const kind of ['openai-chat', 'openai-compatible', 'google'] as const) {
    endpoint.reset();
    endpoint.answer(
      { text: 'A' },
      { status: 400, error: { message: 'Unknown name "seed"' } },
      { text: 'B' },
    );
    const ask = await asker(kind, endpoint.url);
    for (let n = 0; n < 2; n += 1) await partsOf(ask, { ...hello, seed: 7 });
    for (const { body } of endpoint.requests) {
      const sent = body as { seed?: number; generationConfig?: { seed?: number } };
      seeds.push(sent.seed ?? sent.generationConfig?.seed);
    }
  }
  expect(seeds).toEqual([7, 7, undefined, 7, 7, undefined, 7, 7, undefined]);
});
