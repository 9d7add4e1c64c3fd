import { expect, test } from 'vitest';
import { createImporter, importWorker } from './import-document.ts';
import { api, imported } from './imports.fixture.ts';

const pets = `openapi: 3.0.3
info: { title: Pets API, version: "2" }
servers:
  - url: https://{region}.example.com/v1
    description: Main
    variables:
      region: { default: eu, enum: [eu, us], description: Where }
paths:
  /pets/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, maximum: 12345678901234567890 } }
    get:
      operationId: getPet
      summary: A pet
      tags: [pets]
      responses: { 200: { description: ok } }
    trace: {}
`;

test('YAML is read like JSON, with its servers, and integers keep all digits', async () => {
  const { outline, written } = await imported(pets, 'https://eu.example.com/v1');
  expect(outline).toEqual({
    kind: 'openapi',
    title: 'Pets API',
    format: 'OpenAPI 3.0.3',
    module: 'pets_api',
    servers: [
      {
        url: 'https://{region}.example.com/v1',
        description: 'Main',
        variables: [{ name: 'region', value: 'eu', choices: ['eu', 'us'], description: 'Where' }],
      },
    ],
    items: [
      {
        id: 0,
        name: 'get_pet',
        label: 'GET /pets/{id}',
        summary: 'A pet',
        tags: ['pets'],
        refusal: '',
      },
      {
        id: 1,
        name: 'trace_pets_by_id',
        label: 'TRACE /pets/{id}',
        summary: '',
        tags: [],
        refusal: 'Browsers send no TRACE requests.',
      },
    ],
    notes: [],
  });
  expect(written.text).toContain('"maximum": 12345678901234567890');
  expect(written.origins).toEqual(['https://eu.example.com']);
});

test('null, examples and anchors of OpenAPI 3.0 reach the spec of the tool', async () => {
  const names = Array.from({ length: 150 }, (_, n) => `/p${n}: { get: { <<: *common } }`);
  const { outline, written } = await imported(`\uFEFFopenapi: 3.0.3
info: { title: Pets }
servers: [{ url: 'https://a.example' }]
x-common: &common
  parameters:
    - { name: owner, in: query, example: Ann, schema: { $ref: '#/components/schemas/Name', nullable: true } }
    - { name: tag, in: query, examples: { one: { value: a }, two: { value: b } }, schema: { type: string, enum: [a, b], nullable: true } }
components: { schemas: { Name: { type: string } } }
paths:
  ${names.join('\n  ')}
`);
  expect(outline.items).toHaveLength(150);
  expect(written.text.replace(/\s+/g, ' ')).toContain(
    '"properties": { "owner": { "examples": ["Ann"], "anyOf": [{"$ref": "#/$defs/Name"}, {"type": "null"}], }, "tag": { "type": ["string", "null"], "enum": ["a", "b", None], "examples": ["a", "b"], }, }',
  );
});

test('a relative server is resolved against the address of the document', async () => {
  const read = async (document: object, name: string) => {
    const outline = await createImporter().read(JSON.stringify(document), name);
    return 'fault' in outline ? [] : outline.servers.map(({ url }) => url);
  };
  const paths = { '/a': { get: {} } };
  const from = 'https://example.com/docs/api.json';
  expect(await read(api(paths, { servers: [{ url: '../v2/' }] }), from)).toEqual([
    'https://example.com/v2/',
  ]);
  expect(await read(api(paths, { servers: undefined }), from)).toEqual(['https://example.com/']);
  expect(await read(api(paths, { servers: [{ url: '/v1' }] }), 'a.json')).toEqual(['/v1']);
  const old = {
    swagger: '2.0',
    info: {},
    host: 'old.example.com',
    basePath: '/v1',
    schemes: ['http', 'https'],
    paths,
  };
  expect(await read(old, 'a.json')).toEqual(['https://old.example.com/v1']);
});

test('what cannot be imported is said, with the way on', async () => {
  const faults = async (text: string | Blob) => {
    const read = await createImporter().read(text, 'x.json');
    return 'fault' in read ? read.fault : 'none';
  };
  expect(await faults(new Blob([' ']))).toBe('The document is empty');
  expect(await faults('{"a": 1}')).toBe(
    'This is neither an OpenAPI document nor a list of MCP tools',
  );
  expect(await faults('{"openapi": "4.0.0", "paths": {}}')).toContain('another version');
  expect(await faults('{"openapi": "3.1.0", "paths": {}}')).toBe(
    'The OpenAPI document has no operations',
  );
  expect(await faults('{"openapi": "3.1.0", "webhooks": {"a": {"post": {}}}}')).toContain(
    'only webhooks',
  );
  expect(await faults('{"mcpServers": {"a": {"command": "x"}}}')).toBe(
    'This is a client’s list of MCP servers, without their tools',
  );
  expect(await faults('{"a": ')).toMatch(/^The document cannot be read/);
  expect(await faults('['.repeat(5_000))).toContain('nested deeper than 200 levels');
  expect(await faults(`a: ${'['.repeat(5_000)}`)).toContain('nested deeper than 200 levels');
  expect(await faults('x'.repeat(10 * 1024 * 1024 + 1))).toBe('The document is longer than 10 MB');
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef'] as const)
    bomb.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(', ')}]`);
  expect(await faults(bomb.join('\n'))).toContain('The document cannot be read');
  const merges = Array.from({ length: 300 }, () => '- <<: *a').join('\n');
  expect(await faults(`# ${'x'.repeat(500_000)}\n- &a { b: 1 }\n${merges}`)).toContain('alias');
});

test('what other documents would have to say, and servers without an address, are noted', async () => {
  const { outline, written } = await imported(
    api({
      '/other': { $ref: './other.yaml#/paths/a' },
      '/here': {
        get: { operationId: '日本語', servers: [{ url: '/v2' }] },
        post: { operationId: 'send', requestBody: { $ref: 'bodies.yaml#/send' } },
      },
    }),
  );
  expect(outline.notes).toEqual(['Paths that refer to other documents are left out: 1.']);
  expect(outline.items.map(({ name }) => name)).toEqual(['get_here', 'send']);
  expect([...written.notes.values()]).toEqual([
    ['Its own server has no complete address: its requests go to the server of the file.'],
    ['Its body is left out, because the document does not describe it.'],
  ]);
});

test('10,000 operations are listed, and a file of most of them is refused by its size', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 10_050 }, (_, n) => [`/${n}`, { get: { description: 'x'.repeat(900) } }]),
  );
  const importer = createImporter();
  const outline = await importer.read(JSON.stringify(api(paths)), '');
  if ('fault' in outline) throw new Error(outline.fault);
  expect(outline.items).toHaveLength(10_000);
  expect(outline.notes).toEqual(['The document has 10050 operations. The first 10000 are listed.']);
  const choice = { base: 'https://a.example', module: 'shop_api' };
  const all = outline.items.slice(0, 6_000).map(({ id }) => id);
  expect(importer.write({ ...choice, items: all })).toMatchObject({
    hint: 'Choose fewer operations.',
  });
  expect(importer.write({ ...choice, items: [9_999] })).toMatchObject({
    origins: ['https://a.example'],
  });
  for (const base of ['', '/v1', 'ftp://x', 'https://a.example/?x', 'https://{a}.example'])
    expect(importer.write({ ...choice, base, items: [0] })).toHaveProperty('fault');
});

test('the page gets many items in parts', async () => {
  const paths = Object.fromEntries(Array.from({ length: 1_203 }, (_, n) => [`/${n}`, { get: {} }]));
  const worker = importWorker();
  const head = await worker.read(JSON.stringify(api(paths)), '');
  if ('fault' in head) throw new Error(head.fault);
  expect([head.count, head.items.length]).toEqual([1_203, 500]);
  const lists = [500, 1_000, 1_203].map((from) => worker.items(from).map(({ id }) => id));
  expect(lists.map((list) => [list[0], list.length])).toEqual([
    [500, 500],
    [1_000, 203],
    [undefined, 0],
  ]);
});

test('arguments whose schemas are too large together have none, with a note', async () => {
  const parameters = Array.from({ length: 3 }, (_, place) => ({
    name: `p${place}`,
    in: 'query',
    schema: { enum: Array.from({ length: 5_000 }, (__, n) => `a choice of ${place} ${n}`) },
  }));
  const { written } = await imported(api({ '/a': { get: { operationId: 'a', parameters } } }));
  expect([...written.notes.values()]).toEqual([
    ['Its arguments have no schemas, because these are too large.'],
  ]);
  expect(written.text).toContain('"properties": {"p0": {}, "p1": {}, "p2": {}}');
});
