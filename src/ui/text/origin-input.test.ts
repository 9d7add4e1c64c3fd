/** What a person types becomes an origin, or nothing. */

import { expect, test } from 'vitest';
import { typedOrigin } from './origin-input.ts';

test.each([
  ['api.example.com', 'https://api.example.com'],
  [' https://api.example.com/v1?x=1 ', 'https://api.example.com'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['localhost:8080', 'https://localhost:8080'],
  ['file:///etc', null],
  ['', null],
  ['a b', null],
  ['https://user@api.example.com', null],
])('%j is %j', (typed, origin) => {
  expect(typedOrigin(typed)).toBe(origin);
});
