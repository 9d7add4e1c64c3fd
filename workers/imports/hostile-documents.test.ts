/** Documents with a wrong value in every place: read as far as they have one reading, or refused with words, and never with an exception. */

import { test } from 'vitest';
import { readAll } from '../../tests/support/imported-operations.ts';
import { api } from './imports.fixture.ts';

/** What `String` cannot convert. */
const hostile = { toString: 1, valueOf: 1 };
const wrong = [null, 1, true, 'text', [], [1], {}, hostile, ['string', hostile], '__proto__'];

const get = (more: object) => ({ '/a/{id}': { get: { operationId: 'a', ...more } } });

/** A document in which one place has a wrong value. */
const places: Readonly<Record<string, (value: unknown) => object>> = {
  info: (value) => api(get({}), { info: value }),
  title: (value) => api(get({}), { info: { title: value, version: value } }),
  openapi: (value) => ({ openapi: value, paths: get({}) }),
  'openapi beside swagger': (value) => ({ openapi: value, swagger: '2.0', paths: get({}) }),
  servers: (value) => api(get({}), { servers: value }),
  server: (value) => api(get({}), { servers: [value, { url: value, variables: value }] }),
  variables: (value) =>
    api(get({}), {
      servers: [{ url: 'https://{a}', variables: { a: value, ['__proto__']: value } }],
    }),
  paths: (value) => api({}, { paths: value }),
  path: (value) => api({ '/a': value, ...get({}) }),
  method: (value) => api({ '/a': { get: value, post: {} } }),
  operation: (value) =>
    api(
      get({
        operationId: value,
        summary: value,
        description: value,
        tags: value,
        deprecated: value,
      }),
    ),
  parameters: (value) => api(get({ parameters: value })),
  parameter: (value) =>
    api(
      get({
        parameters: [
          value,
          { name: value, in: 'query' },
          { name: 'a', in: value },
          { $ref: value },
        ],
      }),
    ),
  style: (value) =>
    api(
      get({
        parameters: ['path', 'query', 'header', 'cookie'].map((place) => ({
          name: 'id',
          in: place,
          style: value,
          explode: value,
          schema: value,
          ...{
            required: value,
            content: value,
            example: value,
            examples: value,
            description: value,
          },
        })),
      }),
    ),
  body: (value) =>
    api({ '/a': { post: { requestBody: value }, put: { requestBody: { content: value } } } }),
  media: (value) =>
    api({
      '/a': {
        post: { requestBody: { required: value, content: { 'application/json': value } } },
        put: {
          requestBody: {
            content: {
              'multipart/form-data': { schema: { properties: { a: value } }, encoding: value },
            },
          },
        },
      },
    }),
  security: (value) => api(get({ security: value }), { security: value }),
  scheme: (value) =>
    api(get({ security: [{ a: [], b: value, ['__proto__']: [] }] }), {
      components: {
        securitySchemes: {
          a: { type: 'http', scheme: value },
          b: { type: value, in: value, name: value },
        },
      },
    }),
  swagger: (value) => ({
    swagger: '2.0',
    host: value,
    basePath: value,
    schemes: value,
    consumes: value,
    securityDefinitions: value,
    paths: {
      '/a': {
        post: {
          parameters: [
            { name: 'a', in: 'formData', type: value, collectionFormat: value, items: value },
            { name: 'b', in: 'query', type: 'array', collectionFormat: value },
            { name: 'c', in: 'body', schema: value },
          ],
        },
      },
    },
  }),
  webhooks: (value) => api(get({ callbacks: value }), { webhooks: value, components: value }),
};

const schemaKeywords = [
  ...['type', 'format', 'enum', 'const', 'default', 'example', 'examples', 'pattern', 'nullable'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'multipleOf', 'minLength', 'maxItems', 'required'],
  ...['uniqueItems', 'items', 'prefixItems', 'contains', 'properties', 'patternProperties'],
  ...[
    'additionalProperties',
    'propertyNames',
    'dependentSchemas',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
  ],
  ...[
    'if',
    'then',
    '$ref',
    '$defs',
    '$anchor',
    'title',
    'description',
    'readOnly',
    'discriminator',
  ],
];

test.each(Object.entries(places))(
  'a wrong value is refused or passed over: %s',
  async (_, place) => {
    await readAll(wrong.map(place));
  },
);

test('a wrong value of any keyword is left out of a schema', async () => {
  const documents = wrong.map((value) =>
    api(
      Object.fromEntries(
        schemaKeywords.map((keyword) => [
          `/${keyword}`,
          {
            post: {
              parameters: [{ name: 'a', in: 'query', schema: { [keyword]: value } }],
              requestBody: {
                required: true,
                content: { 'application/json': { schema: { type: 'object', [keyword]: value } } },
              },
            },
          },
        ]),
      ),
    ),
  );
  await readAll(documents);
  const tools = wrong.map((value) => ({
    tools: schemaKeywords.map((keyword) => ({
      name: keyword,
      title: value,
      inputSchema: { openapi: value, [keyword]: value },
      outputSchema: value,
      annotations: value,
    })),
  }));
  await readAll(tools);
});
