/** Valid tool schemas that some providers refuse: no session may end because of one. */

import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import type { ModelRequest, ToolDefinition } from '../../../runtime/spec/model.ts';
import { asker, hello, kinds, partsOf } from './endpoint.fixture.ts';
import { limitDepth, forAnthropic, forCompatible, forGoogle, forOpenAI } from './tool-schemas.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const text = { type: 'string' };
const count = { type: 'integer' };
const awkward: Readonly<Record<string, JsonObject>> = {
  bare: { type: 'object', properties: { list: { type: ['array', 'null'] } } },
  nested: {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'array' }, default: [{ items: [] }] } },
  },
  oldTuple: {
    type: 'object',
    properties: { at: { type: 'array', items: [count, text], additionalItems: false } },
  },
  tuple: { type: 'object', properties: { at: { type: 'array', prefixItems: [count, count] } } },
  draft4: {
    $schema: 'http://json-schema.org/draft-04/schema#',
    type: 'object',
    properties: { n: { type: 'number', minimum: 1, exclusiveMinimum: true } },
  },
  either: {
    type: 'object',
    properties: { id: text, name: text },
    anyOf: [{ required: ['id'] }, { required: ['name'] }],
  },
  variants: {
    type: 'object',
    oneOf: [{ $ref: '#/$defs/a' }, { properties: { b: count, of: count }, required: ['b', 'of'] }],
    $defs: { a: { type: 'object', properties: { a: text, of: text }, required: ['a', 'of'] } },
  },
  all: { type: 'object', allOf: [{ properties: { a: text }, required: ['a'] }], not: { enum: [] } },
  deep: deep(20),
  recursive: { type: 'object', properties: { next: { $ref: '#' } } },
  percent: {
    type: 'object',
    properties: { '100%': text, same: { $ref: '#/properties/100%25%' }, größe: text },
  },
};

function deep(levels: number): JsonObject {
  return levels === 0 ? text : { type: 'object', properties: { in: deep(levels - 1) } };
}

function toolOf(name: string, parameters: JsonObject): ToolDefinition {
  return { name: `t__${name}`, description: 'T.', parameters };
}

const tools = Object.entries(awkward).map(([name, parameters]) => toolOf(name, parameters));
const none: ReadonlySet<never> = new Set();

for (const kind of kinds)
  test(`${kind}: awkward schemas are accepted`, async () => {
    endpoint.answer({ text: 'Done.' });
    const parts = await partsOf(await asker(kind, endpoint.url), { ...hello, tools });
    expect(parts[0]).toMatchObject({ type: 'text', delta: 'Done.' });
    for (const { name } of tools) expect(endpoint.requests.at(-1)?.text).toContain(`"${name}"`);
  });

test('schemas that need no change stay the same object', () => {
  const plain = toolOf('plain', {
    type: 'object',
    properties: {
      list: { type: 'array', items: { anyOf: [text, { $ref: '#/$defs/a' }] } },
      pair: { type: 'array', prefixItems: [text], items: {}, enum: [{ items: [1] }] },
    },
    required: ['list'],
    $defs: { a: { type: 'object', properties: { type: text, items: text } } },
    additionalProperties: false,
  });
  for (const tell of [forOpenAI, forCompatible, forAnthropic, forGoogle])
    expect(tell(plain, none).parameters).toBe(plain.parameters);
});

test('arrays get items', () => {
  const reported = (name: string): unknown =>
    forOpenAI(toolOf(name, awkward[name] ?? {}), none).parameters.properties;
  expect(['bare', 'nested', 'oldTuple', 'tuple'].map(reported)).toEqual([
    { list: { type: ['array', 'null'], items: {} } },
    {
      list: { type: 'array', items: { type: 'array', items: {} }, default: [{ items: [] }] },
    },
    {
      at: {
        type: 'array',
        prefixItems: [count, text],
        items: { anyOf: [count, text] },
        maxItems: 2,
      },
    },
    { at: { type: 'array', prefixItems: [count, count], items: count } },
  ]);
});

test('tuples and bounds of earlier drafts are converted for Anthropic', () => {
  const reported = (name: string): unknown =>
    forAnthropic(toolOf(name, awkward[name] ?? {}), none).parameters.properties;
  expect(['bare', 'oldTuple', 'draft4'].map(reported)).toEqual([
    awkward.bare?.properties,
    { at: { type: 'array', prefixItems: [count, text], items: false } },
    { n: { type: 'number', exclusiveMinimum: 1 } },
  ]);
});

test('alternatives become one list of parameters, with a note in the description', () => {
  const reported = (name: string): ToolDefinition =>
    forOpenAI(toolOf(name, awkward[name] ?? {}), none);
  const words = 'T.\n\nThe arguments must also fit this JSON Schema: ';
  expect(reported('either')).toEqual({
    name: 't__either',
    description: `${words}{"anyOf":[{"required":["id"]},{"required":["name"]}]}`,
    parameters: { type: 'object', properties: { id: text, name: text } },
  });
  expect(reported('variants').parameters).toEqual({
    type: 'object',
    $defs: awkward.variants?.$defs,
    properties: { a: text, of: { anyOf: [text, count] }, b: count },
    required: ['of'],
  });
  expect(reported('all').parameters).toEqual({
    type: 'object',
    properties: { a: text },
    required: ['a'],
  });
});

test('schemas that are too deep are cut, with references resolved', () => {
  expect(limitDepth(deep(20), 3)).toEqual({
    type: 'object',
    properties: { in: { type: 'object', properties: { in: { type: 'object' } } } },
  });
  expect(
    limitDepth(
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/a' }, loop: { $ref: '#/$defs/loop' } },
        $defs: {
          a: { type: 'array', description: 'A.', items: { $ref: '#/$defs/a' } },
          loop: { not: { $ref: '#/$defs/loop' } },
        },
      },
      2,
    ).properties,
  ).toMatchObject({ a: { type: 'array', description: 'A.', items: {} }, loop: {} });
});

test('a hostile schema grows only up to a limit', () => {
  const twice = { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] };
  const wide = (to: string): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, { $ref: to }])),
  });
  let places: JsonObject = text;
  for (let n = 0; n < 45; n += 1) places = { type: 'array', prefixItems: [places] };
  const hostile: Record<string, JsonObject> = {
    doubling: { type: 'object', properties: { x: { $ref: '#/$defs/a' } }, $defs: { a: twice } },
    // No reference leads back.
    dag: {
      ...wide('#/$defs/b'),
      $defs: { b: wide('#/$defs/c'), c: wide('#/$defs/d'), d: wide('#/$defs/e'), e: text },
    },
    itself: { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: twice } },
    places: { type: 'object', properties: { at: places } },
    branches: {
      type: 'object',
      anyOf: Array.from({ length: 10_000 }, () => ({ $ref: '#/$defs/b' })),
      $defs: { b: { ...wide('#/$defs/e'), required: names(20_000) }, e: text },
    },
    required: { type: 'object', anyOf: [{ required: names(50_000) }, { required: names(50_000) }] },
  };
  const adjusted = new Set(['plain-schemas', 'shallow-schemas'] as const);
  for (const [name, schema] of Object.entries(hostile))
    for (const tell of [forOpenAI, forCompatible, forAnthropic, forGoogle]) {
      const reported = JSON.stringify(tell(toolOf(name, schema), adjusted));
      expect(reported.length).toBeLessThan(2 * JSON.stringify(schema).length + 400_000);
    }
});

function names(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `p${n}`);
}

test('a referenced schema that does not fit is reduced to its type', () => {
  const long = { type: 'object', description: 'x'.repeat(40_000), properties: { a: text } };
  const $ref = '#/$defs/long';
  const properties = { a: { $ref }, b: { $ref }, c: { $ref, description: 'C.' } };
  const reported = limitDepth({ type: 'object', properties, $defs: { long } }, 3).properties;
  expect(reported).toEqual({ a: long, b: long, c: { type: 'object', description: 'C.' } });
});

const said: readonly (readonly [string, string])[] = [
  ['OpenAI, by name', "Invalid schema for function 't__b': 'x' is not valid under any schema."],
  ['Anthropic, by place', 'tools.1.custom.input_schema: JSON schema is invalid.'],
  ['Google, by place', 'GenerateContentRequest.tools[0].function_declarations[1].name: Invalid.'],
  ['a gateway', 'body.tools[1].function.parameters: unsupported'],
];
const three: ModelRequest = {
  ...hello,
  tools: ['a', 'b', 'c'].map((name) => toolOf(name, { type: 'object', properties: {} })),
};

for (const [who, message] of said)
  test(`a tool that is still refused is left out, and the model is informed: ${who}`, async () => {
    endpoint.answer({ status: 400, error: { message } }, { text: 'Done.' });
    const parts = await partsOf(await asker('openai-compatible', endpoint.url), three);
    expect(parts[0]).toMatchObject({ type: 'text', delta: 'Done.' });
    const { messages, tools: left } = endpoint.requests[1]?.body as {
      messages: { content: string }[];
      tools: { function: { name: string } }[];
    };
    expect(left.map((tool) => tool.function.name)).toEqual(['t__a', 't__c']);
    expect(messages[0]?.content).toBe(
      'Be brief.\n\nThe provider rejects the parameters of these tools, so they cannot be called: t__b. If you need one of them, tell the user.',
    );
  });

test('the refused tool is found beyond the part of the message that is shown, and after a secret', async () => {
  const long = `Upstream said: ${'x'.repeat(2_000)}`;
  const headers = [['x-what', 'tools.1.custom']] as const;
  const ask = await asker('openai-compatible', endpoint.url, { access: { headers } });
  endpoint.answer(
    { status: 400, error: { message: `${long} anyOf at the top level` } },
    { status: 400, error: { message: `${long} tools.1.custom: no` } },
    { text: 'Done.' },
  );
  const parts = await partsOf(ask, three);
  expect(parts[0]).toMatchObject({ type: 'text', delta: 'Done.' });
  const asked = endpoint.requests.map(({ body }) =>
    (body as { tools: { function: { name: string } }[] }).tools.map((tool) => tool.function.name),
  );
  const all = ['t__a', 't__b', 't__c'];
  expect(asked).toEqual([all, all, ['t__a', 't__c']]);
});

test('a refusal that names no tool stands, and so does one that is repeated for ever', async () => {
  const ask = await asker('openai-compatible', endpoint.url);
  endpoint.answer({ status: 400, error: { message: 'messages[0]: what is this?' } });
  await expect(partsOf(ask, three)).rejects.toThrow('what is this?');
  expect(endpoint.requests).toHaveLength(1);
  endpoint.reset();
  endpoint.habits.otherwise = () => ({ status: 400, error: { message: 'tools.0: no' } });
  await expect(partsOf(ask, three)).rejects.toThrow('tools.0: no');
  endpoint.habits.otherwise = null;
  expect(endpoint.requests).toHaveLength(4);
});

test('parameters that become indistinguishable affect their own tool only', async () => {
  const twins = toolOf('twins', {
    type: 'object',
    properties: { größe: text, gr_e_hd353a2671b: text },
  });
  endpoint.answer({ text: 'Done.' });
  const ask = await asker('anthropic', endpoint.url);
  const parts = await partsOf(ask, { ...three, tools: [twins, ...three.tools] });
  expect(parts[0]).toMatchObject({ type: 'text', delta: 'Done.' });
  const { tools: left } = endpoint.requests[1]?.body as { tools: { name: string }[] };
  expect(left.map(({ name }) => name)).toEqual(['t__a', 't__b', 't__c']);
});

test('more tools than OpenAI accepts are refused with a remedy', async () => {
  const many = Array.from({ length: 129 }, (_, n) => toolOf(`f${n}`, { type: 'object' }));
  const ask = await asker('openai-chat', endpoint.url);
  await expect(partsOf(ask, { ...hello, tools: many })).rejects.toMatchObject({
    message: 'The endpoint accepts at most 128 tools in one request. This one has 129.',
    hint: 'Start a new session with fewer tools, or choose a model of another provider.',
  });
  expect(endpoint.requests).toEqual([]);
});
