import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { ModelNetwork } from './model-network.ts';
import { defaultLimits } from '../../../runtime/spec/limits.ts';
import type { HttpKind } from '../../../runtime/spec/model.ts';
import { accessTo, bareNetwork, kinds } from './endpoint.fixture.ts';
import { listModels } from './list-models.ts';
import { readPage } from '../listed-models.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
  endpoint.habits.key = null;
});
afterAll(() => endpoint.close());

const { signal } = new AbortController();

function list(kind: HttpKind, models = defaultLimits.models): Promise<readonly { id: string }[]> {
  return listModels(signal, accessTo(kind, endpoint.url), bareNetwork, {
    ...defaultLimits,
    models,
  });
}

for (const kind of kinds)
  test(`${kind}: models are listed with the key, page by page, up to a limit`, async () => {
    const ids = ['a', 'b', 'c', 'text-embedding-1', 'd'];
    Object.assign(endpoint.habits, {
      key: 'sk-secret-1234',
      pageSize: 2,
      models: ids.map((id) => ({ id })),
    });
    expect((await list(kind)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect((await list(kind, 2)).map(({ id }) => id)).toEqual(['a', 'b']);
    endpoint.habits.key = 'another';
    await expect(list(kind)).rejects.toMatchObject({ name: 'ModelError', fault: 'key' });
  });

test('if a server has no usual list, its own list is used', async () => {
  endpoint.habits.models = [{ id: 'llama3:8b' }];
  const access = { ...accessTo('openai-compatible', endpoint.url), baseUrl: `${endpoint.url}/api` };
  const listed = await listModels(signal, access, bareNetwork, defaultLimits);
  expect(listed.map(({ id }) => id)).toEqual(['llama3:8b']);
});

/** Responses of a remote server by address; other requests are refused. */
async function listElsewhere(
  baseUrl: string,
  answers: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const asked: (readonly [url: string, key: string | undefined])[] = [];
  const network: ModelNetwork = {
    ...bareNetwork,
    send: (_signal, { url, headers }) => {
      asked.push([url, headers.find(([name]) => name === 'authorization')?.[1]]);
      const value = answers[url];
      return Promise.resolve(
        Response.json(value ?? { error: { message: 'No.' } }, {
          status: value === undefined ? 401 : 200,
        }),
      );
    },
  };
  const access = { ...accessTo('openai-compatible', ''), baseUrl };
  const listed = await listModels(signal, access, network, defaultLimits);
  return { asked, ids: listed.map(({ id }) => id) };
}

test('a remote server receives the key only below its base URL', async () => {
  const key = 'Bearer sk-secret-1234';
  const shared = 'https://shared.example:11434';
  const tags = { models: [{ name: 'a' }] };
  const answers = { [`${shared}/mine/v1/models`]: { fine: true }, [`${shared}/api/tags`]: tags };
  expect(await listElsewhere(`${shared}/mine/v1`, answers)).toEqual({
    asked: [
      [`${shared}/mine/v1/models`, key],
      [`${shared}/api/tags`, undefined],
      [`${shared}/api/show`, undefined],
    ],
    ids: ['a'],
  });
  const near = 'http://192.168.1.7:11434';
  const own = { models: [{ name: 'b' }] };
  expect(await listElsewhere(`${near}/v1`, { [`${near}/api/tags`]: own })).toEqual({
    asked: [
      [`${near}/api/tags`, key],
      [`${near}/api/show`, key],
    ],
    ids: ['b'],
  });
});

test('a list with the content type of a web page is read', async () => {
  const answer = (body: string): Promise<unknown> => {
    const headers = { 'content-type': 'text/html; charset=UTF-8' };
    const send = () => Promise.resolve(new Response(body, { headers }));
    const network = { ...bareNetwork, send };
    const access = accessTo('openai-compatible', 'https://m.example');
    return listModels(signal, access, network, defaultLimits);
  };
  expect(await answer('\n{"data": [{"id": "a"}]}')).toMatchObject([{ id: 'a' }]);
  await expect(answer('<!doctype html><title>Sign in</title>')).rejects.toMatchObject({
    message: 'The endpoint answered with a web page.',
  });
});

test('a response that is not a list is refused', async () => {
  const network = { ...bareNetwork, send: () => Promise.resolve(Response.json({ fine: true })) };
  const access = accessTo('anthropic', endpoint.url);
  await expect(listModels(signal, access, network, defaultLimits)).rejects.toMatchObject({
    fault: 'answer',
    message: 'The endpoint returned no list of models.',
  });
});

test('OpenRouter’s list has prices per million tokens, contexts, images and tools', () => {
  const model = {
    id: 'maker/model',
    name: 'Maker: Model',
    context_length: 131_072,
    architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
    pricing: { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000125' },
    supported_parameters: ['tools'],
  };
  const free = {
    id: 'maker/free',
    pricing: { prompt: '0', completion: '0' },
    supported_parameters: [],
  };
  const auto = { id: 'auto', pricing: { prompt: '-1', completion: '-1' } };
  const drawn = { id: 'maker/painter', architecture: { output_modalities: ['image'] } };
  expect(readPage({ data: [model, free, auto, drawn] })).toEqual({
    models: [
      {
        id: 'maker/model',
        label: 'Maker: Model',
        context: 131_072,
        images: true,
        price: { input: 2.5, cached: 1.25, output: 10 },
      },
      {
        id: 'maker/free',
        label: 'maker/free',
        context: null,
        images: null,
        price: null,
        tools: false,
      },
      { id: 'auto', label: 'auto', context: null, images: null, price: null },
    ],
    next: null,
  });
});

test('the lists of vLLM, LM Studio, llama.cpp, Google, Anthropic and Ollama are read', () => {
  const pages = [
    { data: [{ id: 'qwen', max_model_len: 32_768 }] },
    { data: [{ id: 'vl', type: 'vlm', max_context_length: 8192, capabilities: ['tool_use'] }] },
    { data: [{ id: 'e', type: 'embeddings' }] },
    { data: [{ id: 'gguf', meta: { n_ctx_train: 4096 } }] },
    {
      models: [
        {
          name: 'models/gemini-2.5-flash',
          displayName: 'Gemini 2.5 Flash',
          inputTokenLimit: 1_048_576,
          supportedGenerationMethods: ['generateContent'],
        },
      ],
      nextPageToken: 'more&more',
    },
    {
      data: [{ id: 'claude-sonnet-4-5-20250929', display_name: 'Claude Sonnet 4.5' }],
      has_more: true,
      last_id: 'claude-sonnet-4-5-20250929',
    },
    { models: [{ name: 'llava:7b', model: 'llava:7b' }] },
  ];
  const model = { images: null, price: null };
  expect(pages.map(readPage)).toEqual([
    { models: [{ ...model, id: 'qwen', label: 'qwen', context: 32_768 }], next: null },
    { models: [{ ...model, id: 'vl', label: 'vl', context: 8192, images: true }], next: null },
    { models: [], next: null },
    { models: [{ ...model, id: 'gguf', label: 'gguf', context: 4096 }], next: null },
    {
      models: [
        {
          id: 'gemini-2.5-flash',
          label: 'Gemini 2.5 Flash',
          context: 1_048_576,
          images: true,
          price: null,
        },
      ],
      next: 'pageToken=more%26more',
    },
    {
      models: [
        {
          id: 'claude-sonnet-4-5-20250929',
          label: 'Claude Sonnet 4.5',
          context: 200_000,
          images: true,
          price: null,
        },
      ],
      next: 'after_id=claude-sonnet-4-5-20250929',
    },
    {
      models: [{ ...model, id: 'llava:7b', label: 'llava:7b', context: null, images: true }],
      next: null,
    },
  ]);
});

test('invalid entries of a list are skipped', () => {
  const long = { id: 'x'.repeat(300) };
  const odd = { id: 'odd', context_length: -5, pricing: { prompt: 'free', completion: {} } };
  expect([null, 'models', { data: 7 }].map(readPage)).toEqual([undefined, undefined, undefined]);
  expect(readPage([null, 7, {}, long, odd])).toEqual({
    models: [{ id: 'odd', label: 'odd', context: null, images: null, price: null }],
    next: null,
  });
});

test('reported capabilities take precedence over the name', () => {
  const digest = 'sha256:1';
  const pages = [
    // Ollama, and an embedding model.
    { models: [{ name: 'llava', digest, capabilities: ['completion'] }] },
    { models: [{ name: 'mine', digest, capabilities: ['completion', 'vision', 'tools'] }] },
    { models: [{ name: 'bert', digest, capabilities: ['embedding'] }] },
    // llama.cpp, older and newer, which does not report tool support.
    { data: [{ id: 'a' }], models: [{ name: 'a', capabilities: ['completion', 'multimodal'] }] },
    { data: [{ id: 'a' }], models: [{ name: 'a', capabilities: ['completion'], digest: '' }] },
    { data: [{ id: 'a', architecture: { input_modalities: ['text', 'image'] } }] },
    // LM Studio, Mistral, and a list with unknown fields.
    { data: [{ id: 'llava', type: 'llm', capabilities: ['tool_use'] }] },
    { data: [{ id: 'a', type: 'vlm', capabilities: [] }] },
    { data: [{ id: 'a', capabilities: { vision: false } }] },
    { data: [{ id: 'a', capabilities: ['streaming'] }] },
    // By name.
    { data: [{ id: 'gpt-oss:20b' }] },
    { data: [{ id: 'qwen3-vl:8b' }] },
  ];
  const reported = pages.map((page) =>
    readPage(page)?.models.map(({ images, tools }) => [images, tools === undefined]),
  );
  expect(reported).toEqual([
    [[false, false]],
    [[true, true]],
    [],
    [[true, true]],
    [[false, true]],
    [[true, true]],
    [[false, true]],
    [[true, false]],
    [[false, true]],
    [[null, true]],
    [[false, true]],
    [[true, true]],
  ]);
});

test("Ollama's own list is read, with capabilities requested per model where they are missing", async () => {
  const asked: string[] = [];
  const shown: Readonly<Record<string, string[]>> = {
    a: ['completion', 'vision'],
    b: ['completion', 'tools'],
    c: ['embedding'],
  };
  const network: ModelNetwork = {
    ...bareNetwork,
    send: (_, { url, method, body }) => {
      const text = body ?? '';
      asked.push(`${method} ${new URL(url).pathname} ${text}`.trim());
      const models = ['a', 'b', 'c', 'd'].map((name) => ({ name, digest: `sha256:${name}` }));
      if (text === '') return Promise.resolve(Response.json({ models }));
      const { model } = JSON.parse(text) as { model: string };
      const capabilities = shown[model];
      return Promise.resolve(
        capabilities === undefined
          ? Response.json({ error: 'gone' }, { status: 404 })
          : Response.json({ capabilities }),
      );
    },
  };
  const access = {
    ...accessTo('openai-compatible', endpoint.url),
    baseUrl: 'http://localhost:11434/v1',
  };
  const unknown = { context: null, price: null };
  expect(await listModels(signal, access, network, defaultLimits)).toEqual([
    { ...unknown, id: 'a', label: 'a', images: true, tools: false },
    { ...unknown, id: 'b', label: 'b', images: false },
    { ...unknown, id: 'd', label: 'd', images: null },
  ]);
  expect(asked).toEqual([
    'GET /api/tags',
    ...['a', 'b', 'c', 'd'].map((model) => `POST /api/show {"model":"${model}"}`),
  ]);
});

test('Ollama without capabilities is asked about one model only', async () => {
  endpoint.habits.models = [{ id: 'one' }, { id: 'two' }];
  const access = { ...accessTo('openai-compatible', endpoint.url), baseUrl: `${endpoint.url}/api` };
  const urls: string[] = [];
  const network: ModelNetwork = {
    ...bareNetwork,
    send: (stop, request) => {
      urls.push(new URL(request.url).pathname);
      return bareNetwork.send(stop, request);
    },
  };
  const listed = await listModels(signal, access, network, defaultLimits);
  expect(listed.map(({ id, images }) => [id, images])).toEqual([
    ['one', null],
    ['two', null],
  ]);
  expect(urls).toEqual(['/api/models', '/api/tags', '/api/show']);
});
