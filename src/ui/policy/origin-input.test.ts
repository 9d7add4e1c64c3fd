/** What the user types becomes an origin, or it is said why not. */

import { expect, test } from 'vitest';
import { typedIndex, typedOrigin } from './origin-input.ts';

const app = 'https://cloche.example';

test.each([
  ['api.example.com', 'https://api.example.com', false],
  [' https://api.example.com/v1?x=1 ', 'https://api.example.com', false],
  ['http://localhost:8080', 'http://localhost:8080', true],
  ['localhost:8080', 'https://localhost:8080', true],
  ['\u0430pi.example.com', 'https://xn--pi-6kc.example.com', false],
])('%j is %j', (typed, origin, local) => {
  expect(typedOrigin(typed, app)).toEqual({ origin, local });
});

test.each([
  ['file:///etc', 'It cannot be granted: file: is neither http: nor https:.'],
  ['  ', 'Type an origin, such as https://api.example.com.'],
  ['a b', 'It cannot be granted: the address has a space, a line break or a backslash in it.'],
  [
    'https://user@api.example.com',
    'It cannot be granted: an address with a user name or a password in it is never requested.',
  ],
  [
    app,
    'It cannot be granted: https://cloche.example is Cloche’s own address, which no tool may reach.',
  ],
])('%j is none', (typed, why) => {
  expect(typedOrigin(typed, app)).toEqual({ why });
});

test.each([
  ['pypi.org/simple', 'https://pypi.org/simple/'],
  [' https://pypi.org/simple/ ', 'https://pypi.org/simple/'],
  ['HTTPS://PyPI.org/simple', 'https://pypi.org/simple/'],
  ['https://index.example', 'https://index.example/'],
  ['https://index.example/root/pypi/+simple?x=1#y', 'https://index.example/root/pypi/+simple/'],
  ['http://localhost:8000/simple', 'http://localhost:8000/simple/'],
  ['http://192.168.0.7/simple/', 'http://192.168.0.7/simple/'],
])('%j is the package index %j', (typed, address) => {
  expect(typedIndex(typed, app)).toEqual({ address });
});

test.each([
  ['', 'Type an address, such as https://pypi.org/simple/.'],
  ['  ', 'Type an address, such as https://pypi.org/simple/.'],
  [
    'http://pypi.org/simple/',
    'An index that is not on this computer or its network has to be https://.',
  ],
  ['ftp://pypi.org/', 'It is no package index: ftp: is neither http: nor https:.'],
  ['https://', 'It is no package index: https:// is not an absolute address.'],
  ['a b', 'It is no package index: the address has a space, a line break or a backslash in it.'],
  [
    'https://me:secret@index.example/',
    'It is no package index: an address with a user name or a password in it is never requested.',
  ],
  [
    `${app}/simple/`,
    'It is no package index: https://cloche.example is Cloche’s own address, which no tool may reach.',
  ],
])('%j is no package index', (typed, why) => {
  expect(typedIndex(typed, app)).toEqual({ why });
});
