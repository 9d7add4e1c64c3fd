/** Threat 43 in the real Firefox: redirects of a provider. */

import { expect, test, vi } from 'vitest';
import { startRedirector } from '../support/redirector.ts';
import { startWitness } from '../support/witness.ts';
import { click, isFull, useFirefox } from './firefox.ts';
import { fillNamed } from './session.ts';

const firefox = useFirefox();

test('row 43: a provider that redirects leads nowhere', async () => {
  const { page, trouble, url } = firefox();
  trouble.expect(/foreign request/);
  const witness = await startWitness();
  const redirector = await startRedirector(witness.origin);
  try {
    await page.goto(`${url}#/settings/models`);
    const statuses = isFull ? [301, 302, 303, 307, 308] : [302, 307];
    const cases = [false, true].flatMap((cors) => statuses.map((status) => ({ cors, status })));
    for (const { cors, status } of cases) {
      Object.assign(redirector, { cors, status });
      const name = `${status} ${cors ? 'with' : 'without'} CORS`;
      const { length } = redirector.log;
      await click(page, 'button', 'Other endpoint');
      await fillNamed(page, 'Name', name);
      await fillNamed(page, 'Base URL', `${redirector.url}/v1`);
      await click(page, 'button', 'Add provider');
      await vi.waitFor(
        async () => {
          const row = await page.$(`::-p-aria([name="${name}"][role="group"])`);
          const text = await row?.evaluate((element) => element.textContent);
          expect(text).toMatch(cors ? /redirects to another address/ : /could not be reached/);
        },
        { timeout: 60_000, interval: 100 },
      );
      expect(redirector.log.length, name).toBeGreaterThan(length);
    }
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
