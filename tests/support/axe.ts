/** Checks WCAG 2.2 AA automatically. */

import type { Page } from '@playwright/test';
import axe from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** @returns each breach of a rule with the element that breaks it */
export async function violations(page: Page): Promise<string[]> {
  // Its text is large: a page is given it once.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    // A colour that is still changing has another contrast.
    const changing = document
      .getAnimations()
      .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(changing.map(({ finished }) => finished));
    const checker = Reflect.get(globalThis, 'axe') as typeof axe;
    const { violations: found } = await checker.run(document, {
      runOnly: { type: 'tag', values },
      resultTypes: ['violations'],
      // The sandbox's frame is empty and hidden, and sealed against the checker too.
      iframes: false,
    });
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, tags);
}
