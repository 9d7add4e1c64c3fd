/** One message to two models side by side, each in a session of its own; and stored sessions compared. */

import { violations } from '../support/axe.ts';
import { expect, test } from './support/shared-page.ts';
import { answer as answerQuestion, question } from '../support/questions.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from '../support/model-endpoint/script.ts';
import * as session from '../support/session-page.ts';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  endpoint.habits.models = [{ id: 'large' }, { id: 'small' }];
  await session.openWithModels(shared, endpoint);
});
test.afterAll(() => endpoint.close());

const usage = { input: 100, cached: 0, output: 10, reasoning: 0 };

/** Both ask for the weather, in different cities; one of them also wants to remove a file, for which it must ask. */
function model({ body }: ReceivedRequest): Scripted {
  const { model: id, messages } = body as { model: string; messages: { role: string }[] };
  const results = messages.filter(({ role }) => role === 'tool').length;
  const weather = (city: string) => ({
    name: 'session_tools__weather',
    arguments: JSON.stringify({ city }),
  });
  const remove = { name: 'session_tools__remove', arguments: '{"path": "/tmp/a"}' };
  if (results > 0) return { text: `The answer of the ${id} model.`, usage };
  return { calls: id === 'large' ? [weather('Oslo'), remove] : [weather('Rome')], usage };
}

test('one message goes to two models with the same tools, and their calls and answers are compared', async ({
  page,
  trouble,
}) => {
  session.expectModelRequests(trouble);
  endpoint.requests.length = 0;
  endpoint.habits.otherwise = model;
  await page.goto('./#/sessions/new/new');
  await expect(page.getByRole('heading', { name: 'Compare models' })).toBeVisible();
  const columns = page.getByRole('table', { name: 'Sessions' }).getByRole('columnheader');
  // A comparison begins with different models.
  for (const [column, id] of ['large', 'small'].entries())
    await expect(columns.nth(column).getByRole('button', { name: /^Model:/ })).toHaveText(id);
  for (const [column, id] of [
    [0, 'large'],
    [1, 'small'],
  ] as const) {
    await columns
      .nth(column)
      .getByRole('button', { name: /^Model:/ })
      .click();
    await expect(columns.nth(column).getByRole('region').getByRole('button')).not.toHaveCount(0);
    // The arrow keys lead from the search through the models.
    await columns.nth(column).getByRole('searchbox', { name: 'Search models' }).focus();
    for (let n = 0; n <= column; n += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(columns.nth(column).getByRole('button', { name: `Model: ${id}` })).toBeVisible();
  }
  // Tools are chosen once, for both.
  await page.getByRole('button', { name: /^Local tools:/ }).click();
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('Counts its calls');
  const step = page.getByRole('checkbox', { name: /^session_tools:step/ });
  await expect(step).toBeChecked();
  // First the checkbox of the file, then that of the tool.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(step).not.toBeChecked();
  await page.keyboard.press('Escape');
  const field = page.getByRole('textbox', { name: 'Message to 2 models' });
  await field.fill('How is the weather?');
  await field.press('Enter');

  // Each session asks for its own calls.
  await expect(question(page)).toContainText('session_tools:remove');
  await expect(question(page)).toContainText('Called in session 1.');
  await expect(question(page).getByRole('link', { name: 'Open the session' })).toBeVisible();
  await expect(async () => {
    await answerQuestion(page, /^Allow once$/);
    await expect(question(page)).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  const turn = page.getByRole('region', { name: 'Turn 1' });
  await expect(turn).toContainText('The answer of the large model.');
  await expect(turn).toContainText('The answer of the small model.');
  await expect(page).toHaveURL(/#\/sessions\/[\w-]{20,}\/[\w-]{20,}$/);
  // One model may send its second request before the other sends its first.
  const first = ['large', 'small'].map((id) =>
    session.asked(endpoint).find(({ body }) => (body as { model: string }).model === id),
  );
  const [offered, alsoOffered] = first.map((asked) => asked && session.offeredTools(asked));
  expect(offered).toContain('session_tools__weather');
  expect(offered).not.toContain('session_tools__step');
  expect(alsoOffered).toEqual(offered);

  const figures = page.getByRole('table', { name: 'Sessions' });
  await expect(figures.getByRole('row', { name: /^Requests/ })).toHaveText(/Requests\s*2\s*2/);
  await expect(figures.getByRole('row', { name: /^Calls/ })).toHaveText(/Calls\s*2\s*1/);
  await expect(figures.getByRole('row', { name: /^Tokens/ })).toContainText('200 in, 20 out');
  const head = await figures.getByRole('columnheader', { name: /^Session 2/ }).boundingBox();
  const answer = await turn
    .getByRole('row', { name: /^Answer/ })
    .locator('td')
    .last()
    .boundingBox();
  expect(answer?.x).toBeCloseTo(head?.x ?? -1, 0);
  await turn.getByRole('button', { name: 'Differ in arguments' }).click();
  const differences = turn.getByRole('group', { name: 'Arguments: differences' });
  await expect(differences).toContainText('city');
  await expect(differences).toContainText('1: large: "Oslo"');
  await expect(differences).toContainText('2: small: "Rome"');
  await expect(turn.getByRole('button', { name: 'Only in 1 session' })).toBeVisible();
  await expect(turn.getByText('Not called')).toHaveCount(1);
  expect(await violations(page)).toEqual([]);

  // A further message goes to both; then the same comparison is there after a reload.
  const more = page.getByRole('textbox', { name: 'Message to all sessions' });
  await more.fill('And now?');
  await more.press('Enter');
  const second = page.getByRole('region', { name: 'Turn 2' });
  await expect(second).toContainText('The answer of the small model.');
  await page.reload();
  await expect(second).toContainText('And now?');
  await expect(second).toContainText('The answer of the large model.');

  // A stored session is compared with one that is chosen from the list.
  const [, large = ''] = /sessions\/([\w-]+)\//.exec(page.url()) ?? [];
  await page.goto(`./#/sessions/${large}`);
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('button', { name: 'Compare with another session' }).click();
  const choices = page.getByRole('group', { name: 'Sessions to compare with' });
  await expect(choices.getByRole('button').first()).toContainText('just now');
  // On a phone, the column is out of view.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(choices.getByRole('button').first()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('searchbox', { name: 'Search sessions by title' }).press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Turn 1' })).toContainText(
    'The answer of the small model.',
  );
});
