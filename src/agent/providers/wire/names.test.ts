import { afterAll, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import { inventName, toolNames } from '../../../runtime/registry/provider-names.ts';
import type { AskedCall, AskModel, ModelRequest } from '../../../runtime/spec/model.ts';
import { asker, hello, kinds, partsOf, refOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
afterAll(() => endpoint.close());

/** Two thousand tool ids that no provider would accept. */
function awkwardIds(): string[] {
  const odd = ['é', '日本', '🌧', ' ', '.', '-', '__', '/', 'ß', 'İ', '9', '\u202e', '"', '\\', "'"];
  const ids = new Set<string>();
  for (let n = 0; ids.size < 2000; n += 1) {
    const a = odd[n % odd.length] ?? '';
    const b = odd[Math.floor(n / odd.length) % odd.length] ?? '';
    const long = 'x'.repeat((n * 7) % 120);
    ids.add(
      [
        `mod${a}ule:fun${b}ction_${n}`,
        `${n}${a}:${b}${n}`,
        `${long}${a}:${long}${n}`,
        `Case_${n >> 3}:${n % 2 === 0 ? 'Twin' : 'twin'}${a}`,
        `no_colon${a}${b}${n}`,
        `a__${n}:_${a}${b}_`,
        `_${a}:__${n}`,
        `plain_${n}:function`,
      ][n % 8] ?? '',
    );
  }
  return [...ids];
}

const ids = awkwardIds();
const names = await toolNames(ids);
const wires = names.entries.map(([, wire]) => wire);
/** Each call has a piece of its own name in its arguments. */
const calls = wires.map((name, index) => ({ name, arguments: `{"n":${index}.0}` }));
const request: ModelRequest = {
  ...hello,
  tools: wires.map((name) => ({
    name,
    description: `It stands for ${String(names.toId(name))}.`,
    parameters: { type: 'object', properties: { n: { type: 'number' } } },
  })),
};

/** OpenAI's limit for one request. */
const atOnce = {
  'openai-compatible': 128,
  'openai-chat': 128,
  'openai-responses': 128,
  anthropic: 2_000,
  google: 2_000,
};

for (const kind of kinds)
  test(`${kind}: 2,000 awkward names are accepted, and mapped back`, async () => {
    const ask = await asker(kind, endpoint.url);
    for (let from = 0; from < ids.length; from += atOnce[kind]) {
      const some = { ...request, tools: request.tools.slice(from, from + atOnce[kind]) };
      endpoint.reset();
      endpoint.answer({ calls: calls.slice(from, from + atOnce[kind]) }, { text: 'Done.' });
      const asked = await callsOf(ask, kind, some);
      expect(asked.map((call) => [names.toId(call.wire), call.arguments])).toEqual(
        ids.slice(from, from + atOnce[kind]).map((id, index) => [id, `{"n":${from + index}.0}`]),
      );
      // And back again, with an answer to each.
      const parts = await partsOf(ask, withAnswers(some, asked));
      expect(parts).toMatchObject([{ type: 'text', delta: 'Done.' }, {}, { finish: 'stop' }]);
    }
  });

const invented = [
  ...ids,
  'm:f',
  'browser.tabs open!',
  'x'.repeat(300),
  'ü',
  'functions.x',
  'multi_tool_use.parallel',
  '__proto__',
  'constructor',
  'toString',
  '9',
  wires[0] ?? '',
];

for (const kind of kinds)
  test(`${kind}: invented names are reported as written, and sent back in a valid form`, async () => {
    endpoint.reset();
    endpoint.answer(
      { calls: invented.map((name) => ({ name, arguments: '{}' })) },
      { text: 'Done.' },
    );
    const ask = await asker(kind, endpoint.url);
    const one = { ...request, tools: request.tools.slice(0, 1) };
    const asked = await callsOf(ask, kind, one);
    expect(asked.map(({ wire }) => wire)).toEqual(invented);
    const nameless = asked.map((call) => (call.wire === '9' ? { ...call, wire: '' } : call));
    const parts = await partsOf(ask, withAnswers(one, nameless));
    expect(parts).toMatchObject([{ type: 'text', delta: 'Done.' }, {}, { finish: 'stop' }]);
  });

test('an invented name never becomes that of a tool, and a valid one stays', async () => {
  expect(await inventName('m__f')).toBe('m__f');
  expect(await inventName('m:f')).toMatch(/^m_f_h[0-9a-f]{10}$/);
  // Names of inherited members, which SDKs would find in their lookup tables.
  expect(await inventName('constructor')).toMatch(/^constructor_h[0-9a-f]{10}$/);
  expect(await inventName('')).toMatch(/^t_h[0-9a-f]{10}$/);
  const sent = await Promise.all(ids.map(inventName));
  expect(sent.filter((name) => wires.includes(name))).toEqual([]);
});

const properties = ['café', 'b c', 'plain', '日本', 'x'.repeat(80), 'a"b', '10'];

for (const kind of kinds)
  test(`${kind}: parameter names are mapped back, and values keep their spelling`, async () => {
    endpoint.reset();
    endpoint.answer(
      (received) => {
        const [reported] = sentProperties(received.body);
        const wire = reported ?? [];
        return {
          calls: [
            {
              name: 't__f',
              arguments: `{${wire.map((key, n) => `${JSON.stringify(key)}:${n}.50`).join(',')}}`,
            },
          ],
        };
      },
      { text: 'Done.' },
    );
    const tool = {
      name: 't__f',
      description: 'T.',
      parameters: {
        type: 'object',
        properties: Object.fromEntries(properties.map((key) => [key, { type: 'number' }])),
        required: ['café'],
      },
    };
    const ask = await asker(kind, endpoint.url);
    const asked = await callsOf(ask, kind, { ...hello, tools: [tool] });
    const order = Object.keys(tool.parameters.properties);
    const spelt = `{${order.map((key, n) => `${JSON.stringify(key)}:${n}.50`).join(',')}}`;
    expect(asked.map((call) => call.arguments)).toEqual([spelt]);
    await partsOf(ask, withAnswers({ ...hello, system: '', tools: [tool] }, asked));
    const [, second] = endpoint.requests;
    const [reported = []] = sentProperties(second?.body);
    const back = `{${reported.map((key, n) => `${JSON.stringify(key)}:${n}.50`).join(',')}}`;
    const inText = kind === 'anthropic' || kind === 'google' ? back : JSON.stringify(back);
    expect(second?.text).toContain(inText);
  });

/** The request with the calls, and an answer to each. */
function withAnswers(request: ModelRequest, asked: readonly AskedCall[]): ModelRequest {
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', parts: asked },
      {
        role: 'tool',
        answers: asked.map(({ askedId, wire }) => ({
          askedId,
          wire,
          isError: false,
          parts: [{ type: 'text', text: 'fine' }],
        })),
      },
    ],
  };
}

async function callsOf(
  ask: AskModel,
  kind: (typeof kinds)[number],
  request: ModelRequest,
): Promise<AskedCall[]> {
  return (await partsOf(ask, request))
    .filter((part) => part.type === 'call')
    .map(({ id, wire, arguments: text, data }) => ({
      type: 'call',
      id,
      askedId: id,
      wire,
      tool: '',
      arguments: text,
      ...(data === undefined ? {} : { opaque: { made: refOf(kind), data } }),
    }));
}

/** The parameter names in a request, by tool. */
function sentProperties(body: unknown): string[][] {
  const found: string[][] = [];
  JSON.stringify(body, (key, value: unknown) => {
    if (key === 'properties') found.push(Object.keys(value as object));
    return value;
  });
  return found;
}
