/** Sessions: how they start, a scripted example that has been played, and a model of another endpoint. */

import { pressWhenReady, visit } from './steps.mjs';

/** @typedef {import('@playwright/test').Page} Page */

/** @type {import('./scenes.mjs').Scenes} */
export const sessionScenes = {
  sessions: (page) => visit(page, '#/sessions'),
  'session-played': async (page) => {
    await page.getByRole('button', { name: /split a bill/ }).click();
    await pressWhenReady(page, 'Play');
    await page.getByText('The recording has ended').waitFor();
    await page.waitForTimeout(500);
  },
  'session-call': async (page) => {
    await page.getByRole('group', { name: 'Transcript' }).press('Home');
    const card = page.getByRole('region', { name: 'Call to basics:split_bill' });
    await card.getByRole('button', { expanded: false }).click();
    await card.getByText('Arguments', { exact: true }).waitFor();
  },
  'session-new': (page) => visit(page, '#/sessions/new'),
  'session-tools': async (page) => {
    await page.getByRole('button', { name: /^Local tools/ }).click();
    await page.getByRole('button', { name: 'Deselect all' }).click();
    await page
      .getByRole('checkbox', { name: /calculator/ })
      .first()
      .check();
  },
  'session-provider-form': async (page) => {
    await page.keyboard.press('Escape');
    await endpoint(page);
    await visit(page, '#/settings/models');
    await page.getByRole('button', { name: 'Other endpoint' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Workstation');
    await page.getByRole('textbox', { name: 'Base URL' }).fill(address);
  },
  'session-providers': async (page) => {
    await page.getByRole('button', { name: 'Add provider' }).click();
    const row = page.getByRole('group', { name: 'Workstation' });
    await row.getByText('1 model found').waitFor();
    await row.getByRole('button', { name: 'Test' }).click();
    await row.getByText(/Half past/).waitFor();
    await row.scrollIntoViewIfNeeded();
  },
  'session-model': async (page) => {
    await visit(page, '#/sessions/new');
    await page.getByRole('button', { name: /^Model:/ }).click();
  },
  'session-answer': async (page) => {
    await page.getByRole('button', { name: 'quick-8b', exact: true }).click();
    await send(page, 'When does the train leave, and what does it cost?');
    await page.getByText('Half past nine').waitFor();
  },
  'session-prompt': async (page) => {
    // Where the row is short, it floats.
    const more = page.getByRole('button', { name: /^More options/ });
    if (await more.isVisible()) await more.click();
    await page.getByRole('button', { name: 'System prompt' }).click();
    await page.getByRole('dialog').waitFor();
  },
  'session-failed': async (page) => {
    await page.keyboard.press('Escape');
    await page.context().unroute(`${address}/**`);
    await page.context().route(`${address}/**`, (route) =>
      route.fulfill({
        status: 401,
        headers: open,
        json: { error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } },
      }),
    );
    await send(page, 'And back?');
    await page.getByText('The turn failed.').waitFor();
  },
};

const address = 'http://workstation.example:8000/v1';
const open = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
const answer = `Half past **nine**, from platform 4. It costs:

| class | single | return |
| --- | ---: | ---: |
| second | €19.90 | €35.80 |
| first | €34.00 | €61.00 |

\`\`\`python
total = 2 * 35.80
\`\`\`

Two people pay €71.60 for both ways.`;

/** @param {Page} page */
async function endpoint(page) {
  await page.context().route(`${address}/**`, (route) => {
    if (route.request().url().endsWith('/models'))
      return route.fulfill({ headers: open, json: { data: [{ id: 'quick-8b' }] } });
    /** @param {object} choice */
    const event = (choice) =>
      `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', model: 'quick-8b', ...choice })}\n\n`;
    const body = [
      event({ choices: [{ index: 0, delta: { role: 'assistant', content: answer } }] }),
      event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      event({ choices: [], usage: { prompt_tokens: 1_214, completion_tokens: 96 } }),
      'data: [DONE]\n\n',
    ].join('');
    return route.fulfill({ headers: { ...open, 'Content-Type': 'text/event-stream' }, body });
  });
}

/** @param {Page} page @param {string} text */
async function send(page, text) {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}
