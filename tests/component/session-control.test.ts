/** How a user controls a model at work: approvals, changed arguments, step mode, selected tools. */

import { beginInNewSessions } from './support/new-sessions.ts';
import { expect, test } from './support/shared-page.ts';
import { answer, nothingAsked, question } from '../support/questions.ts';
import * as session from '../support/session-page.ts';

const endpoint = beginInNewSessions();

const remove = (path: string): { name: string; arguments: string } => ({
  name: 'session_tools__remove',
  arguments: JSON.stringify({ path }),
});

test('a call waits for the user, who changes its arguments; the model is told what ran', async ({
  page,
}) => {
  endpoint().answer({ calls: [remove('everything')] }, { text: 'It is done.' });
  await session.send(page, 'Tidy up.');
  await expect(question(page)).toContainText('everything');
  await expect(session.cards(page, 'remove')).toContainText('Waiting for your answer');
  await question(page).getByRole('button', { name: 'Edit arguments' }).click();
  await question(page).getByRole('textbox', { name: 'path' }).fill('two.txt');
  await question(page).getByRole('button', { name: 'JSON', exact: true }).click();
  await question(page).getByRole('textbox', { name: 'Arguments' }).fill('{"path": "one.txt"}');
  // The conversation stays in view, and can be used.
  await session.cards(page, 'remove').getByRole('button', { expanded: false }).click();
  await answer(page, /^allow once as edited$/i);
  await expect(page.getByText('It is done.')).toBeVisible();
  expect(session.asked(endpoint())[1]?.text).toContain('removed one.txt');
  await expect(session.cards(page, 'remove')).toContainText('path: "everything" → "one.txt"');
  await page.evaluate(() => {
    localStorage.clear();
  });
  await session.idle(page);
});

test('a denial is told to the model with its reason', async ({ page }) => {
  endpoint().answer({ calls: [remove('/')] }, { text: 'Then I leave it.' });
  await session.send(page, 'Tidy up.');
  await question(page).getByLabel('Reason for denying (optional)').fill('That is the whole disk.');
  await answer(page, /^deny$/i);
  await expect(page.getByText('Then I leave it.')).toBeVisible();
  expect(session.asked(endpoint())[1]?.text).toContain('That is the whole disk.');
  await expect(session.cards(page, 'remove')).toContainText('Denied');
  await session.idle(page);
});

test('the turn is stopped from within the question, with all that it asks', async ({ page }) => {
  const calls = ['one', 'two', 'three'].map(remove);
  endpoint().answer({ calls }, { calls }, { calls });
  await session.send(page, 'Tidy up.');
  await expect(question(page)).toContainText('1 of 3');
  await answer(page, /^stop turn$/i);
  await session.idle(page);
  await nothingAsked(page);
  await expect(session.cards(page, 'remove')).toHaveText(Array(3).fill(/Cancelled/));
  expect(session.asked(endpoint())).toHaveLength(1);
});

test('what is allowed for this session is not asked again, in another it is', async ({ page }) => {
  endpoint().answer(
    { calls: [remove('one')] },
    { calls: [remove('two')] },
    { text: 'Both are gone.' },
  );
  await session.send(page, 'Tidy up.');
  await answer(page, /this session/i);
  await expect(page.getByText('Both are gone.')).toBeVisible();
  await nothingAsked(page);
  await session.idle(page);
  await page.getByRole('button', { name: 'Session actions' }).click();
  const allowed = page.getByRole('region', { name: 'Allowed for this session' });
  await allowed.getByRole('button', { name: 'Ask again for session_tools:remove' }).click();
  await expect(allowed).toHaveCount(0);
  await page.keyboard.press('Escape');
  endpoint().answer({ calls: [remove('again')] }, { text: 'As you like.' });
  await session.send(page, 'Once more.');
  await expect(question(page)).toContainText('again');
  await question(page).getByLabel('Reason for denying (optional)').press('Enter');
  await expect(page.getByText('As you like.')).toBeVisible();
  expect(session.asked(endpoint()).at(-1)?.text).toContain('The user denied it.');
  await session.idle(page);
  await session.newSession(page, session.mine, /large/);
  endpoint().answer({ calls: [remove('three')] }, { text: 'Well.' });
  await session.send(page, 'Tidy up.');
  await expect(question(page)).toContainText('three');
  await answer(page, /^deny$/i);
  await session.idle(page);
});

test('step mode waits before each question to the model and before each call', async ({ page }) => {
  await page.getByRole('checkbox', { name: 'Step mode' }).check();
  endpoint().answer(
    { calls: [{ name: 'session_tools__step', arguments: '{}' }] },
    { text: 'One step.' },
  );
  await session.send(page, 'Take a step.');
  const step = page.getByRole('button', { name: 'Step', exact: true });
  await expect(page.getByText(/Paused before the next request to large/).first()).toBeVisible();
  expect(session.asked(endpoint())).toHaveLength(0);
  await step.click();
  await expect(session.cards(page, 'step')).toContainText('Paused by step mode');
  await step.click();
  await expect(page.getByText(/Paused before the next request to large/).first()).toBeVisible();
  expect(session.asked(endpoint())).toHaveLength(1);
  await step.click();
  await expect(page.getByText('One step.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Step mode' }).uncheck();
  await session.idle(page);
});

test('the selection goes with the first message, and is locked from then on', async ({ page }) => {
  const menu = page.getByRole('button', { name: /^Local tools/ });
  await expect(menu).toHaveAccessibleName('Local tools: 10 tools');
  await menu.click();
  await page.getByRole('button', { name: 'Deselect all' }).click();
  await page.getByRole('checkbox', { name: /session_tools:step/ }).check();
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('remove');
  const approval = page.getByRole('combobox', { name: 'Approval for session_tools:remove' });
  await expect(approval.locator(':checked')).toHaveText('Default: ask each time');
  await expect(page.getByRole('status').filter({ hasText: '1 of 10 tools' })).toHaveText(
    /about \d+ tokens in each request/,
  );
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('city');
  await page.getByRole('button', { name: 'Select 1 found', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveAccessibleName('Local tools: 2 tools');
  endpoint().answer({ text: 'Hello.' });
  await session.send(page, 'Hello.');
  await session.idle(page);
  expect(session.offeredTools(session.asked(endpoint())[0]!)).toEqual([
    'session_tools__weather',
    'session_tools__step',
  ]);
  const system = session.asked(endpoint())[0]?.text;
  expect(system).toContain('Ask for one city at a time.');
  expect(system).toContain('Say the sky in one word.');
  await page.reload();
  await expect(menu).toHaveAccessibleName(/Local tools: 2 tools, locked/);
});
