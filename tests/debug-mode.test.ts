/** Tests that debug mode logs every channel of the built app, and shows no key. */

import { readFile } from 'node:fs/promises';
import { openFolder, invoke } from './support/app.ts';
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
