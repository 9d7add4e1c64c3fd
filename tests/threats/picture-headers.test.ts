/** docs/decisions/attacks.md row 46: no decoder reads a larger picture than the header that Cloche has read. */

import { expect, test } from '../support/test.ts';
import {
  compared,
  decodedPictures,
  encodedPictures,
  pairsOf,
} from '../support/picture-variants.ts';

test('row 46: damaged pictures of each format are not drawn, or are drawn no larger than the size that was read', async ({
  page,
}, { project }) => {
  // This page has the app's origin, but is not the app.
  await page.goto('./license.txt');
  // The process of the sandbox decodes no pictures.
  const variants = project.metadata.sandboxProcess === 'own' ? 300 : 75;
  const pairs = pairsOf(await page.evaluate(encodedPictures));
  const { larger, refused } = await compared(
    (pictures) => page.evaluate(decodedPictures, pictures),
    pairs,
    variants,
  );
  expect(larger).toEqual([]);
  // Control: decoders accept many pictures that Cloche does not draw.
  expect(refused).toBeGreaterThan(20);
});
