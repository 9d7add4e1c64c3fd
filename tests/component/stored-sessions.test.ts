/** Stored sessions: titles, search, forks, deletion, files, saved recordings, and two pages at once. */

import { readFile } from 'node:fs/promises';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import * as session from '../support/session-page.ts';
import { expect, test } from './support/shared-page.ts';
import type { Locator, Page } from '@playwright/test';
import { press } from '../support/press-until.ts';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  await session.openWithModels(shared, endpoint, session.testKey);
  // What is out of view is not laid out.
  await shared.page.setViewportSize({ width: 1280, height: 3_000 });
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  session.expectModelRequests(trouble);
  endpoint.reset();
});

const step = { name: 'session_tools__step', arguments: '{}' };

function listed(page: Page): Locator {
  return page.getByRole('group', { name: 'Sessions, newest first' }).getByRole('link');
}

async function chooseInMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('button', { name: item, exact: true }).click();
}

/** A session in which a model has called a tool. */
async function begin(page: Page, message: string): Promise<void> {
  await session.newSession(page, session.mine, /large/);
  endpoint.answer({ text: 'I count.', calls: [step] }, { text: 'It is counted.' });
  await session.send(page, message);
  await expect(page.getByText('It is counted.')).toBeVisible();
  await session.idle(page);
}

test('a title by the first message, another by hand; found by any word', async ({ page }) => {
  await begin(page, 'Count the penguins of Rockhopper bay');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Count the penguins');
  await chooseInMenu(page, 'Rename');
  await page.getByRole('textbox', { name: 'Title' }).fill('Birds');
  await page.keyboard.press('Enter');
  await expect(listed(page).first()).toContainText(/Birds\s*just now/);
  await begin(page, 'Something else altogether');
  await page.getByRole('searchbox', { name: 'Search sessions' }).fill('rockhopper');
  await expect(listed(page)).toHaveCount(1);
  await expect(listed(page)).toContainText('Birds');
  await expect(listed(page)).toContainText('the penguins of Rockhopper bay');
  await page.keyboard.press('ArrowDown');
  await expect(listed(page)).toBeFocused();
  await page.getByRole('searchbox', { name: 'Search sessions' }).fill('');
});

test('a fork goes its own way; a deleted session comes back by Undo', async ({ page }) => {
  await begin(page, 'The way forks here');
  const before = await listed(page).count();
  await page.getByRole('article', { name: 'You' }).hover();
  await page.getByRole('button', { name: 'Edit and send again' }).first().click();
  await expect(listed(page)).toHaveCount(before + 1);
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('The way forks here');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('The way forks here');
  endpoint.answer({ text: 'I took the other one.' });
  await session.send(page, 'Take the other way here');
  await expect(page.getByText('Forked from another session.')).toBeVisible();
  await expect(page.getByText('I took the other one.')).toBeVisible();
  await session.idle(page);
  const reported = session.asked(endpoint).at(-1)?.text ?? '';
  expect(reported).toContain('Take the other way here');
  expect(reported).not.toContain('The way forks here');
  expect(reported).not.toContain('It is counted.');
  await chooseInMenu(page, 'Delete');
  await expect(listed(page)).toHaveCount(before);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(listed(page)).toHaveCount(before + 1);
  await expect(page.getByText('I took the other one.')).toBeVisible();
  const branches = page.getByRole('navigation', { name: 'Branches' });
  await expect(branches).toContainText('Branch 2 of 2');
  await branches.getByRole('link', { name: 'Previous branch' }).click();
  await expect(page.getByText('It is counted.')).toBeVisible();
  await expect(branches).toContainText('Branch 1 of 2');
});

test('a call in the log names its session, and leads to it', async ({ page }) => {
  await begin(page, 'Find the way back from the log');
  await session.cards(page, 'step').getByRole('button', { expanded: false }).click();
  await page.getByRole('link', { name: 'Open in the call log' }).click();
  const bench = page.getByRole('group', { name: 'Main content' });
  await bench.getByRole('link', { name: 'Find the way back from the log' }).click();
  await expect(page.getByText('It is counted.')).toBeVisible();
});

test('a session whose folder is not open leads to it', async ({ page, shared }) => {
  await begin(page, 'My folder comes back');
  await shared.openFolder({ 'other_tools.py': await readFile(session.sessionTools) }, 'elsewhere');
  const notice = page.getByText('which is not open');
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Open tools', exact: true }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  endpoint.answer({ calls: [step] }, { text: 'Counted here.' });
  await session.send(page, 'Count once more.');
  await expect(page.getByText('Counted here.')).toBeVisible();
  await session.idle(page);
});

test('a session leaves as one file without secrets, and comes back as another', async ({
  page,
}) => {
  await begin(page, 'This goes into a file');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chooseInMenu(page, 'Export session'),
  ]);
  const path = await download.path();
  const text = await readFile(path, 'utf8');
  expect(text).toContain('This goes into a file');
  expect(text).not.toContain(session.testKey);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  await (await chooser).setFiles(path);
  const offer = page.getByRole('dialog', { name: 'Open this session?' });
  await expect(offer).toContainText('These calls are not repeated.');
  await expect(listed(page).filter({ hasText: 'This goes into a file' })).toHaveCount(1);
  await press(offer.getByRole('button', { name: 'Open' }));
  await expect(listed(page).filter({ hasText: 'This goes into a file' })).toHaveCount(2);
  await expect(listed(page).first()).toContainText('This goes into a file (imported)');
  await expect(
    page.getByText(/Python state was reset because the session was imported/),
  ).toBeVisible();
  await expect(page.getByText('It is counted.')).toBeVisible();
  await expect(session.cards(page, 'step')).toBeVisible();
});

const hostile: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ['noise', Buffer.from(Uint8Array.from({ length: 1_000_000 }, (_, n) => (n * 7919) % 251)), /./],
  ['a later version', '{"format":"cloche-session","version":99}', /version/i],
  ['something else', '{"hello": "world"}', /./],
  ['nested without end', '['.repeat(1_000_000), /./],
];
for (const [what, buffer, words] of hostile)
  test(`a file that is no session is refused in words: ${what}`, async ({ page }) => {
    await page.goto('./#/sessions');
    await expect(listed(page).first()).toBeVisible();
    const before = await listed(page).count();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import' }).click();
    await (
      await chooser
    ).setFiles({ name: 'session.json', mimeType: 'application/json', buffer: Buffer.from(buffer) });
    const alert = page.getByRole('alert').first();
    await expect(alert).toContainText(words);
    await expect(listed(page)).toHaveCount(before);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
  });

test('a session is saved as a recording, and played with its tools run live', async ({ page }) => {
  await begin(page, 'To be played');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chooseInMenu(page, 'Save as recording'),
  ]);
  const path = await download.path();
  endpoint.reset();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  await (await chooser).setFiles(path);
  const offer = page.getByRole('dialog', { name: 'Play this recording?' });
  await expect(offer).toContainText('To be played');
  await expect(offer.getByRole('list', { name: 'Tools called' })).toContainText(
    'session_tools:step',
  );
  await press(offer.getByRole('button', { name: 'Play' }));
  await expect(page.getByText(/messages are recorded/)).toBeVisible();
  await expect(page.getByText(/The recording has ended/)).toBeVisible();
  await expect(page.getByText('It is counted.')).toBeVisible();
  expect(session.asked(endpoint)).toHaveLength(0);
  const composer = page.getByRole('form', { name: 'Message' });
  await expect(composer.getByRole('button', { name: 'Send' })).toHaveCount(0);
  // It replaces the model menu, because a phone has no room for both.
  await page.setViewportSize({ width: 390, height: 844 });
  const next = composer.getByRole('button', { name: 'Choose a model to continue' });
  expect(await next.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(
    true,
  );
  await expect(next).toBeInViewport({ ratio: 1 });
  await expect(composer.getByRole('button', { name: /^Model:/ })).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await next.click();
  await page.getByRole('button', { name: /large/ }).last().click();
  endpoint.answer({ text: 'I go on.' });
  await session.send(page, 'And now?');
  await expect(page.getByText('I go on.')).toBeVisible();
  await session.idle(page);
});

test('a second page follows live, and writes once it has taken over', async ({ page, context }) => {
  // A page behind another one gets about one frame a second, and a click waits for several. Each page is in front while it
  // is used. One of the steps took 12 seconds without that.
  const patiently = expect.configure({ timeout: 30_000 });
  test.slow();
  await begin(page, 'Two are here');
  const second = await context.newPage();
  await second.goto(page.url());
  await patiently(second.getByText('It is counted.')).toBeVisible();
  await patiently(second.getByText(/in use in another tab/)).toBeVisible();
  await page.bringToFront();
  endpoint.answer({
    text: `The second one sees this. ${'It is a long story. '.repeat(10)}`,
    paceMs: 20,
  });
  await session.send(page, 'Tell them.');
  await patiently(second.getByText(/The second one sees this/)).toBeVisible();
  await session.idle(page);
  endpoint.answer(
    { calls: [{ name: 'session_tools__patient', arguments: '{"seconds": 30}' }] },
    { text: 'It was too long.' },
  );
  await session.send(page, 'Wait.');
  const here = session.cards(page, 'patient');
  const there = session.cards(second, 'patient');
  await patiently(there).toContainText('Running in another tab');
  await patiently(there.getByRole('button', { name: /Cancel/ })).toHaveCount(0);
  await patiently(second.getByText('In another tab: Running tools').first()).toBeVisible();
  await page.bringToFront();
  await here.getByRole('button', { name: /Cancel/ }).click();
  await patiently(second.getByText('It was too long.')).toBeVisible();
  await session.idle(page);
  await second.bringToFront();
  await session.idle(second);
  await second.getByRole('button', { name: 'Use here' }).click();
  await patiently(page.getByText(/in use in another tab/)).toBeVisible();
  endpoint.answer({ text: 'Written from the second.' });
  await session.send(second, 'Here I am.');
  await patiently(second.getByText('Written from the second.')).toBeVisible();
  await patiently(page.getByText('Written from the second.')).toBeVisible();
  await second.close();
  // A user who returns to the remaining page can write in it.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await patiently(page.getByText(/in use in another tab/)).toHaveCount(0);
  endpoint.answer({ text: 'Written from the first again.' });
  await session.send(page, 'I am back.');
  await patiently(page.getByText('Written from the first again.')).toBeVisible();
});
