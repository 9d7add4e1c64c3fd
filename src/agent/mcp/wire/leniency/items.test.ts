/** Definitions in lists that break the specification: one breach costs neither the tool nor the others. */

import { expect, test } from 'vitest';
import { boundListing } from '../listed-tools.ts';
import { readItems } from './items.ts';

const object = { type: 'object' };
const city = { type: 'object', properties: { city: { type: 'string' } } };

function read(item: object, method = 'tools/list'): [unknown, string[]] {
  const notes: string[] = [];
  const [one] = readItems(method, [item], (problem) => notes.push(problem));
  return [one, notes];
}

test.each<[string, object, object, RegExp]>([
  ['no schema', {}, object, /it has no inputSchema/],
  ['null', { inputSchema: null }, object, /it has no inputSchema/],
  ['an empty list', { inputSchema: [] }, object, /it has no inputSchema/],
  ['an empty object', { inputSchema: {} }, object, /no type "object"/],
  ['no type', { inputSchema: { properties: city.properties } }, city, /no type "object"/],
  ['types', { inputSchema: { ...city, type: ['object', 'null'] } }, city, /no type "object"/],
  ['parameters', { parameters: city }, city, /it has parameters and no inputSchema/],
  ['input_schema', { input_schema: city, inputSchema: null }, city, /it has input_schema/],
  ['a text', { inputSchema: JSON.stringify(city) }, city, /inputSchema is a string/],
  [
    'an empty list of properties',
    { inputSchema: { ...object, properties: [] } },
    object,
    /properties is not an object/,
  ],
  ['required', { inputSchema: { ...city, required: null } }, city, /required is null/],
])('the schema of the arguments: %s', (_, part, inputSchema, problem) => {
  const [tool, notes] = read({ name: 'a', ...part });
  expect(tool).toMatchObject({ name: 'a' });
  expect((tool as { inputSchema: unknown }).inputSchema).toEqual(inputSchema);
  expect(notes).toEqual([expect.stringMatching(problem)]);
});

test('members that are null or of another type are left out', () => {
  const odd = { title: null, description: 5, annotations: null, outputSchema: [], _meta: null };
  const [tool, notes] = read({ name: 'a', inputSchema: object, ...odd });
  expect(tool).toEqual({ name: 'a', inputSchema: object });
  expect(notes).toHaveLength(5);
});

test('the same breach of many items is one note', () => {
  const notes: string[] = [];
  const tools = Array.from({ length: 500 }, (_, n) => ({ name: `t${n}` }));
  expect(readItems('tools/list', tools, (problem) => notes.push(problem))).toHaveLength(500);
  expect(notes).toEqual([
    'tools/list: “t0” and 499 more: it has no inputSchema: read as a tool without arguments.',
  ]);
});

test('prompts and resources with members that are missing or null', () => {
  expect(read({ name: 'p', arguments: null }, 'prompts/list')).toEqual([
    { name: 'p' },
    ['prompts/list: “p”: arguments is null: read as none.'],
  ]);
  expect(read({ uri: 'file:///a' }, 'resources/list')[1]).toEqual([
    'resources/list: “file:///a”: it has no name: shown by its address.',
  ]);
});

test('a name of any characters is listed, and a schema of another type is left out', async () => {
  const schema = { inputSchema: object };
  const { tools, problems } = await boundListing('https://a.example/', [
    { name: 'get weather', ...schema },
    { name: 'n'.repeat(129), ...schema },
    { name: '', ...schema },
    { name: 'text', inputSchema: { type: 'string' } },
    { name: 'good', ...schema },
    { name: 'good', ...schema },
    7,
  ]);
  expect(tools.map(({ name }) => name)).toEqual(['get weather', 'good']);
  expect(problems).toEqual([
    'Tool 1, “get weather”: its name has characters other than A-Z a-z 0-9 _ - . / (Cloche shows _ for each).',
    `Tool 2, “${'n'.repeat(128)}”: its name has 129 characters, not 1 to 128.`,
    'Tool 3, “”: its name has 0 characters, not 1 to 128.',
    'Tool 4, “text”: its inputSchema is not a schema of the type "object".',
    'Tool 6, “good”: its name is listed twice.',
    'Tool 7: not a definition with a name.',
  ]);
});
