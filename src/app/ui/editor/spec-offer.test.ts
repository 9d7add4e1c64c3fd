/** Which files can get specs. */

import { expect, test } from 'vitest';
import { offerFor } from './spec-offer.ts';

test.each([
  ['a.py', 'def f(): ...', false, 'make'],
  ['a.py', 'class A:\n    async  def f(self): ...', false, 'make'],
  ['a.py', 'from x import tool', true, 'export'],
  ['a.py', 'undefined = 1\n# a def f', false, null],
  ['a.py', 'def f(): ...\nTOOL_SPECS = []', false, null],
  ['a.py', 'def f(): ...\nTOOL_SPECS: list = []', true, null],
  ['_a.py', 'def f(): ...', false, null],
  ['lib/a.py', 'def f(): ...', false, null],
  ['a.txt', 'def f(): ...', false, null],
  ['a.py', `def f(): ...${' '.repeat(1024 * 1024)}`, false, null],
] as const)('%s: %j', (path, text, isForeign, offer) => {
  expect(offerFor(path, text, { isForeign })).toBe(offer);
});
