/** Calls operations whose forms and parameters have encodings of their own. */

import { afterAll, expect, test } from 'vitest';
import { api } from '../imports.fixture.ts';
import { startEchoServer } from '../../../tests/support/imported-operations.ts';

const { called, close } = await startEchoServer();
afterAll(close);

const text = { type: 'string' };
const list = { type: 'array', items: text };
const map = { type: 'object' };

test('fields of forms are written as their encoding says, and parameters as their media type says', async () => {
  const answers = await called(
    api({
      '/charges': {
        get: {
          operationId: 'list_all',
          parameters: [
            { name: 'raw', in: 'query', content: { 'text/plain': { schema: text } } },
            { name: 'X-Filter', in: 'header', content: { 'application/json': { schema: map } } },
          ],
        },
        post: {
          operationId: 'charge',
          requestBody: {
            required: true,
            content: {
              'application/x-www-form-urlencoded': {
                encoding: {
                  metadata: { style: 'deepObject', explode: true },
                  ids: { style: 'pipeDelimited', explode: false },
                  item: { contentType: 'application/json' },
                },
                schema: {
                  allOf: [
                    { required: ['metadata'] },
                    { properties: { metadata: map, ids: list, item: map, other: map } },
                  ],
                },
              },
            },
          },
        },
        put: {
          operationId: 'open_body',
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { required: ['a'], properties: { b: text } } },
            },
          },
        },
      },
    }),
    [
      ['list_all', { raw: 'a b', X_Filter: { a: 1 } }],
      ['charge', { metadata: { a: '1' }, ids: ['x', 'y'], item: { q: 1 }, other: { z: 2 } }],
      ['charge', { metadata: {} }],
      ['open_body', { body: { a: 1 } }],
    ],
  );
  expect(answers.map(({ request }) => request && [request.line, request.body])).toEqual([
    ['GET /v1/charges?raw=a%20b', ''],
    ['POST /v1/charges', 'metadata[a]=1&ids=x%7Cy&item=%7B%22q%22%3A%201%7D&z=2'],
    ['POST /v1/charges', ''],
    ['PUT /v1/charges', '{"a": 1}'],
  ]);
  expect(answers[0]?.request?.headers['x-filter']).toBe('{"a": 1}');
});
