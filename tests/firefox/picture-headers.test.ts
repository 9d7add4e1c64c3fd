/** docs/decisions/attacks.md row 46 in the real Firefox: its decoders read no larger picture than the header that Cloche has read. */

import { expect, test } from 'vitest';
import {
  compared,
  decodedPictures,
  encodedPictures,
  pairsOf,
} from '../support/picture-variants.ts';
import { useFirefox } from './firefox.ts';

const firefox = useFirefox();

test('row 46: damaged pictures of each format are not drawn, or are drawn no larger than the size that was read', async () => {
  const { page: app, url } = firefox();
  // This page has the app's origin, but is not the app.
  const page = await app.browser().newPage();
  await page.goto(`${url}license.txt`);
  const pairs = pairsOf(await page.evaluate(encodedPictures));
  const { larger, refused } = await compared(
    (pictures) => page.evaluate(decodedPictures, pictures),
    pairs,
    200,
  );
  await page.close();
  expect(larger).toEqual([]);
  // Control: decoders accept many pictures that Cloche does not draw.
  expect(refused).toBeGreaterThan(20);
});
