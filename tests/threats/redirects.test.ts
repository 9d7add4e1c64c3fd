/** Threat 43: what is sent to a provider follows no redirect, also while its failure is diagnosed. */

import { expectModelRequests } from '../support/session-page.ts';
import { startRedirector } from '../support/redirector.ts';
import { expect, test } from '../support/test.ts';
import { startWitness } from '../support/witness.ts';

test('row 43: a provider that redirects leads nowhere', async ({ page, trouble }) => {
  expectModelRequests(trouble);
  trouble.expect(/foreign request: \S+ http:\/\/localhost/);
  const witness = await startWitness();
  const redirector = await startRedirector(witness.origin);
  try {
    await page.goto('./#/settings/models');
    let n = 0;
    for (const cors of [false, true])
      for (const status of [301, 302, 303, 307, 308]) {
        Object.assign(redirector, { cors, status });
        redirector.log.length = 0;
        n += 1;
        await page.getByRole('button', { name: 'Other endpoint' }).click();
        await page.getByRole('combobox', { name: 'API' }).selectOption('openai-compatible');
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Mine ${n}`);
        await page.getByRole('textbox', { name: 'Base URL' }).fill(`${redirector.url}/v1`);
        // A request without a key needs no preflight, so the answer to it is the redirect itself.
        await page.getByLabel('API key').fill(n % 2 === 0 ? 'sk-of-this-test' : '');
        await page.getByRole('button', { name: 'Add provider' }).click();
        const row = page.getByRole('group', { name: `Mine ${n}`, exact: true });
        await expect(row).toContainText(/redirects to another address|could not be reached/);
        if (cors) await expect(row).toContainText('redirects to another address');
        expect(redirector.log.length).toBeGreaterThan(0);
      }
    expect(witness.log).toEqual([]);
    // Control: a request that follows redirects reaches the other host.
    await page.goto('./license.txt');
    await page.evaluate(
      (url) => fetch(`${url}/control`, { mode: 'no-cors' }).then(() => null),
      redirector.url,
    );
    expect(witness.log).toContain('GET /stolen/control');
  } finally {
    await redirector.close();
    await witness.close();
  }
});
