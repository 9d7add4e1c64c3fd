import { expect, test } from 'vitest';
import { parseValue } from './json-value.ts';
import { isSame } from './value-fit.ts';

test.each([
  ['1', '1.0', true],
  ['10e-1', '1', true],
  ['-0', '0.0', true],
  ['1e400', '10e399', true],
  ['12345678901234567890', '12345678901234567891', false],
  ['9007199254740993', '9007199254740992', false],
  ['[12345678901234567890]', '[12345678901234567891]', false],
  ['0.1', '0.10', true],
  ['0.1', '0.2', false],
  ['1', '"1"', false],
  ['"\\u0061"', '"a"', true],
  ['{"a": 1, "b": [2.0]}', '{"b":[2],"a":1}', true],
  ['{"a": 1}', '{"a": 1, "b": null}', false],
  ['[1, 2]', '[2, 1]', false],
  ['true', 'false', false],
  ['null', 'null', true],
])('%s and %s are equal: %s', (one, other, equal) => {
  expect(isSame(parseValue(one)!, other)).toBe(equal);
  expect(isSame(parseValue(other)!, one)).toBe(equal);
});
