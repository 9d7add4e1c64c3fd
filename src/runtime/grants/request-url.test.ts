/** Which addresses tools can reach at all, whatever is granted. */

import { expect, test } from 'vitest';
import { requestTarget } from './request-url.ts';

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
