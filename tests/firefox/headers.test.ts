/** Threat 43 in the real Firefox: redirects of a provider. */

import { expect, test } from 'vitest';
import { startRedirector } from '../support/redirector.ts';
import { startWitness } from '../support/witness.ts';
import { click, fill, shows, useFirefox } from './firefox.ts';

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
        await fill(page, `::-p-aria([name="${name}"][role="textbox"])`, value);
      await click(page, 'button', 'Add provider');
      await shows(page, said === 'could not be reached' ? 'nothing answers' : `${said}. The`);
    }
    expect(redirector.log.length).toBeGreaterThan(1);
    expect(witness.log).toEqual([]);
    // Control: a request that follows redirects reaches the other host.
    await page.goto(`${url}license.txt`);
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
