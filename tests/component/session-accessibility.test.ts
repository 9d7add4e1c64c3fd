/** No state of a session breaks a WCAG 2.2 AA rule that can be checked automatically, in either theme. */

import type { Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { answer, question } from '../support/questions.ts';
import * as session from '../support/session-page.ts';
import { columns, look, titleOf } from './support/columns.ts';
import { expect, test } from './support/shared-page.ts';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  await session.openWithModels(shared, endpoint);
});
test.afterAll(() => endpoint.close());

const call = (tool: string, args = '{}'): { name: string; arguments: string } => ({
  name: `session_tools__${tool}`,
  arguments: args,
});

/** In this order: each continues where the previous one left the page. */
const states: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['how sessions begin', (page) => goTo(page, './#/sessions')],
  ['a new session', (page) => session.newSession(page, session.mine, /large/)],
  ['which tools', (page) => page.getByRole('button', { name: /^Local tools/ }).click()],
  ['which model', (page) => menu(page, /^Model:/)],
  ['the system prompt', (page) => session.choice(page, 'System prompt')],
  ['the background', (page) => session.choice(page, 'Background')],
  [
    'calls that run',
    async (page) => {
      await page.keyboard.press('Escape');
      const text = '# A plan\n\n| a | b |\n|---|---|\n| 1 | [two](https://example.com) |\n\n`code`';
      endpoint.answer({ reasoning: 'Well …', text, calls: [call('endless')] });
      await session.send(page, 'Count.');
      await expect(session.cards(page, 'endless')).toContainText('counted');
    },
  ],
  [
    'a turn that was stopped',
    async (page) => {
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await expect(page.getByText('You stopped this turn')).toBeVisible();
    },
  ],
  [
    'calls of a program',
    async (page) => {
      const calls = [
        ['session_tools:weather', { city: 'Oslo' }],
        ['session_tools:fail', { why: 'of the rain' }],
        ['session_tools:patient', { seconds: 600 }],
      ];
      // The test page's programs are lists of calls.
      const program = JSON.stringify({ code: JSON.stringify(calls) });
      endpoint.answer({ calls: [{ name: 'run_python', arguments: program }] });
      await session.send(page, 'Run a program.');
      const tree = page.getByRole('region', { name: 'Calls of this program' }).last();
      await expect(tree).toContainText('3 calls, 1 running, 1 failed');
      await tree.getByRole('button', { name: /weather/ }).click();
      await expect(tree.getByRole('heading', { name: 'Result' })).toBeVisible();
    },
  ],
  [
    'a program that was stopped',
    async (page) => {
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await session.idle(page);
      await session.cards(page, 'run_python').last().getByRole('button').first().click();
    },
  ],
  [
    'a call that waits for the user',
    async (page) => {
      endpoint.answer({ calls: [call('remove', '{"path": "x"}'), call('picture'), call('fail')] });
      endpoint.answer({ status: 401 });
      await session.send(page, 'Tidy up.');
      await expect(question(page)).toBeVisible();
    },
  ],
  [
    'a turn that failed',
    async (page) => {
      await answer(page, /^deny$/i);
      await expect(page.getByText('The turn failed.')).toBeVisible();
      const folded = session.cards(page).getByRole('button', { expanded: false });
      await folded.evaluateAll((buttons) => {
        for (const button of buttons) if (button instanceof HTMLElement) button.click();
      });
      await expect(folded).toHaveCount(0);
    },
  ],
  ['what can be done with it', (page) => menu(page, 'Session actions')],
  ['the providers', (page) => goTo(page, './#/settings/models')],
  ['a form of a provider', (page) => page.getByRole('button', { name: 'Other endpoint' }).click()],
];

async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address);
}

async function menu(page: Page, label: string | RegExp): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: label }).click();
}

/** Looked at in each column; the others are only walked through there. */
const journey = [
  'a new session',
  'calls that run',
  'calls of a program',
  'a call that waits for the user',
  'a turn that failed',
];

for (const column of columns)
  test(titleOf(column), { tag: [...column.tag] }, async ({ page, trouble }) => {
    session.expectModelRequests(trouble);
    await look(page, column);
    for (const [state, show] of states) {
      await show(page);
      if (column.screens === 'all' || journey.includes(state))
        expect.soft(await violations(page), state).toEqual([]);
      const beyond = await page
        .locator('.bench, :popover-open, dialog[open]')
        .evaluateAll((parts) => parts.map((part) => part.scrollWidth - part.clientWidth));
      expect.soft(Math.max(...beyond), `${state}: pixels beyond an edge`).toBe(0);
    }
    await page.keyboard.press('Escape');
  });
