/** The focus is never lost: an action that removes its own button moves the focus, and typing is not disturbed. */

import type { Page } from '@playwright/test';
import { expect, test } from './support/shared-page.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { press } from '../support/press-until.ts';
import { answer, question } from '../support/questions.ts';
import * as session from '../support/session-page.ts';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  await session.openWithModels(shared, endpoint);
});
test.afterAll(() => endpoint.close());
test.beforeEach(async ({ page, trouble }) => {
  session.expectModelRequests(trouble);
  endpoint.reset();
  await session.newSession(page, session.mine, /large/);
});

const call = (tool: string, args: object): { name: string; arguments: string } => ({
  name: `session_tools__${tool}`,
  arguments: JSON.stringify(args),
});
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('what takes its own button away says where the focus goes on', async ({ page }) => {
  endpoint.answer({ text: 'Hello.' });
  await message(page).fill('Hello.');
  await button(page, 'Send').click();
  await expect(message(page)).toBeFocused();
  await session.idle(page);

  endpoint.answer({ calls: [call('endless', {}), call('patient', { seconds: 1 })] });
  endpoint.answer({ text: 'Counted.' });
  await session.send(page, 'Count.');
  await expect(session.cards(page, 'endless')).toContainText('counted');
  await session
    .cards(page, 'endless')
    .getByRole('button', { name: /Cancel/ })
    .click();
  await expect(session.cards(page, 'endless').getByRole('button').first()).toBeFocused();
  await session.idle(page);

  endpoint.answer({ calls: [call('patient', { seconds: 30 })] }, { text: 'There I go.' });
  await session.send(page, 'Wait.');
  await expect(session.cards(page, 'patient').last()).toContainText('Running');
  await session.send(page, 'One more thing');
  await button(page, 'Edit this message').click();
  await expect(message(page)).toBeFocused();
  await expect(message(page)).toHaveValue('One more thing');
  await message(page).fill('');
  await button(page, 'Stop').click();
  await expect(message(page)).toBeFocused();
  await press(button(page, 'Continue'));
  await expect(message(page)).toBeFocused();
  await expect(page.getByText('There I go.')).toBeVisible();
  await session.idle(page);

  await button(page, 'Session actions').click();
  await button(page, 'Rename').click();
  await page.getByRole('textbox', { name: 'Title' }).press('Enter');
  await expect(button(page, 'Session actions')).toBeFocused();

  endpoint.answer('hang');
  await button(page, 'Background').click();
  await page.getByLabel('Run in the background').fill('And how?');
  await button(page, 'Run').click();
  await expect(button(page, 'Cancel')).toBeFocused();
  await button(page, 'Cancel').press('Enter');
  await expect(page.getByLabel('Run in the background')).toBeFocused();
  await page.keyboard.press('Escape');

  await button(page, 'Session actions').click();
  await button(page, 'Delete').click();
  await expect(button(page, 'Undo')).toBeFocused();
});

test('messages that are taken back go before what is being written, and stay there', async ({
  page,
}) => {
  endpoint.answer({ calls: [call('patient', { seconds: 30 })] });
  await session.send(page, 'Wait.');
  await expect(session.cards(page, 'patient').last()).toContainText('Running');
  await session.send(page, 'First');
  await session.send(page, 'Second');
  await message(page).fill('Half a');
  const takeBack = button(page, 'Edit this message');
  await expect(takeBack).toHaveCount(2);
  await takeBack.last().click();
  await expect(takeBack).toHaveCount(1);
  await takeBack.click();
  await expect(message(page)).toBeFocused();
  await expect(page.getByRole('list', { name: 'Queued messages' })).toHaveCount(0);
  const address = page.url();
  await page.goto('./#/sessions/new');
  await expect(message(page)).toHaveValue('');
  await page.goto(address);
  await expect(message(page)).toHaveValue('First\n\nSecond\n\nHalf a');
  await message(page).fill('');
  await button(page, 'Stop').click();
  await session.idle(page);
});

test('the palette stops a turn, renames a session, and shows its system prompt', async ({
  page,
}) => {
  const command = async (words: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands, tools and files' }).fill(words);
    await page.keyboard.press('Enter');
  };
  endpoint.answer({ calls: [call('patient', { seconds: 30 })] });
  await session.send(page, 'Wait.');
  await expect(session.cards(page, 'patient').last()).toContainText('Running');
  await command('stop turn');
  await session.idle(page);
  await expect(message(page)).toBeFocused();
  await command('rename');
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.keyboard.type('By the palette');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'By the palette' })).toBeVisible();
  await command('system prompt');
  await expect(page.getByRole('dialog', { name: 'System prompt' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('who asks for a new session while one is shown writes to it', async ({ page }) => {
  const palette = page.getByRole('combobox', { name: 'Commands, tools and files' });
  await message(page).focus();
  await page.keyboard.press('Control+k');
  await palette.fill('New session');
  await palette.press('Enter');
  await expect(palette).toBeHidden();
  await expect(message(page)).toBeFocused();

  await page.getByRole('link', { name: 'New session' }).press('Enter');
  await expect(message(page)).toBeFocused();

  const more = button(page, 'Session actions');
  await more.focus();
  await page.keyboard.press('Control+k');
  await palette.press('Escape');
  await expect(more).toBeFocused();
  await expect(palette).toBeHidden();
  await more.evaluate((element) => {
    element.blur();
  });
  await page.keyboard.press('Control+k');
  await palette.press('Escape');
  await expect(message(page)).toBeFocused();
});

test('in step mode one Enter after the other goes from step to step', async ({ page }) => {
  await page.getByRole('checkbox', { name: 'Step mode' }).check();
  endpoint.answer({ calls: [call('step', {})] }, { text: 'One step.' });
  await session.send(page, 'Take a step.');
  await expect(page.getByText(/Paused before the next request to large/).first()).toBeVisible();
  await button(page, 'Step').focus();
  await expect(button(page, 'Step')).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(session.cards(page, 'step')).toContainText('Paused by step mode');
  await expect(button(page, 'Step')).toBeFocused();
  await expect(button(page, 'Step')).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Paused before the next request to large/).first()).toBeVisible();
  await expect(button(page, 'Step')).toBeFocused();
  await expect(button(page, 'Step')).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page.getByText('One step.')).toBeVisible();
  await expect(message(page)).toBeFocused();
  await page.getByRole('checkbox', { name: 'Step mode' }).uncheck();
});

test('a question leaves alone who is typing, until they pause', async ({ page }) => {
  // Slowly: the typing has to start before the question appears.
  endpoint.answer({ calls: [call('remove', { path: 'all' })], paceMs: 300 }, { text: 'Gone.' });
  await session.send(page, 'Tidy up.');
  const waits = page.getByRole('alert').filter({ hasText: 'is waiting for your answer' });
  let typed = '';
  const type = async (letters: number): Promise<void> => {
    for (let n = 0; n < letters; n += 1) {
      const letter = String.fromCharCode(97 + (typed.length % 26));
      typed += letter;
      await page.keyboard.type(letter, { delay: 20 });
    }
  };
  await message(page).focus();
  while (!(await waits.isVisible())) await type(1);
  await type(20);
  await expect(message(page)).toHaveValue(typed);
  await expect(question(page)).toContainText('all');
  await question(page).getByRole('button', { name: 'Edit arguments' }).click();
  await expect(question(page).getByRole('textbox', { name: 'path' })).toBeFocused();
  await answer(page, /^allow once$/i);
  await expect(page.getByText('Gone.')).toBeVisible();
  await expect(message(page)).toBeFocused();
  await expect(message(page)).toHaveValue(typed);
  await message(page).fill('');
  await session.idle(page);
});
