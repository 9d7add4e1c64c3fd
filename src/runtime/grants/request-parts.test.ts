/** Which addresses tools can reach at all, whatever is granted. */

import { expect, test } from 'vitest';
import { headerFault, requestHeaders, requestTarget } from './request-parts.ts';
import type { HttpHeader } from '../protocol/ask.ts';

const app = 'https://cloche.example';

test('accepts an ordinary address and removes its fragment', () => {
  expect(requestTarget('https://api.example.com:8443/a?b=c#d', app)).toEqual({
    url: 'https://api.example.com:8443/a?b=c',
    origin: 'https://api.example.com:8443',
    local: false,
  });
});

test.each([
  'https://cloche.example/api/tools',
  'HTTPS://CLOCHE.EXAMPLE:443/x',
  'https://user@api.example.com/',
  'https://user:secret@api.example.com/',
  'file:///etc/passwd',
  'blob:https://cloche.example/1',
  'data:text/plain,x',
  'javascript:1',
  'ftp://api.example.com/',
  'ws://api.example.com/',
  '/api/tools',
  'https://api.example.com./',
  'https://api.example.com\\@evil.example/',
  'https://api.exa\nmple.com/',
  ' https://api.example.com/',
  'https://',
  `https://api.example.com/${'x'.repeat(9_000)}`,
])('%s is refused', (asked) => {
  expect(requestTarget(asked, app)).toHaveProperty('why');
});

test.each([
  'http://localhost:8080/',
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://169.254.169.254/',
  'http://100.64.0.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a00:1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[fec0::1]/',
  'http://printer.localdomain/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://printer/',
  'http://nas.local/',
  'http://a.localhost/',
])('%s is local', (asked) => {
  expect(requestTarget(asked, app)).toMatchObject({ local: true });
});

test.each(['https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://172.32.0.1/'])(
  '%s is not local',
  (asked) => {
    expect(requestTarget(asked, app)).toMatchObject({ local: false });
  },
);

test('a look-alike host is another origin, and is shown as such', () => {
  expect(requestTarget('https://аpi.example.com/', app)).toMatchObject({
    origin: 'https://xn--pi-6kc.example.com',
  });
});

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
