/** What one test leaves in the warm profile does not reach the next. */

import { expect, test } from './support/test.ts';
import { clearUserData } from './support/warm-profile.ts';

test('the service worker forgets, and the user data is gone', async ({ context, page }) => {
  await page.goto('./');
  const { origin } = new URL(page.url());
  // Playgrounds of earlier tests have service workers for other sites.
  const ofApp = () => context.serviceWorkers().filter((worker) => worker.url().startsWith(origin));
  const memory = () => ofApp()[0]?.evaluate((): unknown => Reflect.get(self, 'left'));
  await ofApp()[0]?.evaluate(() => Reflect.set(self, 'left', 'in memory'));
  expect(await memory()).toBe('in memory');
  await page.evaluate(() => {
    localStorage.setItem('left', 'in storage');
  });

  await clearUserData(context, './license.txt');
  const next = await context.newPage();
  await next.goto('./');
  expect(await next.evaluate(() => localStorage.getItem('left'))).toBe(null);
  await expect.poll(() => ofApp().length).toBe(1);
  expect(await memory()).toBe(undefined);
});

test('what could not be taken back is refused', ({ context }) => {
  expect(() => context.addInitScript('left = 1')).toThrow('use the method of the page');
});
