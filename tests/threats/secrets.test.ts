/** docs/decisions/attacks.md row 37: a granted host repeats a secret, whole, encoded or in pieces. */

import { json, useNetTools } from '../grants/net-tools.ts';
import { pressUntil } from '../support/press-until.ts';
import { answer } from '../support/questions.ts';
import { expect, test } from '../support/shared-page.ts';
import { echoEncodings } from '../support/web.ts';

const net = useNetTools();
const key = 'sk-kept/on+the=host';
const other = 'no/secret+at=all';

const row37 = 'row 37: a secret that a host repeats does not reach the tool';

test(row37, async ({ page }) => {
  const { call, origin, web } = net();
  await page.goto('./#/policy/secrets');
  const secrets = page.getByRole('region', { name: /secrets/i });
  await expect(secrets).toContainText('Where a response repeats it, Cloche masks it.');
  await secrets.getByLabel(/origin/i).fill(origin);
  await secrets.getByLabel(/header/i).fill('X-Key');
  await secrets.getByLabel(/value/i).fill('short');
  await expect(secrets).toContainText('fewer than 8 characters. It is not masked');
  await secrets.getByLabel(/value/i).fill(`Bearer ${key}`);
  await expect(secrets).not.toContainText('fewer than 8 characters');
  const kept = secrets.getByRole('group', { name: 'Secrets' });
  await pressUntil(secrets.getByRole('button', { name: /save/i }), kept.getByText('X-Key'));
  await page.goto('./#/');
  const first = call('fetch', { url: `${origin}/ok` });
  await answer(page, /visit/i);
  await json(first);

  const echoed = async (as: string, tool = 'get'): Promise<string> => {
    const query = new URLSearchParams({ as, other });
    const result = await call(tool, { url: `${origin}/echo?${query.toString()}` });
    expect(result.resultType, result.textResultForLlm).toBe('success');
    // The host had it.
    expect(web.log.at(-1)?.headers['x-key']).toBe(`Bearer ${key}`);
    return result.textResultForLlm;
  };
  for (const [as, encode] of Object.entries(echoEncodings)) {
    const text = await echoed(as);
    const [, masked = '', control] = /^<(.*)> <(.*)>$/.exec(text) ?? [];
    // The control: other text arrives as the host has encoded it.
    expect([as, control]).toEqual([as, encode(other)]);
    expect([as, masked.length]).toEqual([as, encode(`Bearer ${key}`).length]);
    expect(masked, as).toMatch(/\*{19,}/);
    for (let at = 0; at + 4 <= key.length; at += 1)
      expect(masked, as).not.toContain(encode(key.slice(at, at + 4)).replace(/["=]/g, ''));
  }
  const stars = '*'.repeat(`Bearer ${key}`.length);
  for (const as of ['pieces', 'gzip']) expect(await echoed(as)).toBe(`<${stars}> <${other}>`);
  expect(await echoed('pieces', 'fetch')).toContain(`<${stars}> <${other}>`);
  const [status, headers] = JSON.parse(await echoed('headers', 'head')) as [
    number,
    Record<string, string>,
  ];
  expect([status, headers['x-echo'], headers['x-other']]).toEqual([200, stars, other]);

  await page.goto('./#/policy/requests');
  await expect(page.getByText(`${origin}/echo`, { exact: false }).first()).toBeVisible();
  expect(await page.content()).not.toContain(key);
  await page.goto('./#/');
});
