/** A refusal is put right by keyboard alone, in three presses. */

import { readFile } from 'node:fs/promises';
import { enter, tabTo } from '../support/keyboard.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { question } from '../support/questions.ts';
import { expect, test } from './support/shared-page.ts';

test('a refused origin is allowed, and the call run again, with three controls', async ({
  shared,
}) => {
  const net = await readFile(new URL('../grants/net.py', import.meta.url), 'utf8');
  await shared.open({ 'net.py': net });
  const { page, trouble } = shared;
  trouble.allowOrigin('http://api.example.com');
  await page.route('http://api.example.com/**', (route) =>
    route.fulfill({ headers: { 'Access-Control-Allow-Origin': '*' }, body: 'Hello.' }),
  );
  await page.evaluate(() => (location.hash = '#/tools/net:fetch'));
  const args = await jsonArguments(page);
  await args.fill('{"url": "http://api.example.com/"}');
  await args.press('ControlOrMeta+Enter');
  await expect(question(page)).toContainText('wants to reach');
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);

  // The page of the policy begins with the refusal; it has no heading without a list.
  await page.goto('./#/policy');
  await expect(page.getByRole('heading', { name: 'Refused during this visit' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Origins that tools may reach' })).toHaveCount(0);
  await page.goBack();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await tabTo(page, page.getByRole('link', { name: 'Review network access' }));
  await page.keyboard.press('Enter');
  // The rows begin where their heading does.
  const left = (text: string) =>
    page
      .getByText(text, { exact: true })
      .first()
      .evaluate((element) => element.getBoundingClientRect().left);
  expect(await left('http://api.example.com')).toBe(await left('Refused during this visit'));
  await tabTo(page, button('Allow http://api.example.com'));
  const again = button('Run net:fetch again');
  await enter(page, () => expect(again).toBeFocused({ timeout: 1_000 }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'net:fetch' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => globalThis.cloche.log.count)).toBe(2);
  await expect(question(page)).toHaveCount(0);
});
