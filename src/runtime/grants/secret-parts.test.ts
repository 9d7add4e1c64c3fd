import { expect, test } from 'vitest';
import { isMasked, secretParts } from './secret-parts.ts';

test('a key is masked without its scheme, and so are the parts that hosts take out of it', () => {
  const parts = {
    'Bearer kept-on-the-host': ['Bearer kept-on-the-host', 'kept-on-the-host'],
    'kept-on-the-host': ['kept-on-the-host'],
    [`Basic ${btoa('somebody:long password')}`]: [
      `Basic ${btoa('somebody:long password')}`,
      btoa('somebody:long password'),
      'somebody:long password',
      'long password',
      'somebody',
    ],
    'apikey sk_live_123456:': ['apikey sk_live_123456:', 'sk_live_123456:', 'sk_live_123456'],
    'Token token="abcdefgh", scope=all': [
      'Token token="abcdefgh", scope=all',
      'token="abcdefgh", scope=all',
      'abcdefgh',
    ],
  };
  for (const [value, masked] of Object.entries(parts)) expect(secretParts(value)).toEqual(masked);
});

test('a short key is not masked by itself, and the user can be told', () => {
  expect([secretParts('1234567'), isMasked('1234567')]).toEqual([[], false]);
  expect([secretParts('12345678'), isMasked('12345678')]).toEqual([['12345678'], true]);
  expect([secretParts('Bearer abc'), isMasked('Bearer abc')]).toEqual([['Bearer abc'], false]);
  expect([
    isMasked(`Basic ${btoa('u:password')}`),
    isMasked(`Basic ${btoa('user-name:pw')}`),
  ]).toEqual([true, false]);
  expect(secretParts('Basic %%%')).toEqual(['Basic %%%']);
});
