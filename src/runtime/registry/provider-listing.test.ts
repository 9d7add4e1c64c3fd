import { expect, test } from 'vitest';
import { fakeTool } from '../scan/tool.fixture.ts';
import { answerDefinitions } from './provider-listing.ts';

const parameters = { type: 'object', properties: { n: { type: 'integer' } } } as const;
const tools = [
  { ...fakeTool('m:one'), label: 'One', description: 'Counts.', parameters },
  { ...fakeTool('m:two words'), label: 'Two', description: 'Speaks.', parameters },
];

function get(format: string, init: RequestInit = {}, listed = tools): Promise<Response> {
  const request = new Request('https://cloche.test/', init);
  return answerDefinitions(request, format, '"ready.r1"', () => listed);
}

test('each format has the shape of its provider, with all tools', async () => {
  const one = 'm__one';
  const two: unknown = expect.stringMatching(/^m_two_words_h\w{10}$/);
  const same = { description: 'Counts.', parameters };
  const other = { description: 'Speaks.', parameters };
  expect(await (await get('openai')).json()).toEqual([
    { type: 'function', function: { name: one, ...same } },
    { type: 'function', function: { name: two, ...other } },
  ]);
  expect(await (await get('openai-responses')).json()).toMatchObject([
    { type: 'function', name: one, ...same },
    { name: two },
  ]);
  expect(await (await get('anthropic')).json()).toEqual([
    { name: one, description: 'Counts.', input_schema: parameters },
    { name: two, description: 'Speaks.', input_schema: parameters },
  ]);
  expect(await (await get('gemini')).json()).toEqual([
    {
      functionDeclarations: [
        { name: one, description: 'Counts.', parametersJsonSchema: parameters },
        { name: two, description: 'Speaks.', parametersJsonSchema: parameters },
      ],
    },
  ]);
  expect(await (await get('mcp')).json()).toMatchObject([
    { name: one, title: 'One', description: 'Counts.', inputSchema: parameters },
    { name: two, title: 'Two' },
  ]);
  expect(await (await get('gemini', {}, [])).json()).toEqual([{ functionDeclarations: [] }]);
});

test('the entity tag differs by format; a known one gets 304, and HEAD no body', async () => {
  const tags = await Promise.all(
    ['openai', 'mcp'].map(async (format) => (await get(format)).headers.get('ETag')),
  );
  expect(tags).toEqual(['"ready.r1.openai"', '"ready.r1.mcp"']);
  const known = { headers: { 'If-None-Match': '"ready.r1.mcp"' } };
  expect([(await get('mcp', known)).status, (await get('openai', known)).status]).toEqual([
    304, 200,
  ]);
  const head = await get('mcp', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('an unknown format gets 400', async () => {
  for (const format of ['', 'OpenAI', 'cohere', 'constructor', 'openai-chat']) {
    const answer = await get(format);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ code: 'bad-request' });
  }
});
