/** Evaluations: approvals of calls in trials, a judge whose verdicts are marked, and two runs side by side. */

import { readFile } from 'node:fs/promises';
import { violations } from '../support/axe.ts';
import { ready } from './support/app.ts';
import { columns, look, titleOf } from './support/columns.ts';
import { expect, test } from './support/shared-page.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from '../support/model-endpoint/script.ts';
import * as session from '../support/session-page.ts';
import { answer as answerQuestion, question } from '../support/questions.ts';
import type { Page } from '@playwright/test';
import { enter, tabTo } from '../support/keyboard.ts';
import { press } from '../support/press-until.ts';

let endpoint: ModelEndpoint;
const evaluation = {
  name: 'Tidy',
  tools: ['session_tools:remove'],
  threshold: 0.5,
  prompts: [
    {
      name: 'Removes',
      text: 'Remove it.',
      expect: {
        calls: { must: ['session_tools:remove'] },
        answer: { includes: 'It ran', judge: 'The answer is polite.' },
      },
    },
  ],
};

/** Both prompts are on one line, and so have the same problems. */
const gone = { text: 'Do it.', expect: { calls: { must: ['no:tool'] } } };

const known = 'session_tools:remove';
/** The last of the calls has a problem. */
const sixCalls = {
  text: 'Do it.',
  expect: { calls: { must: [known, known, known, known, known, 'no:tool'] } },
};

/** Calls the tool, says whether that worked, and as a judge finds nothing polite. */
function model({ body, text }: ReceivedRequest): Scripted {
  if (text.includes('You judge the results'))
    return { text: '{"holds": false, "reason": "Rude."}' };
  const { messages } = body as { messages: { role: string; content: unknown }[] };
  const result = messages.findLast(({ role }) => role === 'tool');
  if (result === undefined)
    return { calls: [{ name: 'session_tools__remove', arguments: '{"path": "/tmp/a"}' }] };
  const failed = /requires approval|does not give|refused/.test(JSON.stringify(result.content));
  return { text: failed ? 'It was not allowed.' : 'It ran.' };
}

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  endpoint.habits.otherwise = model;
  await shared.open({
    'session_tools.py': await readFile(session.sessionTools),
    'evals/tidy.json': JSON.stringify(evaluation),
    'evals/many.json': JSON.stringify({ ...evaluation, name: 'Many', tools: 'all' }),
    'evals/gone.json': JSON.stringify({ name: 'Gone', prompts: [gone, gone] }),
    'evals/long.yaml': JSON.stringify({ name: 'Long', prompts: [sixCalls] }, null, 2),
  });
  session.expectModelRequests(shared.trouble);
  endpoint.habits.models = [{ id: 'small', context: 200_000 }];
  const added = {
    kind: 'openai-compatible',
    name: session.mine,
    url: `${endpoint.url}/v1`,
    key: '',
  };
  await expect(await session.addProvider(shared.page, added)).toContainText('1 model found');
});
test.afterAll(() => endpoint.close());

const done = (page: Page, words: string) =>
  page.getByRole('status').filter({ hasText: new RegExp(`^${words}$`) });

/** Checks the screen in light and dark, wide and narrow. */
async function expectNoFaults(page: Page, screen: string): Promise<void> {
  for (const column of columns.filter(({ tag }) => tag.length === 0)) {
    await look(page, column);
    const where = `${screen}, ${titleOf(column)}`;
    expect.soft(await violations(page), where).toEqual([]);
    const beyond = await page
      .locator('.bench, dialog[open]')
      .evaluateAll((parts) => parts.map((part) => part.scrollWidth - part.clientWidth));
    expect.soft(Math.max(...beyond), `${where}: pixels beyond an edge`).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('problems that are alike are listed as often as they occur', async ({ page }) => {
  await page.goto('./#/evals');
  const row = page.getByRole('listitem').filter({ hasText: 'evals/gone.json' });
  await expect(row.getByText('there is no tool “no:tool”')).toHaveCount(2);
});

test('a problem of the sixth expected call leads to its field, and an added one is shown', async ({
  page,
}) => {
  await page.goto('./#/evals');
  await page.getByRole('link', { name: 'evals/long.yaml' }).click();
  const shown = page.getByRole('group', { name: /^Expected call \d$/ });
  await expect(shown).toHaveCount(4);
  await page.getByRole('button', { name: /^Line \d+$/ }).click();
  const sixth = page.getByRole('group', { name: 'Expected call 6' });
  await expect(sixth.getByLabel('Expected tool')).toBeFocused();
  await page.getByRole('button', { name: 'Add expected call' }).click();
  await expect(page.getByRole('group', { name: 'Expected call 7' })).toBeVisible();
});

async function run(page: Page, approvals: 'ask' | 'allow' | 'refuse'): Promise<void> {
  await page.goto('./#/evals');
  await page.getByRole('button', { name: 'Run Tidy' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run this evaluation' });
  await dialog.getByLabel('Tools that require approval').selectOption(approvals);
  await press(dialog.getByRole('button', { name: 'Run 1 trial' }));
}

test(
  'calls that need approval are refused, allowed or asked about; a judge is marked; runs are compared',
  { tag: '@full' },
  async ({ page, trouble }) => {
    session.expectModelRequests(trouble);
    await run(page, 'refuse');
    await expect(done(page, 'Done, 1 trial')).toBeVisible();
    await page.getByText('Removes', { exact: true }).first().click();
    await expect(page.getByText('the answer does not contain “It ran”')).toBeVisible();
    // Nobody was asked, and the judge costs nothing where a rule has failed already.
    await expect(question(page)).toHaveCount(0);
    expect(endpoint.requests.filter(({ text }) => text.includes('You judge')).length).toBe(0);

    await run(page, 'ask');
    await expect(question(page)).toContainText('session_tools:remove');
    await expect(async () => {
      await answerQuestion(page, /^Allow once$/);
      await expect(question(page)).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
    await expect(done(page, 'Done, 1 trial')).toBeVisible();
    await page.getByText('Removes', { exact: true }).first().click();
    await expect(
      page.getByText('Judged by a model: Judged as not true: “The answer is polite.” Rude.'),
    ).toBeVisible();

    // The model is polite now.
    endpoint.habits.otherwise = (request) =>
      request.text.includes('You judge')
        ? { text: '{"holds": true, "reason": ""}' }
        : model(request);
    await run(page, 'allow');
    await expect(done(page, 'Done, 1 trial')).toBeVisible();
    await expect(question(page)).toHaveCount(0);
    const compare = page.getByRole('combobox', { name: 'Compare with' });
    await compare.selectOption({ index: 1 });
    const table = page.getByRole('region', { name: 'Comparison' });
    await expect(table.getByRole('row', { name: /^Removes/ })).toHaveText(
      /100 % \(21–100\)\s*0 % \(0–79\)/,
    );
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save …' }).click();
    await page.getByRole('button', { name: 'Save as Markdown' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(/^Tidy-\d{4}-\d\d-\d\d\.md$/);
    const saved = await readFile(await download.path(), 'utf8');
    expect(saved).toContain('| **All** | 100 % (21–100) |');
  },
);

test('with many tools, the limits, the requests and the run button stay in view', async ({
  page,
}) => {
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('./#/evals');
    await page.getByRole('button', { name: 'Run Many' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run this evaluation' });
    await expect(dialog.getByRole('list', { name: 'Tools for models' })).toContainText(
      'session_tools:weather',
    );
    await expect(dialog.getByRole('checkbox', { name: /small$/ })).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByLabel('Maximum requests')).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole('status')).toContainText('at least 2 requests');
    await expect(dialog.getByRole('status')).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole('button', { name: 'Run 1 trial' })).toBeInViewport({ ratio: 1 });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  }
});

test(
  'a call becomes an evaluation in the folder by keyboard, which is edited, run, repeated and compared',
  { tag: '@full' },
  async ({ page, trouble }) => {
    session.expectModelRequests(trouble);
    endpoint.habits.otherwise = ({ body }) => {
      const { messages } = body as { messages: { role: string }[] };
      return messages.some(({ role }) => role === 'tool')
        ? { text: 'It is clear.' }
        : { calls: [{ name: 'session_tools__weather', arguments: '{"city": "Oslo"}' }] };
    };
    await session.newSession(page, session.mine, /small/);
    await session.send(page, 'What is the weather in Oslo?');
    await session.idle(page);
    // The folder cannot be written; a copy in the browser can.
    await page.evaluate(() => {
      const state = (handle: FileSystemHandle) =>
        Promise.resolve(handle.name === 'tools' ? ('denied' as const) : ('granted' as const));
      Object.assign(FileSystemHandle.prototype, {
        queryPermission(this: FileSystemHandle) {
          return state(this);
        },
        requestPermission(this: FileSystemHandle) {
          return state(this);
        },
      });
    });
    const began = Date.now();

    await test.step('a folder that cannot be written offers a copy, which is the open folder then', async () => {
      const card = session.cards(page, 'weather').first();
      await page.getByRole('group', { name: 'Transcript' }).focus();
      await tabTo(page, card.getByRole('button', { name: /weather/ }));
      await page.keyboard.press('Enter');
      await tabTo(page, card.getByRole('button', { name: 'Make this an evaluation' }));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Save to a copy of the folder?' });
      await expect(dialog).toContainText('Cloche cannot write to the folder tools.');
      await tabTo(page, dialog.getByRole('button', { name: 'Save to a copy' }));
      await page.keyboard.press('Enter');
      await ready(page, 'tools copy');
    });

    await test.step('the card becomes a form, with the YAML behind it', async () => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'weather: What is the weather in Oslo?',
      );
      await expect(page.getByRole('textbox', { name: 'Prompt', exact: true })).toHaveValue(
        'What is the weather in Oslo?',
      );
      await expect(page.getByRole('combobox', { name: 'Expected tool' })).toHaveValue(
        'session_tools:weather',
      );
      await expect(page.getByRole('checkbox', { name: `${session.mine}/small` })).toBeChecked();
      await expect(page.getByRole('textbox', { name: /^Expected arguments/ })).toHaveValue(
        '{\n  "city": "Oslo"\n}',
      );
    });

    await test.step('it runs, and shows its rate', async () => {
      await tabTo(page, page.getByRole('button', { name: 'Run …' }));
      const start = page.getByRole('button', { name: 'Run 3 trials' });
      await enter(page, () => expect(start).toBeVisible({ timeout: 1_000 }));
      await tabTo(page, start);
      await enter(page, () => expect(start).toHaveCount(0, { timeout: 1_000 }));
      await expect(done(page, 'Done, 3 trials')).toBeVisible();
      await expect(page.getByRole('main')).toContainText('100 % (44–100)');
      await expect(page.locator('.danger')).toHaveCount(0);
      // The journey of a user, without their reading.
      expect(Date.now() - began).toBeLessThan(60_000);
    });

    await test.step('a run is repeated with one press, and compared', async () => {
      const first = page.url();
      await press(page.getByRole('button', { name: 'Run again' }));
      await expect.poll(() => page.url()).not.toBe(first);
      await expect(done(page, 'Done, 3 trials')).toBeVisible();
      await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ index: 1 });
      await expect(
        page.getByRole('region', { name: 'Comparison' }).getByRole('row', { name: /^All/ }),
      ).toHaveText(/100 %.*100 %/);
      await expectNoFaults(page, 'a run beside another one');
    });

    await test.step('the form and the text change each other, and are saved before a run', async () => {
      await page.getByRole('link', { name: 'evals/weather.yaml' }).click();
      const answer = page.getByRole('textbox', { name: 'Text in the answer' });
      await answer.fill('stormy');
      await answer.blur();
      await expect(page.getByText('Unsaved changes')).toBeVisible();
      await page.getByRole('button', { name: 'YAML' }).click();
      const text = page.getByRole('textbox', { name: 'Evaluation' });
      await expect(text).toHaveValue(/answer:\n +includes: stormy/);
      await text.fill((await text.inputValue()).replace('repeats: 3', 'repeats: 2'));
      await expectNoFaults(page, 'the text of an evaluation');
      await page.getByRole('button', { name: 'Form' }).click();
      await expect(page.getByRole('textbox', { name: 'Trials per prompt' })).toHaveValue('2');
      await expectNoFaults(page, 'the form of an evaluation');
      await press(page.getByRole('button', { name: 'Run …' }));
      await expectNoFaults(page, 'the dialog of a run');
      await press(page.getByRole('button', { name: 'Run 2 trials' }));
      await expect(done(page, 'Done, 2 trials')).toBeVisible();
      await expect(page.getByRole('main')).toContainText('0 % (0–66)');
    });

    await test.step('the rate is on the page of the tool', async () => {
      await page.goto('./#/tools/session_tools:weather');
      await expect(page.getByRole('list', { name: 'Evaluations of this tool' })).toContainText(
        '0 % (0–66)',
      );
      await expectNoFaults(page, 'a tool with a rate');
      await page.goto('./#/evals');
      await expect(page.getByRole('list', { name: 'Runs of evaluations' })).toBeVisible();
      await expectNoFaults(page, 'the evaluations and their runs');
    });
  },
);
