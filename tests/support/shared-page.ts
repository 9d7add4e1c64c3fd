/** `test` for files whose tests leave the page unchanged; they share `page`. */

import { expect, test as base } from './test.ts';

export { expect } from './test.ts';
export type { SharedPage } from './one-page.ts';

export const test = onSharedPage(base);

/** @param layer the `test` of a layer, with its own `shared` */
export function onSharedPage(layer: typeof base): typeof base {
  return layer.extend({
    context: ({ shared }, use) => use(shared.page.context()),
    page: ({ shared }, use) => use(shared.page),
    // Automatic, as the one that it takes the place of.
    trouble: async ({ shared }, use) => {
      await use(shared.trouble);
      expect(shared.trouble.take(), 'what went wrong unseen').toEqual([]);
    },
  });
}
