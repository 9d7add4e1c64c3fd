/** Headers: what is dropped, what is refused, and what the user adds. */

import { expect, test } from 'vitest';
import type { HttpHeader } from '../protocol/ask.ts';
import { headerFault, requestHeaders } from './request-headers.ts';

test('headers that the browser sets are dropped, others are sent', () => {
  const asked: HttpHeader[] = [
    ['Host', 'evil.example'],
    ['User-Agent', 'python'],
    ['Cookie', 'a=b'],
    ['Sec-Fetch-Site', 'none'],
    ['Proxy-Authorization', 'x'],
    ['Content-Length', '3'],
    ['Transfer-Encoding', 'chunked'],
    ['Accept', 'text/plain'],
    ['X-Own', 'ä'],
  ];
  expect(requestHeaders(asked, [])).toEqual({
    sent: [
      ['Accept', 'text/plain'],
      ['X-Own', 'ä'],
    ],
  });
});

test('a secret replaces the tool’s header', () => {
  const secrets: HttpHeader[] = [['Authorization', 'Bearer kept']];
  expect(requestHeaders([['authorization', 'Bearer guessed']], secrets)).toEqual({ sent: secrets });
});

test.each<[HttpHeader[], RegExp]>([
  [[['Authorization', 'Bearer x']], /Policy/],
  [[['X-A', 'a\r\nHost: evil.example']], /X-A/],
  [[['X-A', '\u0000']], /X-A/],
  [[['X-A', '\u0107']], /X-A/],
  [[['X A', 'a']], /not a valid header name/],
  [[['X\r\nHost', 'a']], /not a valid header name/],
  [Array.from({ length: 101 }, (_, at): HttpHeader => [`X-${at}`, '']), /101 headers/],
  [[['X-A', 'a'.repeat(40_000)]], /characters/],
])('%j is refused', (asked, why) => {
  expect(requestHeaders(asked, [])).toEqual({ why: expect.stringMatching(why) as string });
});

test('a header that the user stores is one that can be sent', () => {
  expect([
    headerFault('Authorization', 'Bearer ä'),
    headerFault('X-Key', ''),
    headerFault('Cookie', 'a=b'),
    headerFault('Sec-Own', '1'),
    headerFault('X Key', '1'),
    headerFault('X-Key', '\u0107'),
  ]).toEqual([
    null,
    null,
    'the header Cookie is set by the browser',
    'the header Sec-Own is set by the browser',
    'X Key is not a valid header name',
    'the value of the header X-Key contains invalid characters',
  ]);
});
