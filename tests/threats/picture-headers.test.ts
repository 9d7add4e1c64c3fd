/** Threat 46: no decoder reads a larger picture than the header that Cloche has read. */

import { expect, test } from '../support/test.ts';
import {
  decodedPictures,
  encodedPictures,
  pairsOf,
  readHeaders,
  variantsOf,
} from '../support/picture-variants.ts';

test('row 46: damaged pictures of each format are not drawn, or no larger than they were read', async ({
  page,
}) => {
  test.setTimeout(180_000);
  // This page has the app's origin, but is not the app.
  await page.goto('./license.txt');
  const pairs = pairsOf(await page.evaluate(encodedPictures));
  let refused = 0;
  for (const [type, ofType] of Object.entries(pairs))
    for (const [n, pair] of ofType.entries()) {
      const decoded = (pictures: readonly Buffer[]) =>
        page.evaluate(
          decodedPictures,
          pictures.map((bytes) => [type, bytes.toString('base64')] as const),
        );
      // Control: a well-formed picture is read as it is decoded.
      const wanted = await decoded(pair);
      expect(wanted, type).not.toContain(null);
      expect(pair.map(readHeaders), type).toMatchObject(wanted);
      const variants = variantsOf(pair, 600, n + 1);
      const found = await decoded(variants);
      for (const [at, bytes] of variants.entries()) {
        const read = readHeaders(bytes);
        const real = found[at] ?? null;
        if (read === null && real !== null) refused += 1;
        if (read === null || real === null) continue;
        const of = `${type} ${String(n)} ${bytes.toString('base64')}`;
        expect(real.width * real.height * real.frames, of).toBeLessThanOrEqual(
          read.width * read.height * read.frames,
        );
      }
    }
  // The control: decoders accept many pictures that Cloche does not draw.
  expect(refused).toBeGreaterThan(20);
});
