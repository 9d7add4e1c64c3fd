/** What the bridge passes on: requests to the API, and nothing that changes whom they are from or where they go. */

import { expect, test } from 'vitest';
import { parseBridgeAnswer, parseBridgeRequest } from './bridge.ts';

const request = {
  type: 'request',
  id: 1,
  method: 'GET',
  path: 'tools?folder=a%20b',
  headers: {},
  body: null,
};

test('a request is passed on with the headers that the API reads, and no others', () => {
  const headers = {
    Accept: 'text/event-stream',
    'idempotency-key': 'k',
    'Mcp-Session-Id': 's',
    'Last-Event-ID': '1-2',
    'Cloche-Origin': 'https://other.example',
    'cloche-origin': '',
    Cookie: 'a=b',
    Range: 'x',
    'If-None-Match': 'a\nb',
    'Content-Type': 7,
  };
  expect(parseBridgeRequest({ ...request, headers })).toEqual({
    ...request,
    headers: {
      Accept: 'text/event-stream',
      'idempotency-key': 'k',
      'Mcp-Session-Id': 's',
      'Last-Event-ID': '1-2',
    },
  });
});

test.each([
  '../index.html',
  'tools/../../index.html',
  'tools/%2e%2E/x',
  './tools',
  'tools//x',
  '/tools',
  '//other.example/x',
  'https://other.example/',
  'tools\\..\\x',
  'tools#x',
  'tools/a b',
  'tools/\u202e',
  '',
  `tools/${'x'.repeat(8_000)}`,
])('the path %j is refused', (path) => {
  expect(parseBridgeRequest({ ...request, path })).toBeUndefined();
});

test.each(['tools/a:b/invoke', 'tools/gr%C3%B6%C3%9Fe', 'calls/1?x=..%2F..', 'openapi.json'])(
  'the path %j is passed on',
  (path) => {
    expect(parseBridgeRequest({ ...request, path })).toMatchObject({ path });
  },
);

test.each([
  { method: 'PUT' },
  { method: 'get' },
  { id: '1' },
  { body: {} },
  { body: undefined },
  { path: 1 },
  { type: 'other' },
])('%j is no request', (change) => {
  expect(parseBridgeRequest({ ...request, ...change })).toBeUndefined();
});

test('an answer of another form is ignored', () => {
  const head = { type: 'head', id: 1, status: 200, headers: {} };
  expect(parseBridgeAnswer(head)).toEqual(head);
  expect(parseBridgeAnswer({ type: 'failed', id: 1, code: 'x' })).toEqual({
    type: 'failed',
    id: 1,
    code: 'failed',
    message: 'The request failed.',
  });
  for (const other of [null, 'head', { type: 'head', id: 1 }, { type: 'chunk', id: 1, bytes: 'x' }])
    expect(parseBridgeAnswer(other)).toBeUndefined();
});
