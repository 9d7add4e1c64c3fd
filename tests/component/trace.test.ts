/** A session as a timeline: what was sent and received, without keys, and its export. */

import { readFile } from 'node:fs/promises';
import { violations } from '../support/axe.ts';
import { expect, test } from './support/shared-page.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import * as session from '../support/session-page.ts';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  await session.openWithModels(shared, endpoint, session.testKey);
});
test.afterAll(() => endpoint.close());

test('each request opens to what was sent and received, without the key, and the trace is exported', async ({
  page,
  trouble,
}) => {
  session.expectModelRequests(trouble);
  endpoint.reset();
  await session.newSession(page, session.mine, /large/);
  endpoint.answer(
    { calls: [{ name: 'session_tools__weather', arguments: '{"city": "Oslo"}' }] },
    { text: 'Clear, with a marker of this test.' },
  );
  await session.send(page, 'How is the weather?');
  await expect(page.getByText('with a marker of this test')).toBeVisible();
  await session.idle(page);

  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Trace' }).click();
  const turn = page.getByRole('region', { name: 'Turn 1' });
  await expect(turn.locator('ol > li')).toHaveCount(4);
  const call = turn.getByRole('button', { name: /^session_tools:weather/ });
  await call.click();
  await expect(turn.getByRole('heading', { name: 'Result' })).toBeVisible();
  await call.click();
  const step = turn.getByRole('button', { name: /^large/ }).last();
  await expect(step).toContainText('first token after');
  await step.click();
  const details = turn.locator('ol > li').last();
  await expect(details).toContainText('POST http://127.0.0.1');
  await expect(details).toContainText('chat/completions');
  await expect(details).toContainText('authorization: Bearer [secret]');
  await expect(details).toContainText('status 200');
  await expect(details).toContainText('marker');
  await expect(details).not.toContainText(session.testKey);
  // Control: the provider did receive the key.
  expect(JSON.stringify(endpoint.requests)).toContain(session.testKey);
  expect(await violations(page)).toEqual([]);

  // The end of another step does not load and draw the request again.
  await details
    .getByText('status 200')
    .first()
    .evaluate((drawn) => drawn.toggleAttribute('data-drawn'));
  endpoint.answer({ text: 'Rain.' });
  await session.send(page, 'And tomorrow?');
  await expect(page.getByRole('region', { name: 'Turn 2' })).toBeVisible();
  await session.idle(page);
  await expect(details.locator('[data-drawn]')).toHaveCount(1);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as OpenTelemetry' }).click();
  const saved = await readFile(await (await saving).path(), 'utf8');
  expect(saved).toContain('gen_ai.tool.call.result');
  expect(saved).not.toContain(session.testKey);
  const { resourceSpans } = JSON.parse(saved) as { resourceSpans: unknown[] };
  expect(resourceSpans).toHaveLength(1);

  await details.getByRole('link', { name: 'Show in the transcript' }).click();
  await expect(page.getByRole('group', { name: 'Transcript' })).toBeVisible();
  // After a reload, the timeline is there, and says that the requests are not.
  await page.reload();
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Trace' }).click();
  await turn
    .getByRole('button', { name: /^large/ })
    .last()
    .click();
  await expect(turn).toContainText('only those of the latest steps');
});
