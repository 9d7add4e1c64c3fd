/** W3: no screen breaks a rule of WCAG 2.2 AA that a machine can check, in either theme. */

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { fileURLToPath } from 'node:url';
import { openFolder } from './support/app.ts';
import { expect, test } from './support/test.ts';

const corpus = fileURLToPath(new URL('corpus/tools', import.meta.url));

async function violations(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  // The sandbox's frame is empty and hidden, and sealed against the checker too.
  const { violations: found } = await new AxeBuilder({ page })
    .withTags(tags)
    .exclude('iframe')
    .analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen, ${colorScheme}`, async ({ page, trouble }) => {
    // The checker asks for the sandbox's frame, which answers nobody.
    trouble.expect(/sandbox/i);
    await page.emulateMedia({ colorScheme });
    await page.goto('./');
    await expect(page.getByRole('button', { name: 'Open folder' }).first()).toBeVisible();
    expect.soft(await violations(page), 'the welcome').toEqual([]);
    await openFolder(page, corpus);
    expect.soft(await violations(page), 'the overview').toEqual([]);
    // The list shows only the rows in view.
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('slugify');
    await page.getByRole('link', { name: 'slugify', exact: true }).first().click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByText('An empty text.')).toBeVisible();
    expect.soft(await violations(page), 'a tool and its result').toEqual([]);
    await page.getByRole('link', { name: /^Runs/ }).first().click();
    expect.soft(await violations(page), 'the runs').toEqual([]);
    await page.goto('./#/settings');
    await expect(page.getByRole('group', { name: 'Offline files' })).toBeVisible();
    expect.soft(await violations(page), 'the settings').toEqual([]);
  });
}
