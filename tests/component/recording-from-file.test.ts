/** A recording from a file is untrusted: the user sees what it would do before it plays, on a phone and by keyboard too. */

import { readFile } from 'node:fs/promises';
import { violations } from '../support/axe.ts';
import * as session from '../support/session-page.ts';
import { expect, test } from './support/shared-page.ts';

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'session_tools.py': await readFile(session.sessionTools) });
});

const call = (tool: string, args: object) => ({
  type: 'call',
  tool,
  arguments: JSON.stringify(args),
});
const turn = (text: string, ...parts: readonly object[]) => ({
  message: [{ type: 'text', text }],
  steps: [{ parts }],
});

function recording(turns: readonly object[]): Buffer {
  const head = { format: 'cloche-recording', version: 1, title: 'Harmless', scripted: false };
  return Buffer.from(JSON.stringify({ ...head, tools: ['session_tools:remove'], turns }));
}

test(
  'behind thousands of harmless calls the one that matters is seen, with what it is given',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto('./#/sessions');
    const others = Array.from({ length: 60 }, (_, n) => call(`harmless:f${n}`, {}));
    const many = Array.from({ length: 9_000 }, (_, n) =>
      turn(`Message ${n}`, call('session_tools:step', { n: n % 30 })),
    );
    const buffer = recording([
      turn('First', ...others),
      ...many,
      turn('Last', call('session_tools:remove', { path: 'all' })),
    ]);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import' }).click();
    await (
      await chooser
    ).setFiles({ name: 'recording.json', mimeType: 'application/json', buffer });
    const offer = page.getByRole('dialog', { name: 'Play this recording?' });
    await expect(offer.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expect(offer.getByRole('button', { name: 'Play' })).toBeInViewport();
    await expect(offer.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveCount(
      8,
    );
    await expect(offer).toContainText('and 8,994 more');
    const tools = offer.getByRole('list', { name: 'Tools called' });
    await expect(tools.getByRole('listitem')).toHaveText([
      /session_tools:step\s+9,000 calls/,
      /session_tools:remove\s+1 call\b/,
    ]);
    // The focus moves backwards from Cancel: everything, the missing tools, the available tools.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(offer.getByText('{"path":"all"}')).toBeInViewport();
    const step = tools.getByRole('listitem').first();
    await step.locator('summary').click();
    const given = step.getByRole('list', { name: 'Arguments' }).getByRole('listitem');
    await expect(given).toHaveCount(20);
    await expect(given.first()).toContainText('300 times');
    await step.getByRole('button', { name: 'Show more (10 left)' }).press('Enter');
    await expect(given).toHaveCount(30);
    await expect(step.locator('summary')).toBeFocused();
    await offer.getByText('60 tools not in the open folder').click();
    await expect(
      offer.getByRole('list', { name: 'Tools not in the open folder' }).getByRole('listitem'),
    ).toHaveCount(50);
    expect(await violations(page)).toEqual([]);
    await offer.getByRole('button', { name: 'Cancel' }).click();
    await expect(offer).toHaveCount(0);
  },
);
