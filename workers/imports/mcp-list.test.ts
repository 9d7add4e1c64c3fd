import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { imported } from './imports.fixture.ts';

const tools = [
  {
    name: 'get-weather',
    title: 'Weather',
    description: 'The weather of a city.',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { city: { type: 'string' }, from: { $ref: '#/$defs/Day' } },
      required: ['city'],
      $defs: { Day: { type: 'string' } },
    },
    outputSchema: { type: 'object', properties: { c: { type: 'number' } } },
    annotations: { readOnlyHint: true, title: 'x', other: 1 },
  },
  {
    name: 'add',
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: {} }, required: ['a'] },
  },
];

/** Calls functions of an imported file. Returns their results and errors. */
function called(text: string, calls: readonly (readonly [string, object])[]): unknown {
  const program = `
import json, sys
given = json.load(sys.stdin)
module = {}
exec(given["text"], module)
handlers = {spec["name"]: spec["handler"] for spec in module["TOOL_SPECS"]}
said = []
for name, arguments in given["calls"]:
    try:
        said.append(handlers[name](**arguments))
    except Exception as error:
        said.append(f"{type(error).__name__}: {error}")
print(json.dumps(said))
`;
  const input = JSON.stringify({ text, calls });
  return JSON.parse(execFileSync('python3', ['-c', program], { input, encoding: 'utf8' }));
}

test('a list of tools becomes stubs, which say that they are not written', async () => {
  const { outline, written } = await imported({ jsonrpc: '2.0', id: 1, result: { tools } });
  expect(outline.items).toMatchObject([
    { name: 'get_weather', label: 'get-weather', tags: ['no recorded result'] },
    { name: 'add', label: 'add' },
  ]);
  expect(written.text).toContain(
    '"name": "document_tools:get-weather",\n        "label": "Weather",',
  );
  expect(written.text).toContain('"$ref": "#/$defs/Day"');
  expect(written.text).toContain('"$defs": {"Day": {"type": "string"}}');
  expect(written.text).toContain('"annotations": {"readOnlyHint": True}');
  expect(written.text).toContain(
    '"returns": {"type": "object", "properties": {"c": {"type": "number"}}}',
  );
  expect(written.text).toContain('def add(a, b=None):\n    """add"""');
  expect(called(written.text, [['document_tools:add', { a: 1 }]])).toEqual([
    'NotImplementedError: add is not written yet: write it in document_tools.py',
  ]);
});

test('recorded calls are answered, from traces, histories and lines of messages', async () => {
  const params = { name: 'get-weather', arguments: { city: 'Oslo' } };
  const result = { content: [{ type: 'text', text: '{"c":4}' }], structuredContent: { c: 4 } };
  const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
  const failed = { content: [{ type: 'text', text: 'No such city' }], isError: true };
  const wrong = { ...request, id: 8, params: { ...params, arguments: { city: '' } } };
  const messages = [
    { result: { tools } },
    request,
    wrong,
    { jsonrpc: '2.0', id: 8, result: failed },
    { jsonrpc: '2.0', id: 7, result },
  ];
  const history = {
    tools,
    history: [
      { request: JSON.stringify(request), response: JSON.stringify({ result }) },
      { request: wrong, response: failed },
    ],
  };
  const lines = messages.map((message) => JSON.stringify(message)).join('\n');
  for (const document of [messages, history, lines]) {
    const { outline, written } = await imported(document);
    expect(outline.items[0]?.tags).toEqual(['2 recorded']);
    const tool = 'document_tools:get-weather';
    expect(
      called(written.text, [
        [tool, { city: 'Oslo' }],
        [tool, { city: '' }],
        [tool, { city: 'Rome' }],
      ]),
    ).toEqual([
      { c: 4 },
      'RuntimeError: No such city',
      'NotImplementedError: get_weather has no recorded result for these arguments: {"city": "Rome"}',
    ]);
  }
});

test('names and texts of a list stay inert in Python', async () => {
  const name = 'x"):\nimport os\nos.abort()\n#';
  const description = '"""\nraise SystemExit(3)\n"""\\';
  const inputSchema = {
    type: 'object',
    properties: { 'a=print(1), b': { type: 'string', description } },
  };
  const { written } = await imported([
    { name, description, inputSchema },
    { name: 'x', description: '', inputSchema: {} },
  ]);
  expect(called(written.text, [['document_tools:x', {}]])).toEqual([
    'NotImplementedError: x is not written yet: write it in document_tools.py',
  ]);
});

test('tools whose names become the same get different ones', async () => {
  const inputSchema = { type: 'object' };
  const { written } = await imported([
    { name: 'ä', inputSchema },
    { name: 'a', inputSchema },
    { name: 'á', inputSchema },
  ]);
  const names = [...written.text.matchAll(/"name": "[^":]+:([^"]+)"/g)].map(([, name]) => name);
  expect(names[1]).toBe('a');
  expect(new Set(names).size).toBe(3);
});
