/** Numbers as people type them. */

import { expect, test } from 'vitest';
import { readTypedNumber } from './field-control.ts';

test.each([
  ['02.5', '2.5'],
  ['04', '4'],
  ['-007', '-7'],
  [' 0 ', '0'],
  ['0.5', '0.5'],
  ['3.0', '3.0'],
  ['10000000000000000000000000000000000000000', '10000000000000000000000000000000000000000'],
  ['1e400', '1e400'],
  ['0.', null],
  ['', null],
  ['--1', null],
  ['0x10', null],
])('%j is the number %j', (typed, number) => {
  expect(readTypedNumber(typed)).toBe(number);
});
