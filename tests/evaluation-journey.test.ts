/** A card of a session becomes an evaluation, which is run, rated, repeated and compared, until its outcome is in the file. */

import type { Page } from '@playwright/test';
import { addOneModel, adder, call, startOneModel } from './support/one-model.ts';
import type { ReceivedRequest, Scripted } from './support/model-endpoint/script.ts';
import { button, ready } from './support/opening.ts';
import { press } from './support/press-until.ts';
import { textIn, writablePicks } from './support/saved-tests.ts';
import * as session from './support/session-page.ts';
import { expect, test } from './support/test.ts';

const better = 'Adds two numbers. Use it for every sum, also of things.';

/** Calls the tool if the user says “add”, or if the description says that it is for things. */
function model({ body }: ReceivedRequest): Scripted {
  const { messages, tools } = body as {
    messages: { role: string; content: unknown }[];
    tools: unknown;
  };
  const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
  const isMeant = asked.includes('add ') || JSON.stringify(tools).includes('also of things');
  const [a, b] = Array.from(asked.matchAll(/\d+/g), ([digits]) => Number(digits));
  return isMeant && messages.at(-1)?.role !== 'tool'
    ? { calls: [call('work__add', { a, b })] }
    : { text: 'That is all.' };
}

const done = (page: Page, trials: number) =>
  page.getByRole('status').filter({ hasText: new RegExp(`^Done, ${trials} trials$`) });

/** Runs the evaluation that is open. */
async function run(page: Page, trials: number, repeats: number | null = null): Promise<void> {
  await press(page.getByRole('button', { name: 'Run …' }));
  const dialog = page.getByRole('dialog', { name: 'Run this evaluation' });
  if (repeats !== null) await dialog.getByLabel('Trials per prompt').fill(String(repeats));
  await press(dialog.getByRole('button', { name: `Run ${trials} trials` }));
  await expect(done(page, trials)).toBeVisible({ timeout: 120_000 });
}

test('a card becomes an evaluation that is run, rated, repeated, compared, and improves its tool', async ({
  page,
  trouble,
}) => {
  test.setTimeout(300_000);
  session.expectModelRequests(trouble);
  const endpoint = await startOneModel();
  endpoint.habits.otherwise = model;
  await writablePicks(page, { 'work.py': adder });
  await page.goto('./');
  await button(page, 'Open folder').first().click();
  await ready(page, 'greetings');
  await addOneModel(page, endpoint);

  await test.step('“Make this an evaluation” writes a file, and opens it as a form', async () => {
    await session.newSession(page, session.mine, /small/);
    await session.send(page, 'add 3 and 4');
    await session.idle(page);
    const card = session.cards(page, 'add').first();
    await card.getByRole('button', { name: /add/ }).first().click();
    await card.getByRole('button', { name: 'Make this an evaluation' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('add: add 3 and 4');
    await expect(page.getByRole('combobox', { name: 'Expected tool' })).toHaveValue('work:add');
    await expect(page.getByRole('textbox', { name: /^Expected arguments/ })).toHaveValue(
      '{\n  "a": 3,\n  "b": 4\n}',
    );
    expect(await textIn(page, 'evals', 'add.yaml')).toContain('repeats: 3');
  });

  await test.step('the form changes the file, and the run is rated', async () => {
    const repeats = page.getByRole('textbox', { name: 'Trials per prompt' });
    await repeats.fill('2');
    await repeats.blur();
    await run(page, 2);
    expect(await textIn(page, 'evals', 'add.yaml')).toContain('repeats: 2');
    await expect(page.getByRole('main')).toContainText('100 % (34–100)');
  });

  await test.step('one press repeats the run, and compares both', async () => {
    const first = page.url();
    await press(page.getByRole('button', { name: 'Run again' }));
    await expect.poll(() => page.url()).not.toBe(first);
    await expect(done(page, 2)).toBeVisible({ timeout: 120_000 });
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ index: 1 });
    await expect(
      page.getByRole('region', { name: 'Comparison' }).getByRole('row', { name: /^All/ }),
    ).toHaveText(/100 %.*100 %/);
  });

  await test.step('the page of the tool has the rate, and another description is tried there', async () => {
    await page.goto('./#/tools/work:add?panel=details');
    await expect(page.getByRole('list', { name: 'Evaluations of this tool' })).toContainText(
      '100 % (34–100)',
    );
    await button(page, 'Try another description').click();
    const dialog = page.getByRole('dialog', { name: 'Try another description' });
    await dialog.getByRole('textbox', { name: 'New description' }).fill(better);
    await dialog
      .getByRole('textbox', { name: /^Prompts/ })
      .fill(Array.from({ length: 7 }, (_, n) => `${n} apples, then 1 more?`).join('\n'));
    await expect(dialog.getByRole('status')).toContainText(
      '1 prompt of evaluations in this folder is used too. 8 prompts in all.',
    );
    await press(dialog.getByRole('button', { name: 'Create evaluation' }));
    await run(page, 16, 1);
    await expect(page.getByText('“New description” is better than “As it is”')).toBeVisible();
    const row = page.getByRole('row', { name: /^New description/ });
    await expect(row).toContainText('+100 (31 to 100) points');
    await expect(row.getByRole('cell').nth(3)).toContainText(/\+[\d.]+ \([-\d.]+ to [-\d.]+\)/);
    const told = new Map<unknown, Set<string>>();
    for (const { body } of session.asked(endpoint)) {
      const { seed, tools, messages } = body as Record<string, unknown>;
      if (seed === undefined || (messages as unknown[]).length > 2) continue;
      const prompt = JSON.stringify([seed, messages]);
      told.set(prompt, (told.get(prompt) ?? new Set()).add(JSON.stringify(tools)));
    }
    // Each of the eight prompts was sent with the same seed for both descriptions.
    expect([...told.values()].map(({ size }) => size)).toEqual(Array(8).fill(2));
  });

  await test.step('“Use this version” writes the description into the file, and the tool has it', async () => {
    await page.getByText('What “New description” changes').click();
    await press(page.getByRole('button', { name: 'Use this version' }));
    await expect(page.getByRole('region', { name: 'Message' })).toContainText('saved in');
    const described = (): Promise<string | undefined> =>
      page.evaluate(async () => {
        const { tools } = (await (await fetch('api/tools')).json()) as {
          tools: { name: string; description: string }[];
        };
        return tools.find(({ name }) => name === 'work:add')?.description;
      });
    await expect.poll(described, { timeout: 60_000 }).toBe(better);
    await page.evaluate(() => globalThis.cloche.folder.refresh());
    expect(await page.evaluate(() => globalThis.cloche.folder.source('work.py'))).toBe(
      adder.replace('"Adds two numbers.",', `"${better}",`),
    );
  });
  await endpoint.close();
});
