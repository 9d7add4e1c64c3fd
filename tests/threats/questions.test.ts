/** docs/decisions/attacks.md row 48: many origins that each ask once get a few questions in total, and the user can end them all. */

import type * as Client from '../../src/embed/client/index.ts';
import { startOtherSite, type OtherSite } from '../support/other-site.ts';
import { press } from '../support/press-until.ts';
import { nothingAsked, question } from '../support/questions.ts';
import { expect, test } from '../support/test.ts';

const asked = 4;
let sites: readonly OtherSite[];
test.beforeAll(async ({}, { project }) => {
  const app = new URL(project.use.baseURL ?? '').origin;
  sites = await Promise.all(Array.from({ length: 7 }, () => startOtherSite('localhost', app)));
});
test.afterAll(async () => {
  await Promise.all(sites.map((site) => site.close()));
});

test('row 48: the user is asked about four of many ports of a host, and about none after “Never for all of these”', async ({
  page,
  baseURL,
  trouble,
}) => {
  for (const { origin } of sites) trouble.allowOrigin(origin);
  trouble.expect(/status of (4|5)\d\d/);
  // Until the page answers, a site is told that no page is open.
  const answers = (): Promise<boolean> => page.evaluate(async () => (await fetch('api/access')).ok);
  await page.goto('./');
  await expect.poll(answers, { intervals: [50], timeout: 60_000 }).toBe(true);
  const connect = async ({ origin }: OtherSite): Promise<() => Promise<string>> => {
    const docs = await page.context().newPage();
    await docs.goto(origin);
    await expect(docs).toHaveTitle('ready');
    const ended = docs.evaluate(async (address) => {
      const { client } = globalThis as unknown as { client: typeof Client };
      return client.connect(address).then(
        () => 'connected',
        (thrown: unknown) => (thrown as Client.ClocheError).code,
      );
    }, baseURL!);
    return async () => {
      const code = await ended;
      await docs.close();
      return code;
    };
  };
  const dialog = question(page);
  const [first, ...others] = sites;
  const firstEnds = await connect(first!);
  await page.bringToFront();
  await expect(dialog).toContainText(first!.origin);
  // Control: a single question does not offer this answer.
  await expect(dialog.getByRole('button', { name: 'Never', exact: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Never for all of these' })).toHaveCount(0);
  const ends: (() => Promise<string>)[] = [];
  for (const site of others.slice(0, -1)) ends.push(await connect(site));
  await page.bringToFront();
  await expect(dialog).toContainText(`1 of ${asked}`);
  await press(dialog.getByRole('button', { name: 'Never for all of these' }));
  await nothingAsked(page);
  for (const end of [firstEnds, ...ends]) expect(await end()).toBe('origin-not-allowed');

  // A further origin causes no question, even after a reload.
  await page.reload();
  await expect.poll(answers, { intervals: [50], timeout: 60_000 }).toBe(true);
  expect(await (await connect(others.at(-1)!))()).toBe('origin-not-allowed');
  await page.bringToFront();
  await nothingAsked(page);
  await page.goto('./#/settings/sites');
  await expect(page.getByRole('group', { name: 'Blocked' }).first()).toBeVisible();
  await press(page.getByRole('button', { name: 'Unblock all other sites' }));
  const again = await connect(others.at(-1)!);
  await page.bringToFront();
  await expect(dialog).toContainText(others.at(-1)!.origin);
  await press(dialog.getByRole('button', { name: 'Not now' }));
  expect(await again()).toBe('origin-not-allowed');
});
