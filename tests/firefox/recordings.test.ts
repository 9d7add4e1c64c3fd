/** Recordings in the real Firefox: on a first visit without a key, a recorded conversation runs real Python. */

import { expect, test } from 'vitest';
import { click, press, resize, shows, useFirefox } from './firefox.ts';

const firefox = useFirefox();

test('an example of the samples plays to its end', async () => {
  const { page } = firefox();
  // What is out of view is not laid out.
  await resize(page, 1280, 2_400);
  await page.evaluate(() => {
    location.hash = '#/sessions';
  });
  await click(page, 'button', 'Open samples');
  await shows(page, 'recover from an error');
  await press(page, 'button:not([aria-disabled=true]) ::-p-text(recover from an error)');
  await shows(page, 'The recording has ended');
  expect(await page.$$('section[aria-label^="Call to"]')).toHaveLength(3);
});
