/** Tests that debug mode logs every channel of the built app, and shows no key. */

import { readFile } from 'node:fs/promises';
import { openFolder, invoke } from './support/app.ts';
import { button, openZip, ready } from './support/opening.ts';
import { addOneModel, adder, call, startOneModel } from './support/one-model.ts';
import * as session from './support/session-page.ts';
import { expect, test } from './support/test.ts';

test('messages of every channel are logged, without keys, and hostile text stays text', async ({
  page,
  folder,
  trouble,
}) => {
  test.slow();
  session.expectModelRequests(trouble);
  const endpoint = await startOneModel();
  const lines: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'debug') lines.push(message.text());
  });
  await page.goto('./');
  await addOneModel(page, endpoint);
  const { path } = await folder({ 'work.py': adder });
  await page.goto('./#/settings/version');
  await page.getByRole('link', { name: 'Turn on debug mode' }).click();
  const panel = page.getByRole('region', { name: 'Messages' });
  await expect(panel).toBeVisible();
  await openFolder(page, path);
  await invoke(page, 'work:add', { a: 1, b: '<img src=x onerror=alert(1)>' });
  await page.evaluate(() => (location.hash = '#/sessions/new'));
  await session.chooseModel(page, session.mine, /small/);
  endpoint.answer({ calls: [call('work_add', { a: 19, b: 23 })] }, { text: 'The sum is 42.' });
  await session.send(page, 'Add them.');
  await expect(page.getByText('The sum is 42.', { exact: true })).toBeVisible();

  const channels = panel.getByLabel('Channel');
  const logged = panel.getByRole('group', { name: 'Logged messages' }).getByRole('listitem');
  for (const [channel, sent] of Object.entries({
    broker: /page → broker/,
    'tool worker': /tool worker → broker/,
    'service worker': /service worker → page/,
    files: /files worker → page/,
    models: /page → models worker/,
    provider: /models worker → provider/,
  })) {
    await channels.selectOption(channel);
    await expect(logged.filter({ hasText: sent }).first(), channel).toBeVisible();
  }
  await channels.selectOption('broker');
  await panel.getByRole('searchbox').fill('alert(1)');
  await logged.first().click();
  await expect(logged.first().locator('pre')).toContainText('onerror=alert(1)');
  await expect(panel.locator('img')).toHaveCount(0);

  await channels.selectOption('');
  await panel.getByRole('searchbox').fill('');
  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Save' }).click();
  const saved = await readFile(await (await download).path(), 'utf8');
  for (const text of [saved, lines.join('\n')]) {
    expect(text).toMatch(/page → broker {2}call/);
    expect(text).not.toContain(session.testKey);
  }
  await panel.getByRole('button', { name: 'Leave debug mode' }).click();
  await expect(page.getByText('Tools').first()).toBeVisible();
  await expect(panel).toHaveCount(0);
  await endpoint.close();
});

const leaking = `from pydantic import BaseModel, Field


class Tools:
    class Valves(BaseModel):
        api_key: str = Field("", description="Key of the service")

    def __init__(self):
        self.valves = self.Valves()

    def leak(self) -> dict:
        """Returns and prints the key."""
        print("key", self.valves.api_key)
        return {"key": self.valves.api_key, "length": len(self.valves.api_key)}
`;

test('a key of the folder that a tool prints and returns is in no logged message', async ({
  page,
}) => {
  const lines: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'debug') lines.push(message.text());
  });
  await page.goto('./?debug');
  await openZip(page, 'leaking.zip', [{ name: 'leaking/leaking.py', content: leaking }]);
  await ready(page, 'leaking');
  await page.getByRole('link', { name: '1 setting' }).first().click();
  await page.getByLabel('api_key: Key of the service').fill('sk-very-secret-17');
  await button(page, 'Save settings').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await invoke(page, 'leaking:leak');
  const panel = page.getByRole('region', { name: 'Messages' });
  const logged = panel.getByRole('group', { name: 'Logged messages' }).getByRole('listitem');
  // The positive control: the messages with the key are in the log.
  for (const channel of ['tool worker', 'broker']) {
    await panel.getByLabel('Channel').selectOption(channel);
    await expect(logged.filter({ hasText: '*'.repeat(17) }).first(), channel).toBeVisible();
  }
  await panel.getByLabel('Channel').selectOption('');
  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Save' }).click();
  const saved = await readFile(await (await download).path(), 'utf8');
  expect(saved).toContain('leaking:leak');
  expect(saved + lines.join('\n')).not.toContain('very-secret');
});

test(
  'the app opens without the log if that cannot be loaded',
  { tag: ['@full', '@cold'] },
  async ({ page, trouble }) => {
    trouble.expect(/debug-mode/);
    trouble.expect(/ERR_FAILED/);
    let refused = 0;
    await page.context().route('**/debug-mode*', (route) => {
      refused += 1;
      return route.abort();
    });
    await page.goto('./?debug');
    await expect(page.getByRole('button', { name: 'Open folder' }).first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Messages' })).toHaveCount(0);
    expect(refused).toBeGreaterThan(0);
  },
);
