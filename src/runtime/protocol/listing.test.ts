import { expect, test } from 'vitest';
import { respondIfChanged } from './listing.ts';

function ask(ifNoneMatch?: string, method = 'GET'): Response {
  const headers = new Headers(ifNoneMatch === undefined ? [] : [['If-None-Match', ifNoneMatch]]);
  return respondIfChanged({ method, headers }, '"a.1"', () => '{}');
}

test('the body has its ETag, and is JSON that browsers do not sniff', async () => {
  const response = ask();
  expect([response.status, await response.text()]).toEqual([200, '{}']);
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-cache',
    'content-type': 'application/json',
    etag: '"a.1"',
    'x-content-type-options': 'nosniff',
  });
});

test.each(['"a.1"', 'W/"a.1"', '"b", W/"a.1"', ' * '])(
  'a request with If-None-Match %s gets 304',
  (tag) => {
    const response = ask(tag);
    expect([response.status, response.body, response.headers.get('ETag')]).toEqual([
      304,
      null,
      '"a.1"',
    ]);
  },
);

test.each(['"b"', 'a.1', '""', '"xa.1"'])(
  'a request with If-None-Match %s gets the body',
  (tag) => {
    expect(ask(tag).status).toBe(200);
  },
);

test('HEAD gets only the head', () => {
  const response = ask(undefined, 'HEAD');
  expect([response.status, response.body, response.headers.get('ETag')]).toEqual([
    200,
    null,
    '"a.1"',
  ]);
});
