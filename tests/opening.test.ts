/** Opening a tools folder: good and malicious zip files, and the samples. */

import { join } from 'node:path';
import { listing } from './support/app.ts';
import { hello } from './support/hello.ts';
import { makeZip, packedZeros } from './support/make-zip.ts';
import { button, choose, python, ready } from './support/opening.ts';
import { expectNoStall } from './support/stalls.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('./');
  await page.evaluate(() => navigator.serviceWorker.ready);
});

test('the good part of a hostile zip is opened', async ({ page, folder }) => {
  const bomb = packedZeros(1024);
  const zip = makeZip([
    { name: '../up.py', content: hello },
    { name: '/etc/cron.py', content: hello },
    { name: 'C:\\x.py', content: hello },
    { name: 'bomb.bin', packed: bomb, claims: { bytes: 2 ** 30 } },
    { name: 'liar.bin', packed: bomb, claims: { bytes: 45 * 2 ** 20 } },
    { name: 'secret.py', content: hello, flags: 0x8_01 },
    { name: 'link.py', content: '/etc/passwd', mode: 0o120777, method: 0 },
    { name: 'odd.py', content: hello, method: 93 },
    { name: 'greet.py', content: 'twice' },
    { name: 'greet.py', content: hello },
    ...Array.from({ length: 2_000 }, (_, index) => ({
      name: `data/${index}.txt`,
      content: 'text '.repeat(20),
    })),
  ]);
  // From disk: handing over its bytes would itself keep the page busy.
  const made = await folder({ 'hostile.zip': zip });
  const path = join(made.path, 'hostile.zip');
  await expectNoStall(page, async () => {
    await choose(page, 'Open zip', path);
    await expect(page.getByRole('heading', { name: 'hostile' })).toBeVisible();
    await ready(page, 'hostile');
    await button(page, 'Close folder').click();
  });
  await choose(page, 'Open zip', path);
  await ready(page, 'hostile');
  const { tools, problems } = await listing(page);
  expect(tools.map(({ name }) => name)).toEqual(['greet:hello']);
  expect(problems.map(({ code, file }) => `${code} ${file}`).sort()).toEqual([
    'bad-path ../up.py',
    'bad-path C:\\x.py',
    'file-too-large bomb.bin',
    'same-path greet.py',
    // The path `/etc/cron.py` becomes `etc/cron.py` in the folder.
    'tools-below ',
    'unreadable liar.bin',
    'unreadable link.py',
    'unreadable odd.py',
    'unreadable secret.py',
  ]);
  const said = (file: string): string => problems.find((one) => one.file === file)?.message ?? '';
  expect(said('liar.bin')).toContain('its content is larger than the zip file says');
  expect(said('odd.py')).toContain('Zstandard (method 93)');
  expect(said('secret.py')).toContain('it is encrypted');
});

test('the samples open with one click and after a reload', { tag: '@cold' }, async ({ page }) => {
  await button(page, 'Open samples').click();
  // Not a measurement: on a first visit, beside other tests, the time depends on how busy the machine is.
  await expect(page.getByRole('heading', { name: 'samples' })).toBeVisible({ timeout: 10_000 });
  // The button is gone; where the keyboard was, is where the folder is now.
  await expect(page.getByRole('group', { name: 'Main content' })).toBeFocused();
  await ready(page, 'samples');
  const { tools, problems } = await listing(page);
  expect([tools.length > 24, problems]).toEqual([true, []]);
  await page.getByRole('link', { name: 'split_bill', exact: true }).first().click();
  await page.getByLabel('total', { exact: true }).fill('90');
  await page.getByLabel('people', { exact: true }).fill('3');
  await button(page, 'Run').first().click();
  await expect(page.getByRole('region', { name: 'Result' }).getByText(/total/).first()).toBeVisible(
    python,
  );
  // Python may be there before the folder has been read: the page must not say two things of it.
  await page.addInitScript(() => {
    const contradictions: string[] = [];
    Object.assign(globalThis, { contradictions });
    const look = (): void => {
      const said = document.querySelector('#app')?.textContent ?? '';
      if (said.includes('Starting Python') && said.includes('Python ready'))
        contradictions.push(said);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.goto('./');
  await ready(page, 'samples');
  expect(await page.evaluate<string[]>('contradictions')).toEqual([]);
  await button(page, 'Refresh').click();
  await ready(page, 'samples');
});
