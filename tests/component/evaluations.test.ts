/** Evaluations: approvals of calls in trials, a judge whose verdicts are marked, and two runs side by side. */

import { readFile } from 'node:fs/promises';
import { expect, test } from './support/shared-page.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from '../support/model-endpoint/script.ts';
import * as session from '../support/session-page.ts';
import { answer as answerQuestion, question } from '../support/questions.ts';
import type { Page } from '@playwright/test';

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

async function run(page: Page, approvals: 'ask' | 'allow' | 'refuse'): Promise<void> {
  await page.goto('./#/evals');
  await page.getByRole('button', { name: 'Run Tidy' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run this evaluation' });
  await dialog.getByLabel('Tools that require approval').selectOption(approvals);
  await dialog.getByRole('button', { name: 'Run 1 trial' }).click();
}

test('calls that need approval are refused, allowed or asked about; a judge is marked; runs are compared', async ({
  page,
  trouble,
}) => {
  session.expectModelRequests(trouble);
  await run(page, 'refuse');
  await expect(page.getByText(/^Done, 1 trial/)).toBeVisible();
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
  await expect(page.getByText(/^Done, 1 trial/)).toBeVisible();
  await page.getByText('Removes', { exact: true }).first().click();
  await expect(
    page.getByText('Judged by a model: Judged as not true: “The answer is polite.” Rude.'),
  ).toBeVisible();

  // The model is polite now.
  endpoint.habits.otherwise = (request) =>
    request.text.includes('You judge') ? { text: '{"holds": true, "reason": ""}' } : model(request);
  await run(page, 'allow');
  await expect(page.getByText(/^Done, 1 trial/)).toBeVisible();
  await expect(question(page)).toHaveCount(0);
  const compare = page.getByRole('combobox', { name: 'Compare with' });
  await compare.selectOption({ index: 1 });
  const table = page.getByRole('region', { name: 'Comparison' });
  await expect(table.getByRole('row', { name: /^Removes/ })).toHaveText(
    /100 % \(21–100\)\s*0 % \(0–79\)/,
  );
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as Markdown' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^Tidy-\d{4}-\d\d-\d\d\.md$/);
  const saved = await readFile(await download.path(), 'utf8');
  expect(saved).toContain('| **All** | 100 % (21–100) |');
});
