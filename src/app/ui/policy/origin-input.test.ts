import { expect, test } from 'vitest';
import { parseIndexAddress, parseOrigin } from './origin-input.ts';

const app = 'https://cloche.example';

test.each([
  ['api.example.com', 'https://api.example.com', false],
  [' https://api.example.com/v1?x=1 ', 'https://api.example.com', false],
  ['http://localhost:8080', 'http://localhost:8080', true],
  ['localhost:8080', 'https://localhost:8080', true],
  ['\u0430pi.example.com', 'https://xn--pi-6kc.example.com', false],
])('%j is %j', (typed, origin, local) => {
  expect(parseOrigin(typed, app)).toEqual({ origin, local });
});

test.each([
  ['file:///etc', 'Cannot be allowed: file: is neither http: nor https:.'],
  ['  ', 'Enter an origin, such as https://api.example.com.'],
  ['a b', 'Cannot be allowed: the address contains a space, a line break or a backslash.'],
  [
    'https://user@api.example.com',
    'Cannot be allowed: the address must not contain a user name or password.',
  ],
  [
    app,
    'Cannot be allowed: https://cloche.example is Cloche’s own address, which no tool may reach.',
  ],
])('%j is none', (typed, why) => {
  expect(parseOrigin(typed, app)).toEqual({ why });
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
  expect(parseIndexAddress(typed, app)).toEqual({ address });
});

test.each([
  ['', 'Enter an address, such as https://pypi.org/simple/.'],
  ['  ', 'Enter an address, such as https://pypi.org/simple/.'],
  ['http://pypi.org/simple/', 'An index outside your local network must use https://.'],
  ['ftp://pypi.org/', 'Not a package index: ftp: is neither http: nor https:.'],
  ['https://', 'Not a package index: https:// is not an absolute address.'],
  ['a b', 'Not a package index: the address contains a space, a line break or a backslash.'],
  [
    'https://me:secret@index.example/',
    'Not a package index: the address must not contain a user name or password.',
  ],
  [
    `${app}/simple/`,
    'Not a package index: https://cloche.example is Cloche’s own address, which no tool may reach.',
  ],
])('%j is no package index', (typed, why) => {
  expect(parseIndexAddress(typed, app)).toEqual({ why });
});
