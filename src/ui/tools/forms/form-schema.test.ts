/** How much of a schema a form reads. */

import { expect, test } from 'vitest';
import { FormSchema } from './form-schema.ts';

test('a schema with more properties than a form can read is cut, and says so', () => {
  const withProperties = (count: number) => {
    const names = Array.from({ length: count }, (_, n) => [`p${n}`, true] as const);
    const { root } = new FormSchema({ type: 'object', properties: Object.fromEntries(names) });
    return [root.properties.size === count, root.cut];
  };
  expect(withProperties(1_000)).toEqual([true, false]);
  expect(withProperties(30_000)).toEqual([false, true]);
});
