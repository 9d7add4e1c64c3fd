/** Checks WCAG 2.2 AA automatically. */

import type { Page } from '@playwright/test';
import axe, { type RunOnly } from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * @param rules all rules of WCAG 2.2 AA if not given
 * @returns each breach of a rule with the element that breaks it
 */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Its text is large: a page is given it once.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const only: RunOnly = rules
    ? { type: 'rule', values: [...rules] }
    : { type: 'tag', values: tags };
  return page.evaluate(async (runOnly) => {
    // A colour that is still changing has another contrast.
    const changing = document
      .getAnimations()
      .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(changing.map(({ finished }) => finished));
    const checker = Reflect.get(globalThis, 'axe') as typeof axe;
    const { violations: found } = await checker.run(document, {
      runOnly,
      resultTypes: ['violations'],
      // The sandbox's frame is empty and hidden, and sealed against the checker too.
      iframes: false,
    });
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, only);
}
