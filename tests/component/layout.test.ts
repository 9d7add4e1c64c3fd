/** A session on narrow screens, and with text that runs from right to left. */

import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import * as session from '../support/session-page.ts';
import { expect, test } from './support/shared-page.ts';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  await session.openWithModels(shared, endpoint);
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  session.expectModelRequests(trouble);
  endpoint.reset();
});

const seven = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].join('\n');

test('what sends a long message stays in view, and so does some of what was said', async ({
  page,
}) => {
  await session.newSession(page, session.mine, /large/);
  endpoint.answer({ text: 'Some words. '.repeat(300) });
  await session.send(page, 'Hello?');
  await session.idle(page);
  await page.getByRole('textbox', { name: 'Message' }).fill(seven);
  for (const [width, height, text] of [
    ...([[844, 390, 100] as const, [390, 470, 100] as const, [320, 256, 100] as const] as const),
    ...([[640, 400, 100] as const, [1280, 800, 200] as const] as const),
  ]) {
    await page.setViewportSize({ width, height });
    await page.evaluate((size) => {
      document.documentElement.style.setProperty('font-size', `${String(size)}%`);
    }, text);
    const place = `${String(width)} × ${String(height)}, text at ${String(text)} %`;
    const sends = page.getByRole('button', { name: 'Send' });
    await expect.soft(sends, place).toBeInViewport({ ratio: 1 });
    const rems = await page.getByRole('group', { name: 'Transcript' }).evaluate((transcript) => {
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      return transcript.clientHeight / rem;
    });
    expect.soft(rems, `${place}: height of the transcript`).toBeGreaterThanOrEqual(6);
  }
  await page.evaluate(() => {
    document.documentElement.style.removeProperty('font-size');
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('textbox', { name: 'Message' }).fill('');
});

test('on a phone every choice can be reached, and the session comes first in the line below', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await session.newSession(page, session.mine, /large/);
  await expect(page.getByRole('button', { name: 'System prompt' })).toBeHidden();
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByRole('checkbox', { name: 'Step mode' }).check();
  await expect(page.getByRole('button', { name: 'System prompt' })).toBeInViewport({ ratio: 1 });
  await session.choice(page, 'Background');
  await page.getByLabel('Run in the background').fill('Not sent yet');
  await session.choice(page, 'Background');
  await expect(page.getByLabel('Run in the background')).toHaveValue('Not sent yet');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'System prompt' })).toBeHidden();
  const more = page.getByRole('button', { name: 'More options, step mode on' });
  await more.click();
  await page.getByRole('checkbox', { name: 'Step mode' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Session idle')).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('on a phone a call shows its arguments until there is something to say of it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await session.newSession(page, session.mine, /large/);
  const args = '{"seconds": 600}';
  endpoint.answer({ calls: [{ name: 'session_tools__patient', arguments: args }] });
  await session.send(page, 'Wait.');
  await expect(session.cards(page, 'patient').getByText(args).last()).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await session.idle(page);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('each block of an answer has the direction of its words; code has its own', async ({
  page,
}) => {
  await session.newSession(page, session.mine, /large/);
  endpoint.answer({ text: 'שלום `x = 1`\n\n- אחד\n\nIn English.\n\n> ציטוט' });
  await session.send(page, 'שלום?');
  await session.idle(page);
  const parts = page.locator('.markdown').last().locator('p, ul, blockquote, code');
  const directions = (): Promise<string[]> =>
    parts.evaluateAll((all) =>
      all.map((part) => [part.localName, getComputedStyle(part).direction].join(' ')),
    );
  await expect
    .poll(directions)
    .toEqual(['p rtl', 'code ltr', 'ul rtl', 'p ltr', 'blockquote rtl', 'p rtl']);
  await expect(page.getByRole('heading', { name: 'שלום?' })).toHaveCSS('direction', 'rtl');
});
