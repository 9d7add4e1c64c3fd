/** Recordings: on a first visit without a key, a recorded conversation runs real Python, offline too. */

import { expect, test } from '../support/test.ts';

/** Each example with the number of its calls. One is enough to show that recordings play. */
const examples = [
  { title: 'recover from an error', calls: 3, tag: [] },
  { title: 'split a bill', calls: 4, tag: ['@full'] },
  { title: 'explore an unknown table', calls: 4, tag: ['@full'] },
];

for (const { title, calls: count, tag } of examples)
  test(
    `the example “${title}” plays, and every result is as it was recorded`,
    { tag },
    async ({ page }) => {
      // What is out of view is not laid out.
      await page.setViewportSize({ width: 1280, height: 4_000 });
      await page.goto('./#/sessions');
      await page
        .getByRole('group', { name: 'Main content' })
        .getByRole('button', { name: /open samples/i })
        .click();
      await page.goto('./#/sessions');
      await page.getByRole('button', { name: new RegExp(title) }).click();
      await expect(page.getByText(/messages are scripted/)).toBeVisible();
      await expect(page.getByText(/the recording has ended/i)).toBeVisible({ timeout: 120_000 });
      const calls = page.getByRole('region', { name: /^Call to/ });
      await expect(calls).toHaveCount(count);
      for (let n = 0; n < count; n += 1) {
        const card = calls.nth(n);
        const head = card.getByRole('button', { expanded: false });
        if (await head.count()) await head.first().click();
        await expect(card.getByText('Same as recorded.')).toBeVisible();
      }
    },
  );
