/** What models are told of a tool, improved from its page: the shape of its results, and a better description. */

import type { Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { startModelEndpoint } from '../support/model-endpoint.ts';
import { button } from '../support/opening.ts';
import { press } from '../support/press-until.ts';
import { writablePicks } from '../support/saved-tests.ts';
import * as session from '../support/session-page.ts';
import { ready } from './support/app.ts';
import { columns, look, titleOf } from './support/columns.ts';
import { expect, test } from './support/test.ts';

const source = `def people(n):
    return {"count": n, "ages": ages(n)}


TOOL_SPECS = [
    {
        "name": "results:people",
        "description": "Its keys are names.",
        "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "handler": people,
    },
]
`;

const text = (page: Page): Promise<string> =>
  page.evaluate(() => globalThis.cloche.folder.source('results.py') ?? '');

async function undo(page: Page, written: string): Promise<void> {
  await expect.poll(() => text(page)).toContain(written);
  await button(page, 'Undo').click();
  await expect.poll(() => text(page)).toBe(source);
}

test(
  'the shape of results and a better description are found, and written into the file',
  { tag: '@full' },
  async ({ page, trouble }) => {
    // An evaluation, whose result axe reads as a whole in both themes and widths.
    test.slow();
    const endpoint = await startModelEndpoint();
    session.expectModelRequests(trouble);
    endpoint.habits.models = [{ id: 'small', context: 200_000 }];
    // The model understands only the other description.
    endpoint.habits.otherwise = ({ body }) => {
      const { messages, tools } = body as { messages: { role: string }[]; tools: unknown };
      const isClear = JSON.stringify(tools).includes('Counts people.');
      return isClear && messages.every(({ role }) => role !== 'tool')
        ? { calls: [{ name: 'results__people', arguments: '{"n": 1}' }] }
        : { text: 'Done.' };
    };
    await writablePicks(page, { 'results.py': source });
    await page.goto('./');
    await button(page, 'Open folder').first().click();
    await ready(page, 'greetings');

    await test.step('the page of a tool shows what its results cost, and their shape without values', async () => {
      await page.goto('./#/tools/results:people?panel=details');
      const result = page.getByRole('region', { name: 'Result', exact: true });
      for (const n of [36, 41, 47]) {
        await (await jsonArguments(page)).fill(JSON.stringify({ n }));
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        await expect(result).toContainText(String(n + 1));
      }
      await expect(page.getByText('the median of 3 logged runs')).toBeVisible();
      const shape = page.getByRole('region', { name: 'Shape of the results' });
      await expect(shape).toContainText('3 runs of this file returned this shape');
      await expect(shape.getByRole('rowheader', { name: 'count' })).toBeVisible();
      await shape.getByText('What changes in results.py').click();
      await expect(shape).toContainText('"additionalProperties": {"type": "integer"}');
      await expect(shape).not.toContainText(/Ada|Alan|36/);
      expect(await violations(page)).toEqual([]);
    });

    await test.step('one press writes the shape, and another undoes it', async () => {
      await button(page, 'Write returns into results.py').click();
      await expect(page.getByRole('region', { name: 'Message' })).toContainText(
        'saved in results.py',
      );
      await undo(page, '"returns": {');
    });

    await test.step('another description becomes an evaluation', async () => {
      const added = {
        kind: 'openai-compatible',
        name: session.mine,
        url: `${endpoint.url}/v1`,
        key: '',
      };
      await expect(await session.addProvider(page, added)).toContainText('1 model found');
      await page.goto('./#/tools/results:people?panel=details');
      await button(page, 'Try another description').click();
      const dialog = page.getByRole('dialog', { name: 'Try another description' });
      await dialog.getByRole('textbox', { name: 'New description' }).fill('Counts people.');
      const prompts = dialog.getByRole('textbox', { name: /^Prompts/ });
      await prompts.fill('Count them.');
      await expect(dialog.getByRole('status')).toContainText('use at least 8');
      await prompts.fill(Array.from({ length: 8 }, (_, n) => `Count group ${n}.`).join('\n'));
      await expect(dialog.getByRole('status')).toHaveText('8 prompts in all.');
      expect(await violations(page)).toEqual([]);
      await press(dialog.getByRole('button', { name: 'Create evaluation' }));
    });

    await test.step('the run names the better version, by the prompts held out', async () => {
      await press(page.getByRole('button', { name: 'Run …' }));
      const dialog = page.getByRole('dialog', { name: 'Run this evaluation' });
      await dialog.getByLabel('Trials per prompt').fill('1');
      await press(dialog.getByRole('button', { name: 'Run 16 trials' }));
      await expect(page.getByText('“New description” is better than “As it is”')).toBeVisible();
      const table = page.getByRole('region', { name: 'Results by version' });
      await expect(table.getByRole('row', { name: /^New description/ })).toContainText(
        '+100 (31 to 100) points',
      );
      expect(await violations(page)).toEqual([]);
    });

    await test.step('it is written into the file, and undone', async () => {
      // On a phone, the drawer is shown instead of the page.
      await page
        .getByRole('region', { name: 'Drawer' })
        .getByRole('link', { name: /^Close/ })
        .click();
      await page.getByText('What “New description” changes').click();
      await expect(page.getByRole('button', { name: 'Use this version' })).toBeVisible();
      for (const column of columns.filter(({ tag }) => tag.length === 0)) {
        await look(page, column);
        expect.soft(await violations(page), titleOf(column)).toEqual([]);
        const beyond = page
          .locator('.bench')
          .evaluate((part) => part.scrollWidth - part.clientWidth);
        expect.soft(await beyond, `${titleOf(column)}: pixels beyond an edge`).toBe(0);
      }
      await press(page.getByRole('button', { name: 'Use this version' }));
      await expect(page.getByRole('region', { name: 'Message' })).toContainText('saved in');
      await undo(page, '"description": "Counts people."');
    });
    await endpoint.close();
  },
);
