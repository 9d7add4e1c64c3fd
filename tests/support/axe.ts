/** Checks WCAG 2.2 AA automatically, and that no view has two primary actions. */

import type { Page } from '@playwright/test';
import axe, { type RunOnly } from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * @param rules all rules of WCAG 2.2 AA if not given
 * @returns each breach of a rule with the element that breaks it, and the primary actions of a view that has several
 */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Its text is large: a page is given it once.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const only: RunOnly = rules
    ? { type: 'rule', values: [...rules] }
    : { type: 'tag', values: tags };
  const breaches = await page.evaluate(async (runOnly) => {
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
  return [...breaches, ...(await page.evaluate(rivals))];
}

/**
 * Names the primary actions of each view that has more than one: the dialog or menu on top, otherwise each area of the
 * page. A question to the user in a list asks for a decision of its own. Runs in the page.
 */
function rivals(): string[] {
  const top = [...document.querySelectorAll(':popover-open, dialog[open]')].at(-1);
  const views =
    top === undefined ? document.querySelectorAll('main > nav, .bench, .drawer') : [top];
  return Array.from(views).flatMap((view) => {
    const actions = [...view.querySelectorAll('.primary:not(li form.answers .primary)')].filter(
      (action) => action.checkVisibility({ visibilityProperty: true }),
    );
    const names = actions.map((action) => action.textContent.trim().replace(/\s+/g, ' '));
    return names.length > 1 ? [`two primary actions: ${names.join(', ')}`] : [];
  });
}
