/** Imports documents, and calls their operations with Python against a server that says what it was sent. */

import { afterAll, expect, test } from 'vitest';
import { api, imported } from '../imports.fixture.ts';
import { startEchoServer } from '../../../tests/support/imported-operations.ts';

const { origin, called, close } = await startEchoServer();
afterAll(close);

const text = { type: 'string' };
const list = { type: 'array', items: text };
const map = { type: 'object' };
const json = (schema: object, required = true) => ({
  required,
  content: { 'application/json': { schema } },
});

test('ten operations send what their document says', async () => {
  const parameters = (...all: readonly object[]) => ({ parameters: all });
  const answers = await called(
    api({
      '/pets/{id}/{more}': {
        get: {
          operationId: 'getPet',
          ...parameters(
            { name: 'id', in: 'path', required: true, schema: text },
            {
              name: 'more',
              in: 'path',
              required: true,
              style: 'matrix',
              explode: true,
              schema: list,
            },
            { name: 'id', in: 'query', schema: list },
            { name: 'X-Id', in: 'header', schema: { type: 'integer' } },
          ),
        },
      },
      '/search': {
        get: {
          operationId: 'search',
          ...parameters(
            { name: 'tags', in: 'query', style: 'form', explode: false, schema: list },
            { name: 'pipes', in: 'query', style: 'pipeDelimited', explode: false, schema: list },
            { name: 'filter', in: 'query', style: 'deepObject', schema: map },
            { name: 'where', in: 'query', content: { 'application/json': { schema: map } } },
            { name: 'on', in: 'query', schema: { type: 'boolean' } },
          ),
        },
      },
      '/label/{a}': {
        get: {
          operationId: 'label',
          ...parameters({
            name: 'a',
            in: 'path',
            required: true,
            style: 'label',
            explode: true,
            schema: map,
          }),
        },
      },
      '/pets': {
        post: {
          operationId: 'addPet',
          requestBody: json({
            allOf: [
              {
                type: 'object',
                required: ['name'],
                properties: { name: text, id: { ...text, readOnly: true } },
              },
              {
                type: 'object',
                properties: { tag: { type: ['string', 'null'] }, from: { type: 'integer' } },
              },
            ],
          }),
        },
        put: { operationId: 'putPets', requestBody: json(list, false) },
        head: { operationId: 'countPets' },
      },
      '/form': {
        post: {
          operationId: 'sendForm',
          requestBody: {
            required: true,
            content: {
              'application/x-www-form-urlencoded': {
                schema: { type: 'object', required: ['a'], properties: { a: text, b: list } },
              },
            },
          },
        },
      },
      '/upload': {
        post: {
          operationId: 'upload',
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  required: ['file'],
                  properties: {
                    file: { ...text, format: 'binary' },
                    note: text,
                    about: map,
                    picture: { ...text, contentMediaType: 'image/png' },
                  },
                },
              },
            },
          },
        },
      },
      '/text': {
        post: {
          operationId: 'sendText',
          requestBody: { required: true, content: { 'text/csv': { schema: text } } },
        },
      },
      '/bytes/missing': {
        post: {
          operationId: 'sendBytes',
          requestBody: { required: true, content: { 'image/png': {} } },
        },
      },
    }),
    [
      ['get_pet', { id: 'a/b é', more: ['x', 'y;'], query_id: ['1', '2&3'], X_Id: 5 }],
      [
        'search',
        {
          tags: ['a,b', 'c'],
          pipes: ['x', 'y'],
          filter: { 'k=': 'v' },
          where: { a: [1] },
          on: true,
        },
      ],
      ['label', { a: { r: 1, g: 2 } }],
      ['add_pet', { name: 'Rex', tag: null, from_: 3 }],
      ['put_pets', {}],
      ['count_pets', {}],
      ['send_form', { a: 'x y', b: ['1', '2'] }],
      ['upload', { file: '/+n/', note: 'ü', about: { a: 1 }, picture: 'YQ==' }],
      ['send_text', { body: 'a;b' }],
      ['send_bytes', { body: 'iVBO' }],
      ['get_pet', { id: '..', more: [] }],
    ],
  );
  const lines = answers.map(({ request }) => request?.line);
  expect(lines).toEqual([
    'GET /v1/pets/a%2Fb%20%C3%A9/;more=x;more=y%3B?id=1&id=2%263',
    'GET /v1/search?tags=a%2Cb,c&pipes=x%7Cy&filter[k%3D]=v&where=%7B%22a%22%3A%20%5B1%5D%7D&on=true',
    'GET /v1/label/.r=1.g=2',
    'POST /v1/pets',
    'PUT /v1/pets',
    'HEAD /v1/pets',
    'POST /v1/form',
    'POST /v1/upload',
    'POST /v1/text',
    'POST /v1/bytes/missing',
    undefined,
  ]);
  expect(answers.map(({ request }) => request?.body)).toEqual([
    '',
    '',
    '',
    '{"name": "Rex", "tag": null, "from": 3}',
    '',
    '',
    'a=x%20y&b=1&b=2',
    expect.stringMatching(
      /^--(\w+)\r\nContent-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: application\/octet-stream\r\n\r\n\xff\xe9\xff\r\n--\1\r\nContent-Disposition: form-data; name="note"\r\n\r\n\xc3\xbc\r\n--\1\r\nContent-Disposition: form-data; name="about"\r\nContent-Type: application\/json\r\n\r\n\{"a": 1\}\r\n--\1\r\nContent-Disposition: form-data; name="picture"; filename="picture"\r\nContent-Type: application\/octet-stream\r\n\r\na\r\n--\1--\r\n$/,
    ),
    'a;b',
    '\x89PN',
    undefined,
  ]);
  expect(answers[0]?.request?.headers).toMatchObject({ 'x-id': '5' });
  expect(answers.map(({ request }) => request?.headers['content-type'])).toEqual([
    undefined,
    undefined,
    undefined,
    'application/json',
    undefined,
    undefined,
    'application/x-www-form-urlencoded',
    expect.stringMatching(/^multipart\/form-data; boundary=\w+$/),
    'text/csv',
    'image/png',
    undefined,
  ]);
  const said = answers.map(({ said }) => said);
  expect(said[0]).toBe("{'big': 12345678901234567891}");
  expect(said[5]).toContain("'x-count': '7'");
  expect(said[8]).toBe("'plain words'");
  expect(said[9]).toBe('RuntimeError: POST /bytes/missing: 404 Not Found. plain words');
  expect(said[10]).toBe("ValueError: '..' cannot be a part of a path");
});

test('half a character in the name of a parameter does not stop the import', async () => {
  const name = 'a\ud83d';
  const parameters = [{ name, in: 'path', required: true, schema: text }];
  const document = api({ [`/odd/{${name}}`]: { get: { operationId: 'odd', parameters } } });
  const { written } = await imported(document, `${origin}/v1`);
  expect(written.text).toContain('def odd(');
});

test('operations of Swagger 2.0 send what their document says', async () => {
  const document = {
    swagger: '2.0',
    info: { title: 'Old' },
    paths: {
      '/a': {
        get: {
          operationId: 'get_a',
          parameters: [
            {
              name: 'ids',
              in: 'query',
              type: 'array',
              items: { type: 'integer' },
              collectionFormat: 'pipes',
            },
            { name: 'csv', in: 'query', type: 'array', items: text },
            { $ref: '#/parameters/page' },
          ],
        },
        post: {
          operationId: 'post_a',
          parameters: [
            { name: 'file', in: 'formData', type: 'file', required: true },
            { name: 'n', in: 'formData', type: 'integer' },
          ],
        },
        put: {
          operationId: 'put_a',
          parameters: [
            { name: 'thing', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
          ],
        },
      },
    },
    parameters: { page: { name: 'page', in: 'query', type: 'integer' } },
    definitions: { Thing: { type: 'object', properties: { id: { type: 'integer' } } } },
  };
  const answers = await called(document, [
    ['get_a', { ids: [1, 2], csv: ['x', 'y'], page: 3 }],
    ['post_a', { file: 'YQ==', n: 4 }],
    ['put_a', { id: 12345678 }],
  ]);
  expect(answers.map(({ request }) => request?.line)).toEqual([
    'GET /v1/a?ids=1%7C2&csv=x,y&page=3',
    'POST /v1/a',
    'PUT /v1/a',
  ]);
  expect(answers[1]?.request?.body).toContain('\r\n\r\n4\r\n');
  expect(answers[2]?.request?.body).toBe('{"id": 12345678}');
});

test('keys are in no file: they come from the environment, and go to the server of the file only', async () => {
  const document = api(
    {
      '/a': { get: { operationId: 'a' } },
      '/b': { get: { operationId: 'b', servers: [{ url: `${origin}/other` }] } },
      '/c': { get: { operationId: 'c', security: [{}] } },
    },
    {
      security: [{ inCookie: [] }, { token: [], inQuery: [] }],
      components: {
        securitySchemes: {
          inCookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
          inQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
          token: { type: 'http', scheme: 'bearer' },
        },
      },
    },
  );
  const { written } = await imported(document, 'https://api.example.com');
  expect(written.keys).toEqual([]);
  expect([...written.notes.values()].flat()).toEqual(
    expect.arrayContaining([
      'Its key is in a cookie (sid), which pages of other sites cannot send.',
    ]),
  );
  const bearer = { ...document, security: [{ token: [] }, { inCookie: [] }] };
  expect((await imported(bearer)).written.keys).toEqual([
    { header: 'Authorization', value: 'Bearer TOKEN' },
  ]);
  const calls = [
    ['a', {}],
    ['b', {}],
  ] as const;
  const env = { SHOP_API_AUTHORIZATION: 'Bearer abc' };
  const sent = async (given: Readonly<Record<string, string>>) =>
    (await called(bearer, calls, given)).map(
      ({ request }) => `${request?.line ?? ''} ${String(request?.headers.authorization)}`,
    );
  expect(await sent(env)).toEqual(['GET /v1/a Bearer abc', 'GET /other/b undefined']);
  expect(await sent({})).toEqual(['GET /v1/a undefined', 'GET /other/b undefined']);
});
