/** What a user tries with calls: other arguments before and after a call, another result in a fork. */

import type { Locator } from '@playwright/test';
import { beginInNewSessions } from './support/new-sessions.ts';
import { expect, test } from './support/shared-page.ts';
import * as session from '../support/session-page.ts';
import { press } from '../support/press-until.ts';

const endpoint = beginInNewSessions();

const weather = (city: string): { name: string; arguments: string } => ({
  name: 'session_tools__weather',
  arguments: JSON.stringify({ city }),
});

test('a call that step mode holds runs as edited, which the card shows and the model is told', async ({
  page,
}) => {
  await page.getByRole('checkbox', { name: 'Step mode' }).check();
  endpoint().answer({ calls: [weather('Oslo')] }, { text: 'Clear in Rome.' });
  await session.send(page, 'How is the weather?');
  await press(page.getByRole('button', { name: 'Step', exact: true }));
  const card = session.cards(page, 'weather');
  await card.getByRole('button', { name: 'Edit arguments' }).click();
  await card.getByRole('textbox', { name: 'city' }).fill('Rome');
  await press(card.getByRole('button', { name: 'Run as edited' }));
  await page.getByRole('checkbox', { name: 'Step mode' }).uncheck();
  await expect(page.getByText('Clear in Rome.')).toBeVisible();
  await expect(card).toContainText('Arguments edited');
  await card.getByRole('button', { expanded: false }).click();
  await expect(card).toContainText('city: "Oslo" → "Rome"');
  expect(session.asked(endpoint())[1]?.text).toContain('The user changed the arguments.');
  await session.idle(page);
});

test('what an interceptor changed is on the card and in the trace, with its name', async ({
  page,
}) => {
  await page.evaluate(() => {
    const dispose = globalThis.cloche.interceptors.register({
      name: 'watch',
      extension: 'gate',
      priority: 1,
      before: () => ({ arguments: '{"city": "Rome"}' }),
      after: (_signal, _call, { textResultForLlm }) => ({
        textResultForLlm: `${textResultForLlm}!`,
      }),
    });
    Object.assign(globalThis, { endInterception: dispose });
  });
  endpoint().answer({ calls: [weather('Oslo')] }, { text: 'Clear in Rome.' });
  await session.send(page, 'How is the weather?');
  await session.idle(page);
  await page.evaluate(() => (Reflect.get(globalThis, 'endInterception') as () => void)());
  const card = session.cards(page, 'weather');
  await expect(card).toContainText('Changed by watch (gate)');
  await card.getByRole('button', { expanded: false }).click();
  const saysWho = async (part: Locator): Promise<void> => {
    const changes = part.getByRole('list', { name: 'Changes of this call' });
    await expect(changes).toContainText('The interceptor watch (gate) changed the arguments');
    await expect(changes).toContainText('city: "Oslo" → "Rome"');
    await expect(changes).toContainText('The interceptor watch (gate) changed the result.');
  };
  await saysWho(card);
  expect(session.asked(endpoint())[1]?.text).toContain(
    'The interceptor watch (gate) changed the arguments.',
  );
  const view = page.getByRole('group', { name: 'View' });
  await view.getByRole('button', { name: 'Trace' }).click();
  const turn = page.getByRole('region', { name: 'Turn 1' });
  await turn.getByRole('button', { name: /^session_tools:weather/ }).click();
  await saysWho(turn);
  await view.getByRole('button', { name: 'Transcript' }).click();
});

test('row 44: what step mode holds does not run by a press in the moment in which it is held', async ({
  page,
}) => {
  await page.getByRole('checkbox', { name: 'Step mode' }).check();
  endpoint().answer({ calls: [weather('Oslo')] }, { text: 'Clear in Oslo.' });
  await session.send(page, 'How is the weather?');
  const pressing = page.evaluate(async () => {
    const find = (words: string) =>
      [...document.querySelectorAll<HTMLButtonElement>('main button')].find(
        ({ textContent }) => textContent.trim() === words,
      );
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (find('Run this call') === undefined) await frame();
    const run = find('Run this call');
    const step = find('Step');
    run?.click();
    step?.click();
    await frame();
    return [run?.ariaDisabled, step?.ariaDisabled, find('Run this call') === run];
  });
  await press(page.getByRole('button', { name: 'Step', exact: true }));
  expect(await pressing).toEqual(['true', 'true', true]);
  // Control: a press after the guard's time runs it.
  await press(page.getByRole('button', { name: 'Run this call' }));
  await page.getByRole('checkbox', { name: 'Step mode' }).uncheck();
  await expect(page.getByText('Clear in Oslo.')).toBeVisible();
  await session.idle(page);
});

test('a call is run again beside the session, and the session is forked with that result, or with a written one', async ({
  page,
}) => {
  endpoint().answer({ calls: [weather('Oslo')] }, { text: 'Clear in Oslo.' });
  await session.send(page, 'How is the weather?');
  await expect(page.getByText('Clear in Oslo.')).toBeVisible();
  const original = page.url();
  const requests = session.asked(endpoint()).length;
  const card = session.cards(page, 'weather');
  await card.getByRole('button', { expanded: false }).click();
  await press(card.getByRole('button', { name: 'Run again …' }));
  const again = card.getByRole('region', { name: 'Run again' });
  await again.getByRole('textbox', { name: 'city' }).fill('Lima');
  await again.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(again).toContainText('Lima');
  await expect(again.getByRole('heading', { name: 'Result' })).toBeVisible();
  // The session is as it was: same address, same original result, no request.
  await expect(card).toContainText('Oslo');
  expect([page.url(), session.asked(endpoint()).length]).toEqual([original, requests]);

  await again.getByRole('button', { name: 'Fork with this result' }).click();
  await expect(page).not.toHaveURL(original);
  await expect(session.cards(page, 'weather')).toContainText('Result replaced');
  endpoint().answer({ text: 'Clear in Lima.' });
  await press(page.getByRole('button', { name: 'Continue' }));
  await expect(page.getByText('Clear in Lima.')).toBeVisible();
  expect(session.asked(endpoint()).at(-1)?.text).toContain('The call ran with:');

  await page.goto(original);
  await expect(page.getByText('Clear in Oslo.')).toBeVisible();
  await expect(card).not.toContainText('Result replaced');
  await card.getByRole('button', { expanded: false }).click();
  await card.getByRole('button', { name: 'What if it had returned …' }).click();
  const edit = card.getByRole('region', { name: 'Edit the result' });
  await edit.getByRole('textbox').fill('It rains frogs.');
  await edit.getByRole('button', { name: 'Fork with this result' }).click();
  await expect(session.cards(page, 'weather')).toContainText('It rains frogs.');
  endpoint().answer({ text: 'Stay inside.' });
  await press(page.getByRole('button', { name: 'Continue' }));
  await expect(page.getByText('Stay inside.')).toBeVisible();
  expect(session.asked(endpoint()).at(-1)?.text).toContain('It rains frogs.');
});

test('whether a tool asks is set on its card, and holds on its page', async ({ page }) => {
  endpoint().answer({ calls: [weather('Oslo')] }, { text: 'Clear.' });
  await session.send(page, 'How is the weather?');
  await expect(page.getByText('Clear.')).toBeVisible();
  const card = session.cards(page, 'weather');
  await card.getByRole('button', { expanded: false }).click();
  await card.getByRole('combobox', { name: 'Approval' }).selectOption('Never allow');
  await page.goto('./#/tools/session_tools:weather');
  const approval = page.getByRole('main').getByRole('button', { name: 'Approval: Never allow' });
  await approval.click();
  const field = page.getByRole('main').getByRole('combobox', { name: 'Approval' });
  await expect(field.locator(':checked')).toHaveText('Never allow');
  await page.keyboard.press('Escape');
  await session.newSession(page, session.mine, /large/);
  endpoint().answer({ calls: [weather('Oslo')] }, { text: 'I may not.' });
  await session.send(page, 'And now?');
  await expect(page.getByText('I may not.')).toBeVisible();
  expect(session.asked(endpoint()).at(-1)?.text).toContain('The user has blocked this tool.');
  await page.goto('./#/tools/session_tools:weather');
  await approval.click();
  await field.selectOption('Default: allow');
  await expect(field.locator(':checked')).toHaveText('Default: allow');
});
