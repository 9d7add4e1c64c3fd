/**
 * The OpenAPI document is valid for every schema that a tool can have, and describes the tools. Its entity tag depends on
 * them and on the saved tests.
 */

import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiRoute, apiRoutes } from '../../../runtime/protocol/api-route.ts';
import { fakeTool } from '../../../runtime/scan/tool.fixture.ts';
import { parseExact } from '../../../runtime/spec/exact-json.ts';
import { isObject } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import type { RegisteredTool, Tool } from '../../../runtime/spec/tool.ts';
import { pointerKeys, valueAt } from '../../../runtime/spec/schema-walk.ts';
import { setUp } from '../asking.fixture.ts';
import type { Api } from '../create-api.ts';
import { openApiPieces } from './document.ts';

const validator = new Validator();

function tool(name: string, parameters: string, more: Partial<Tool> = {}): RegisteredTool {
  return {
    ...fakeTool(name),
    ...more,
    parameters: parseExact(parameters) as JsonObject,
    hash: 'abc',
    loadedAt: 0,
    state: 'ready',
  };
}

function text(...tools: RegisteredTool[]): string {
  const listing = {
    state: 'ready',
    folder: 'tools',
    folderId: 'f1',
    revision: 'r1',
    tools,
    problems: [],
  } as const;
  return [...openApiPieces(listing)].join('');
}

/** The document, once it is known to be valid and all its references lead somewhere. */
async function valid(...tools: RegisteredTool[]): Promise<JsonObject> {
  const document = JSON.parse(text(...tools)) as JsonObject;
  const { valid: isValid, errors } = await validator.validate(structuredClone(document));
  expect([isValid, errors]).toEqual([true, undefined]);
  for (const reference of references(document)) {
    expect(reference).toMatch(/^#\//);
    const target = valueAt(document, pointerKeys(decodeURIComponent(reference.slice(1))));
    expect(target, reference).toBeDefined();
  }
  return document;
}

function* references(value: Json): Generator<string> {
  if (isObject(value) && typeof value.$ref === 'string') yield value.$ref;
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* references(inner);
}

const schemasOf = (document: JsonObject): JsonObject =>
  (document.components as { schemas: JsonObject }).schemas;

test('each tool is an operation, with its schema, examples and result', async () => {
  const returns = { type: 'object', properties: { n: { $ref: '#' } } };
  const examples = [parseExact('{"x": 3.0}') as JsonObject];
  const parameters = '{"type": "object", "properties": {"x": {"type": "number"}}}';
  const one = tool('a:one', parameters, { label: 'One', description: 'Does.', returns, examples });
  const document = await valid(one);
  expect(document).toMatchObject({ openapi: '3.1.1', info: { title: 'Tools of tools' } });
  expect((document.paths as JsonObject)['/tools/a:one/invoke']).toMatchObject({
    post: {
      operationId: 'a_one',
      summary: 'One',
      description: 'Does.',
      requestBody: {
        content: {
          'application/json': {
            schema: {
              properties: { arguments: { $ref: '#/components/schemas/a_one.arguments' } },
            },
            examples: { 'example-1': { value: { arguments: { x: 3 } } } },
          },
        },
      },
    },
  });
  expect(text(one)).toContain('"arguments":{"x": 3.0}');
  expect(schemasOf(document)['a_one.arguments']).toEqual(one.parameters);
  expect(schemasOf(document)['a_one.returns']).toEqual({
    type: 'object',
    properties: { n: { $ref: '#/components/schemas/a_one.returns' } },
  });
});

test('references lead into the component, also by anchor and through lists of item schemas', async () => {
  const document = await valid(
    tool(
      'a:one',
      `{"$id": "https://a.example/s", "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "$defs": {"a~/ b": {"$anchor": "here", "type": "string"}},
        "properties": {
          "by pointer": {"$ref": "#/$defs/a~0~1%20b"},
          "by anchor": {"$ref": "#here"},
          "pair": {
            "type": "array",
            "items": [{"type": "string"}, {"$ref": "#/properties/pair/items/0"}],
            "additionalItems": false
          }
        }}`,
    ),
  );
  const here = '#/components/schemas/a_one.arguments';
  expect(schemasOf(document)['a_one.arguments']).toEqual({
    type: 'object',
    $defs: { 'a~/ b': { type: 'string' } },
    properties: {
      'by pointer': { $ref: `${here}/$defs/a~0~1%20b` },
      'by anchor': { $ref: `${here}/$defs/a~0~1%20b` },
      pair: {
        type: 'array',
        prefixItems: [{ type: 'string' }, { $ref: `${here}/properties/pair/prefixItems/0` }],
        items: false,
      },
    },
  });
});

test('names that are alike get numbers, and none is that of another operation', async () => {
  const empty = '{"type": "object"}';
  const document = await valid(
    ...['a:b', 'a-b', 'A:B', 'list:tools', 'größe:x', 'odd/name {x}?#:y'].map((name) =>
      tool(name, empty),
    ),
  );
  expect(
    Object.keys(document.paths as JsonObject).filter((path) => path.endsWith('/invoke')),
  ).toEqual([
    '/tools/a:b/invoke',
    '/tools/a-b/invoke',
    '/tools/A:B/invoke',
    '/tools/list:tools/invoke',
    '/tools/gr%C3%B6%C3%9Fe:x/invoke',
    '/tools/odd%2Fname%20%7Bx%7D%3F%23:y/invoke',
  ]);
  expect(Object.keys(schemasOf(document)).slice(-6)).toEqual(
    ['a_b', 'a_b_2', 'A_B_3', 'list_tools_2', 'gr__e_x', 'odd_name__x____y'].map(
      (name) => `${name}.arguments`,
    ),
  );
});

test('numbers keep their spelling', () => {
  const spelled = '{"type":"object","default":{"a": 1.0, "b": 12345678901234567890}}';
  expect(text(tool('a:one', spelled))).toContain('"default":{"a": 1.0, "b": 12345678901234567890}');
});

/** Schemas as a tool can have them: nested, with references, tuples, odd names and keywords. */
const { schema: generated } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>({ type: 'string' }, { type: ['integer', 'null'] }, true, {
      enum: [1, 'a', null],
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ type: fc.constant('array'), items: fc.array(tie('schema'), { minLength: 1 }) }),
    fc.record({ properties: fc.dictionary(fc.string(), tie('schema')) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1 }) }),
    fc.record({ $defs: fc.dictionary(fc.string(), tie('schema')), $ref: fc.constant('#') }),
  ),
}));

test('generated schemas give a valid document', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1 }), generated, async (name, inner) => {
      const parameters = JSON.stringify({ type: 'object', properties: { x: inner } });
      await valid(tool(`a:${name}`, parameters));
    }),
    { numRuns: 50 },
  );
});

test('a thousand awkward tools give one valid document, with as many operations', async () => {
  const tools = fc
    .sample(fc.tuple(fc.string({ minLength: 1, unit: 'binary' }), generated), {
      numRuns: 1_000,
      seed: 7,
    })
    .map(([name, inner], index) => {
      const parameters = JSON.stringify({ type: 'object', properties: { [name]: inner } });
      return tool(`f${index % 10}:${name.toWellFormed()}`, parameters, { description: name });
    });
  const names = new Set(tools.map((one) => one.name));
  const different = [...names].map((name) => tools.find((one) => one.name === name)!);
  expect(different.length).toBeGreaterThan(900);
  const document = await valid(...different);
  const operations = Object.values(document.paths as Record<string, { post?: JsonObject }>)
    .map(({ post }) => post?.operationId)
    .filter((id) => typeof id === 'string');
  expect(new Set(operations).size).toBe(operations.length);
  const invokes = Object.keys(document.paths as JsonObject).filter((path) =>
    path.endsWith('/invoke'),
  );
  expect(invokes).toHaveLength(different.length);
  // The control: the validator sees a fault in one of a thousand.
  const { paths } = document as { paths: Record<string, { post?: { responses?: unknown } }> };
  delete paths[invokes.at(-1) ?? '']?.post?.responses;
  paths['/broken'] = { get: 1 } as object;
  expect((await validator.validate(document)).valid).toBe(false);
});

test('recorded calls become examples, with their results', async () => {
  const recorded = [
    { name: 'ran', arguments: '{"n": 1.0}', text: '2', resultType: 'success' as const },
    { name: 'not yet', arguments: '{}', text: null, resultType: 'success' as const },
    {
      name: 'long',
      arguments: `"${'x'.repeat(30_000)}"`,
      text: null,
      resultType: 'success' as const,
    },
  ];
  const listing = {
    ...({ state: 'ready', folder: 'tools', folderId: 'f1', revision: 'r1', problems: [] } as const),
    tools: [tool('a:one', '{"type": "object"}')],
  };
  const written = [...openApiPieces(listing, () => recorded)].join('');
  expect(written).toContain('"value":{"arguments":{"n": 1.0}}');
  const document = JSON.parse(written) as { paths: Record<string, { post: unknown }> };
  expect((await validator.validate(structuredClone(document))).valid).toBe(true);
  expect(document.paths['/tools/a:one/invoke']?.post).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          examples: {
            'recorded-1': { summary: 'ran', value: { arguments: { n: 1 } } },
            'recorded-2': { summary: 'not yet', value: { arguments: {} } },
          },
        },
      },
    },
    responses: {
      200: {
        content: {
          'application/json': {
            examples: { 'recorded-1': { value: { resultType: 'success', textResultForLlm: '2' } } },
          },
        },
      },
    },
  });
});

test('the document has every address of the API, with every method', async () => {
  const document = await valid(tool('a:one', '{"type": "object"}'));
  const paths = document.paths as Record<string, JsonObject>;
  for (const [path, item] of Object.entries(paths)) {
    const served = apiRoute('PATCH', path.slice(1).replaceAll(/[{}]/g, ''));
    const allowed = served instanceof Response ? (served.headers.get('Allow') ?? '') : '';
    const described = ['get', 'post', 'delete'].filter((method) => method in item);
    const methods = allowed
      .toLowerCase()
      .split(', ')
      .filter((method) => method !== 'head');
    expect(described.sort(), path).toEqual(methods.sort());
  }
  const routes = new Set(Object.values(apiRoutes).flatMap((actions) => Object.values(actions)));
  const reached = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'parameters')
      .map((method) => apiRoute(method.toUpperCase(), path.slice(1).replaceAll(/[{}]/g, '')))
      .map((route) => (route instanceof Response ? path : route.at)),
  );
  expect(new Set(reached)).toEqual(routes);
});

function get(api: Api, headers: Record<string, string> = {}): Promise<Response> {
  return api.handle(new Request('https://cloche.test/', { headers }), 'openapi.json');
}

test('an unchanged document is not sent again; a test that has run changes it', async () => {
  const { api, deps } = setUp();
  const first = await get(api);
  expect(await first.text()).toContain('"recorded-1"');
  const tag = first.headers.get('ETag') ?? '';
  expect((await get(api, { 'If-None-Match': tag })).status).toBe(304);

  const headers = { 'Content-Type': 'application/json' };
  const run = { method: 'POST', body: '{"tests": ["first"]}', headers };
  await (await api.handle(new Request('https://cloche.test/', run), 'tests/run')).json();
  const ran = await get(api, { 'If-None-Match': tag });
  expect(ran.status).toBe(200);

  deps.revision = 'r2';
  const tagThen = ran.headers.get('ETag') ?? '';
  expect((await get(api, { 'If-None-Match': tagThen })).status).toBe(200);
});
