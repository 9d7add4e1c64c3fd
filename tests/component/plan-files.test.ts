/** Plans as files, and the page of a run: the names of reports, the time of a resumed task, a folder that waits. */

import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { press, runPlan } from '../support/press-until.ts';
import * as session from '../support/session-page.ts';
import { openFolder, ready } from './support/app.ts';
import { expect, test } from './support/test.ts';

let endpoint: ModelEndpoint;

test.beforeAll(async () => {
  endpoint = await startModelEndpoint();
  endpoint.habits.models = [{ id: 'small', context: 200_000 }];
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  session.expectModelRequests(trouble);
  endpoint.reset();
});

const finish = { name: 'finish', arguments: '{"result": 1}' };
const hour = 3_600_000;

/** Runs a plan of one task, and of more tasks if their text is given. */
async function begin(page: Page, goal: string, more = ''): Promise<void> {
  await page.goto('./#/plans/new');
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page
    .getByRole('textbox', { name: 'Plan', exact: true })
    .fill(`goal: ${goal}\ntasks:\n  - id: a\n    instructions: Do it\n${more}`);
  await runPlan(page);
}

const done = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: /Done/ });

async function save(page: Page, item: string): Promise<Download> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save …' }).click();
  await page.getByRole('button', { name: item, exact: true }).click();
  return saving;
}

async function addModel(page: Page): Promise<void> {
  await page.goto('./');
  await session.addProvider(page, {
    kind: 'openai-compatible',
    name: session.mine,
    url: `${endpoint.url}/v1`,
    key: '',
  });
}

test('the problems of a plan are in view while it is written, and lead to their lines', async ({
  page,
}) => {
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('./#/plans/new');
    const field = page.getByRole('textbox', { name: 'Plan', exact: true });
    await field.fill('goal: x\ntasks:\n  - id: a\n    instrutions: x\n');
    await field.evaluate((shown) => shown.scrollIntoView({ block: 'end' }));
    const line = page.getByRole('button', { name: 'Line 4', exact: true });
    await expect(line).toBeInViewport({ ratio: 1 });
    await line.click();
    const selected = await field.evaluate((text: HTMLTextAreaElement) =>
      text.value.slice(text.selectionStart, text.selectionEnd),
    );
    expect(selected).toBe('    instrutions: x');
    await expect(line).toBeInViewport({ ratio: 1 });
  }
});

test('a plan is saved as YAML, and Open file offers and opens what was saved', async ({ page }) => {
  await page.goto('./#/plans/new');
  await page.getByRole('button', { name: 'Insert an example' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as file' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('plan.yaml');
  const buffer = await readFile(await saved.path());
  expect(buffer.toString()).toContain('tasks:');
  await page.reload();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file …' }).click();
  const opened = await chooser;
  expect((await opened.element().getAttribute('accept'))?.split(',')).toContain('.yaml');
  await opened.setFiles({ name: saved.suggestedFilename(), mimeType: '', buffer });
  const again = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as file' }).click();
  expect(await readFile(await (await again).path())).toEqual(buffer);
});

test('reports are named after their plans, and a resumed task does not count its stop', async ({
  page,
}) => {
  await addModel(page);
  await page.goto('./#/plans/new');
  // A new plan says which model it uses, with its action in view.
  await expect(page.getByRole('main')).toContainText('Model: Mine/small');
  await expect(page.getByRole('button', { name: 'Run plan' })).toBeInViewport({ ratio: 1 });
  endpoint.answer('hang');
  await begin(page, 'Count the bridges');
  await expect.poll(() => session.asked(endpoint).length).toBe(1);
  await press(page.getByRole('button', { name: 'Stop', exact: true }));
  const resume = page.getByRole('button', { name: 'Resume' });
  await expect(resume).toBeVisible();
  // The run lies for an hour.
  await page.evaluate((ms) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ms;
  }, hour);
  endpoint.answer({ calls: [finish] });
  await press(resume);
  await expect(done(page)).toBeVisible();
  const main = page.getByRole('main');
  // The model is named, and the result is shown.
  const task = page.getByRole('listitem', { name: 'a', exact: true });
  await expect(task).toContainText('small.');
  await expect(task.getByRole('group', { name: 'Result of a' })).toHaveText('1');
  await expect(main).toContainText(/\d (ms|s)\b/);
  await expect(main).not.toContainText(/\d (h|min)\b/);
  const record = await save(page, 'Record as JSON');
  const text = await readFile(await record.path(), 'utf8');
  const times = Array.from(text.matchAll(/"at": ?(\d+)/g), ([, at]) => Number(at));
  // Control: an hour did pass.
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(hour);
  const report = await save(page, 'Report as Markdown');
  expect(report.suggestedFilename()).toMatch(/^Count-the-bridges-\d{4}-\d\d-\d\d\.md$/);
  const worked = /Worked for: ([\d.]+) s/.exec(await readFile(await report.path(), 'utf8'));
  expect(Number(worked?.[1])).toBeLessThan(hour / 1_000);

  endpoint.answer({ calls: [finish] });
  await begin(page, 'Count the ferries');
  await expect(done(page)).toBeVisible();
  const other = await save(page, 'Report as Markdown');
  expect(other.suggestedFilename()).toMatch(/^Count-the-ferries-/);
});

test(
  'the page of a run offers to reopen the folder after a reload',
  { tag: '@full' },
  async ({ page, folder }) => {
    await page.addInitScript(() => {
      const state = { granted: false };
      Object.assign(FileSystemHandle.prototype, {
        queryPermission: () => Promise.resolve(state.granted ? 'granted' : 'prompt'),
        requestPermission: () => {
          state.granted = navigator.userActivation.isActive;
          return Promise.resolve(state.granted ? 'granted' : 'denied');
        },
      });
    });
    await addModel(page);
    const { path } = await folder(
      { 'session_tools.py': await readFile(session.sessionTools) },
      'bridges',
    );
    await openFolder(page, path);
    endpoint.answer('hang');
    await begin(page, 'Count the bridges');
    await expect.poll(() => session.asked(endpoint).length).toBe(1);
    await press(page.getByRole('button', { name: 'Stop', exact: true }));
    const resume = page.getByRole('button', { name: 'Resume' });
    await expect(resume).toBeVisible();
    await page.reload();
    await page.getByRole('main').getByRole('button', { name: 'Reopen bridges' }).click();
    await ready(page, 'bridges');
    endpoint.answer({ calls: [finish] });
    await press(resume);
    await expect(done(page)).toBeVisible();
  },
);

test('a check that ends with a full stop is shown with only one', async ({ page }) => {
  await addModel(page);
  endpoint.answer('hang');
  await begin(page, 'G', '    check: { judge: It is one. }\n');
  await expect(page.getByText('Check: a model judges “It is one.”', { exact: true })).toBeVisible();
});

test('a task says whether other tasks run again with it', async ({ page }) => {
  await addModel(page);
  endpoint.habits.otherwise = () => ({ calls: [finish] });
  await begin(page, 'Count twice', '  - { id: b, instructions: Again, depends_on: [a] }\n');
  await expect(done(page)).toBeVisible();
  endpoint.habits.otherwise = null;
  const again = (task: string) =>
    page.getByRole('listitem', { name: task, exact: true }).getByRole('button', { name: /^Run/ });
  await expect(again('a')).toHaveText('Run again, with the tasks after it');
  await expect(again('b')).toHaveText('Run again');
});

test('a model that one task names and another uses without naming it is listed twice', async ({
  page,
}) => {
  await addModel(page);
  await page.goto('./#/plans/new');
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page
    .getByRole('textbox', { name: 'Plan', exact: true })
    .fill(
      'goal: G\ntasks:\n  - { id: a, instructions: Do it, model: Mine/small }\n  - { id: b, instructions: Do it }\n',
    );
  await expect(page.getByRole('main')).toContainText(
    /Models:\s+Mine\/small,\s+Mine\/small \(the model that you used last\)/,
  );
});
