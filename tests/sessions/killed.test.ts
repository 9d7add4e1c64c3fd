/** A page that is killed during a turn: the session is complete when it is opened again, and can continue. */

import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { openFolder } from '../support/app.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { question } from '../support/questions.ts';
import * as session from '../support/session-page.ts';
import { expect, test } from '../support/test.ts';
import { press } from '../support/press-until.ts';

const name = 'Mine';

let endpoint: ModelEndpoint;
let folderPath: string;

test.beforeAll(async () => {
  endpoint = await startModelEndpoint();
});
test.afterAll(() => endpoint.close());
test.beforeEach(async ({ page, folder, trouble }) => {
  session.expectModelRequests(trouble);
  endpoint.reset();
  await page.goto('./');
  ({ path: folderPath } = await folder({
    'session_tools.py': await readFile(session.sessionTools),
  }));
  await openFolder(page, folderPath);
  await session.addProvider(page, {
    kind: 'openai-compatible',
    name,
    url: `${endpoint.url}/v1`,
    key: '',
  });
  await session.newSession(page, name, /large/);
});

/** Ends the process of a page at once: the page gets no event. */
async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const client = await page.context().newCDPSession(page);
  // The browser never answers this message.
  void client.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
}

/** The first session of the list, in another page of the same browser. */
async function reopened(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('./#/sessions');
  const list = page.getByRole('group', { name: 'Sessions, newest first' });
  await list.getByRole('link').first().click();
  await expect(page.getByText(/This turn was interrupted/)).toBeVisible();
  return page;
}

async function goesOn(page: Page, reported: RegExp): Promise<void> {
  endpoint.reset();
  endpoint.answer({ text: 'It goes on.' });
  await press(page.getByRole('button', { name: 'Continue' }));
  await expect(page.getByText('It goes on.')).toBeVisible();
  expect(session.asked(endpoint)).toHaveLength(1);
  expect(session.asked(endpoint)[0]?.text).toMatch(reported);
  await session.idle(page);
}

test('in the middle of an answer', { tag: '@full' }, async ({ page, context }) => {
  const text = 'A long answer that nobody hears to its end. '.repeat(40);
  endpoint.answer({ text, paceMs: 100 });
  await session.send(page, 'Tell me something.');
  await expect(page.getByText(/A long answer that nobody hears/)).toBeVisible();
  const shown = await page.getByText(/^A long answer/).innerText();
  await kill(page);
  const again = await reopened(context);
  const kept = await again.getByText(/^A long answer/).innerText();
  expect(kept.length).toBeGreaterThanOrEqual(shown.trimEnd().length);
  expect(text.startsWith(kept.trim())).toBe(true);
  await goesOn(again, /Tell me something/);
});

test('in the middle of a call', async ({ page, context }) => {
  endpoint.answer({
    text: 'I count.',
    calls: [
      { name: 'session_tools__endless', arguments: '{}' },
      { name: 'session_tools__step', arguments: '{}' },
    ],
  });
  await session.send(page, 'Count.');
  await expect(session.cards(page, 'endless')).toContainText('counted');
  await expect(session.cards(page, 'step')).not.toContainText('Running');
  await kill(page);
  const again = await reopened(context);
  await expect(again.getByText('I count.')).toBeVisible();
  await expect(session.cards(again)).toHaveCount(2);
  // Without the folder it can go on all the same: the model hears what is known.
  await goesOn(again, /Python state was reset/);
  await openFolder(again, folderPath);
  endpoint.answer(
    { calls: [{ name: 'session_tools__step', arguments: '{}' }] },
    { text: 'It counts anew.' },
  );
  await session.send(again, 'Once more.');
  await expect(again.getByText('It counts anew.')).toBeVisible();
  await session.idle(again);
});

test('in the middle of an approval', { tag: '@full' }, async ({ page, context }) => {
  endpoint.answer({ calls: [{ name: 'session_tools__remove', arguments: '{"path": "all"}' }] });
  await session.send(page, 'Tidy up.');
  await expect(question(page)).toContainText('all');
  // Calls that have taken half a second are recorded.
  await page.waitForTimeout(1_000);
  await kill(page);
  const again = await reopened(context);
  await expect(question(again)).toHaveCount(0);
  await goesOn(again, /closed or reloaded before session_tools:remove was called/);
  expect(session.asked(endpoint)[0]?.text).toContain('Tidy up');
  // What was never answered was never run.
  expect(session.asked(endpoint)[0]?.text).not.toContain('removed all');
  // The call log says the same.
  await again.goto(`${again.url()}?panel=runs`);
  const run = again.getByRole('region', { name: 'Drawer' }).getByRole('listitem').first();
  await expect(run).toContainText('session_tools:remove');
  await expect(run).toContainText('Cancelled');
});

test(
  'a message that waits in the queue is not lost with an ordinary reload',
  { tag: '@full' },
  async ({ page }) => {
    endpoint.answer({ calls: [{ name: 'session_tools__endless', arguments: '{}' }] });
    await session.send(page, 'Count.');
    await expect(session.cards(page, 'endless')).toContainText('counted');
    await page.getByRole('textbox', { name: 'Message' }).fill('Half a thought');
    await page.reload();
    await expect(page.getByText(/This turn was interrupted/)).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought');
  },
);
