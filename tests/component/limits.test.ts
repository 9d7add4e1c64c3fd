/** Limits that the user changes. */

import { button } from '../support/opening.ts';
import { invoke, openFolder } from './support/app.ts';
import { expect, test } from './support/test.ts';

test('a changed limit holds at once, after a reload, and until it is reset', async ({
  page,
  folder,
}) => {
  await page.goto('./#/settings/limits');
  const idle = page.getByRole('spinbutton', { name: 'Call without output' });
  await idle.fill('0');
  await idle.press('Enter');
  await expect(page.getByText('Enter 1 to 3,600. The limit is still 300 s.')).toBeVisible();
  await expect(idle).toHaveAttribute('aria-invalid', 'true');
  await idle.fill('1');
  await idle.press('Enter');
  await expect(button(page, 'Reset to 300 s')).toBeVisible();
  await page.reload();
  await expect(idle).toHaveValue('1');

  const { path } = await folder({ 'session_tools.py': 'def patient(seconds): ...\n' }, 'limited');
  await openFolder(page, path);
  const patient = { seconds: 20 };
  expect((await invoke(page, 'session_tools:patient', patient)).error).toBe('timeout');
  await page.goto('./#/settings/limits');
  await button(page, 'Reset to 300 s').click();
  await expect(idle).toHaveValue('300');
  const brief = { seconds: 1.5 };
  expect((await invoke(page, 'session_tools:patient', brief)).resultType).toBe('success');
});

test('the first part of a large file is shown, and the page says so', async ({ page, folder }) => {
  const lines = 'x\n'.repeat(1_500_000);
  const { path } = await folder({ 'large.txt': lines, 'small.txt': 'all of it' }, 'large');
  await page.goto('./');
  await openFolder(page, path);
  await page.goto('./#/files/large.txt');
  const code = page.getByRole('region', { name: 'Code of large.txt' });
  await expect(code.getByRole('status')).toHaveText(/^The first 2 MB of 3\.0 MB$/);
  await expect(button(page, 'Copy file')).toHaveCount(0);
  await page.goto('./#/files/small.txt');
  await expect(page.getByText('all of it')).toBeVisible();
});
