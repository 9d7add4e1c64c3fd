/** Tests what a playground shows of its tool before Python has loaded. */

import { expect, test } from 'vitest';
import { signatureIn } from './plain-view.ts';

const file = (text: string, path = 'a.py') => ({ path, text });

test.each([
  ['of the only function', '', 'def greet(name: str) -> str:\n    ...', 'greet(name: str)'],
  [
    'of the named tool',
    'a:second',
    'def first(): ...\ndef second(n: int = 2): ...',
    'second(n: int = 2)',
  ],
  ['without the module', 'second', 'def first(): ...\nasync def second(n): ...', 'second(n)'],
  [
    'over lines, with calls',
    '',
    'def f(\n    a: int = max(1, 2),\n    b=(),\n):',
    'f( a: int = max(1, 2), b=(), )',
  ],
  ['not of a private function', '', 'def _help(): ...\ndef shown(): ...', 'shown()'],
  ['not of another function', 'a:none', 'def first(): ...', ''],
  ['not of an incomplete one', '', 'def f(a', ''],
])('the signature is found: %s', (_, tool, text, signature) => {
  expect(signatureIn([file('x'), file(text)], tool)).toBe(signature);
  expect(signatureIn([file(text, 'a.txt')], tool)).toBe('');
});
