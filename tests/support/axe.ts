/** What a machine can check of WCAG 2.2 AA. */

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** @returns each breach of a rule with the element that breaks it */
export async function violations(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  // The sandbox's frame is empty and hidden, and sealed against the checker too.
  const { violations: found } = await new AxeBuilder({ page })
    .withTags(tags)
    .exclude('iframe')
    .analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
