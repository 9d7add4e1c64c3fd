/** A new user with a local server: from the empty page to the first tool call of its model, told by the page alone what to do. */

import { expect, test } from '../support/test.ts';
import { startModelEndpoint } from '../support/model-endpoint.ts';
import * as session from '../support/session-page.ts';

/** Within which a new user should see the first call; the machine of a test is slower than the user's. */
const longestMs = 90_000;

test('from the empty page to the first tool call, with a server that first refuses pages', async ({
  page,
  trouble,
}) => {
  session.expectModelRequests(trouble);
  const endpoint = await startModelEndpoint();
  try {
    endpoint.habits.cors = false;
    const began = Date.now();
    await page.goto('./');
    await page.getByRole('button', { name: 'Open samples' }).first().click();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'Connect a model' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Connect a model' });
    await dialog.getByRole('button', { name: 'LM Studio' }).click();
    await dialog.getByRole('textbox', { name: 'Base URL' }).fill(`${endpoint.url}/v1`);
    await dialog.getByRole('button', { name: 'Add provider' }).click();
    await expect(dialog.getByRole('heading', { name: 'LM Studio' })).toBeFocused();
    await expect(dialog).toContainText('it does not allow this page (CORS)');
    // What to do, with the address that the server must allow.
    await expect(dialog.getByRole('status')).toContainText(new URL(page.url()).origin);
    endpoint.habits.cors = true;
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await expect(dialog).toContainText('Ready: ');
    await dialog.getByRole('button', { name: 'Use large' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
    endpoint.answer((request) => {
      const [name = ''] = session.offeredTools(request);
      return { calls: [{ name, arguments: '{}' }] };
    });
    endpoint.answer({ text: 'That was a call.' });
    await page.keyboard.type('Use a tool.');
    await page.keyboard.press('Enter');
    await expect(session.cards(page).first()).toBeVisible();
    await expect(page.getByText('That was a call.')).toBeVisible();
    expect(Date.now() - began).toBeLessThan(longestMs);
  } finally {
    await endpoint.close();
  }
});
