/** Threats 43 and 46 in the real Firefox: redirects of a provider, and headers of pictures. */

import { expect, test } from 'vitest';
import {
  decodedPictures,
  encodedPictures,
  pairsOf,
  readHeaders,
  variantsOf,
} from '../support/picture-variants.ts';
import { startRedirector } from '../support/redirector.ts';
import { startWitness } from '../support/witness.ts';
import { click, shows, useFirefox } from './firefox.ts';

const firefox = useFirefox();

test('row 43: a provider that redirects leads nowhere', async () => {
  const { page, trouble, url } = firefox();
  trouble.expect(/foreign request/);
  const witness = await startWitness();
  const redirector = await startRedirector(witness.origin);
  try {
    await page.goto(`${url}#/settings/models`);
    for (const [cors, said] of [
      [false, 'could not be reached'],
      [true, 'redirects to another address'],
    ] as const) {
      redirector.cors = cors;
      await click(page, 'button', 'Other endpoint');
      for (const [name, value] of [
        ['Name', said],
        ['Base URL', `${redirector.url}/v1`],
      ] as const)
        await page.locator(`::-p-aria([name="${name}"][role="textbox"])`).fill(value);
      await click(page, 'button', 'Add provider');
      await shows(page, said === 'could not be reached' ? 'nothing answers' : `${said}. The`);
    }
    expect(redirector.log.length).toBeGreaterThan(1);
    expect(witness.log).toEqual([]);
    // Control: a request that follows redirects reaches the other host.
    await page.goto(`${url}bridge.html`);
    await page.evaluate(
      (to) => fetch(`${to}/control`, { mode: 'no-cors' }).then(() => null),
      redirector.url,
    );
    expect(witness.log).toContain('GET /stolen/control');
  } finally {
    await redirector.close();
    await witness.close();
  }
});

test('row 46: damaged pictures of each format are not drawn, or no larger than they were read', async () => {
  const { page, trouble, url } = firefox();
  trouble.expect(/Image corrupt or truncated/);
  await page.goto(`${url}bridge.html`);
  for (const [type, pairs] of Object.entries(pairsOf(await page.evaluate(encodedPictures))))
    for (const [n, pair] of pairs.entries()) {
      const variants = [...pair, ...variantsOf(pair, 300, n + 100)];
      const found = await page.evaluate(
        decodedPictures,
        variants.map((bytes) => [type, bytes.toString('base64')] as const),
      );
      // Control: a well-formed picture is read as it is decoded.
      expect(found.slice(0, 2), type).not.toContain(null);
      for (const [at, bytes] of variants.entries()) {
        const [read, real] = [readHeaders(bytes), found[at] ?? null];
        if (at < 2) expect(read, type).toMatchObject({ width: real?.width, height: real?.height });
        if (read === null || real === null) continue;
        const of = `${type} ${String(n)} ${bytes.toString('base64')}`;
        expect(real.width * real.height * real.frames, of).toBeLessThanOrEqual(
          read.width * read.height * read.frames,
        );
      }
    }
});
