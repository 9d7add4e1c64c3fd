/** The calls of a program, as a tree below its card: while they run, when they have ended, and stopped one by one. */

import { violations } from '../support/axe.ts';
import { answer, question } from '../support/questions.ts';
import * as session from '../support/session-page.ts';
import { beginInNewSessions } from './support/new-sessions.ts';
import { expect, test } from './support/shared-page.ts';

const endpoint = beginInNewSessions();

/** The test page's programs are lists of calls. */
function program(...calls: readonly (readonly [tool: string, args: unknown])[]) {
  const named = calls.map(([tool, args]) => [`session_tools:${tool}`, args]);
  return { name: 'run_python', arguments: JSON.stringify({ code: JSON.stringify(named) }) };
}

test('calls of a program are shown while they run, each with arguments, output, result and Cancel', async ({
  page,
}) => {
  endpoint().answer(
    {
      calls: [
        program(
          ['weather', { city: 'Oslo' }],
          ['fail', { why: 'of the rain' }],
          ['endless', {}],
          ['patient', { seconds: 600 }],
          ['remove', { path: '/tmp/notes' }],
        ),
      ],
    },
    { text: 'The program is over.' },
  );
  await session.send(page, 'Run a program.');
  const card = session.cards(page, 'run_python');
  const tree = card.getByRole('region', { name: 'Calls of this program' });
  // A call that waits names the call that it waits for.
  const item = (name: string) =>
    tree.getByRole('listitem').filter({ has: page.locator('.name', { hasText: name }) });
  const head = (name: string) => item(name).getByRole('button', { name }).first();

  await test.step('calls that wait, run, and have ended are told apart', async () => {
    await expect(tree.getByRole('button', { name: '5 calls, 3 running, 1 failed' })).toBeVisible();
    await expect(item('weather')).toContainText('"city":"Oslo"');
    await expect(item('weather')).toContainText('"sky": "clear"');
    await expect(item('fail')).toContainText('It failed since of the rain');
    await expect(item('fail')).toContainText('Failed');
    await expect(item('endless')).toContainText('counted');
    await expect(item('remove')).toContainText('Waiting for your answer');
    await answer(page, /^Allow once$/);
    await expect(item('remove')).toContainText('removed /tmp/notes');
    await expect(question(page)).toHaveCount(0);
    await expect(tree).toContainText('5 calls, 2 running, 1 failed');
  });

  await test.step('a call unfolds its arguments, and its output or result', async () => {
    const argumentsOf = (name: string) =>
      item(name).getByRole('group', { name: 'Arguments', exact: true });
    await head('weather').click();
    await expect(argumentsOf('weather')).toContainText('"city":"Oslo"');
    await expect(item('weather').getByRole('heading', { name: 'Result' })).toBeVisible();
    await expect(item('weather').locator('.details')).toContainText('"sky": "clear"');
    await expect(
      item('weather').getByRole('link', { name: 'Open in the call log' }),
    ).toHaveAttribute('href', /#\/calls\//);
    await head('fail').click();
    await expect(item('fail')).toContainText('RuntimeError: It failed since of the rain');
    await head('endless').click();
    await expect(item('endless')).toContainText(/\d+ updates/);
    expect(await violations(page)).toEqual([]);
  });

  await test.step('one call is cancelled, and the others go on', async () => {
    await item('endless').getByRole('button', { name: 'Cancel this call' }).click();
    await expect(head('endless')).toBeFocused();
    await expect(item('endless')).toContainText('Cancelled');
    await expect(tree).toContainText('5 calls, 1 running, 2 failed');
    await expect(item('patient')).toContainText('Running');
  });

  await test.step('the program ends with its last call, and the tree folds', async () => {
    await item('patient').getByRole('button', { name: 'Cancel this call' }).click();
    await expect(page.getByText('The program is over.')).toBeVisible();
    await session.idle(page);
    await expect(tree.getByRole('button', { name: /Cancel/ })).toHaveCount(0);
    const fold = tree.getByRole('button', { name: /^5 calls/ });
    await expect(fold).toHaveText(/^5 calls, 3 failed/);
    await fold.click();
    await expect(tree.getByRole('listitem')).toHaveCount(0);
    await fold.click();
    await expect(tree.getByRole('listitem')).toHaveCount(5);
  });
});

test('more calls than fit are shown on request, and Stop ends those that run', async ({ page }) => {
  const calls = Array.from({ length: 24 }, () => ['patient', { seconds: 600 }] as const);
  endpoint().answer({ calls: [program(...calls)] });
  await session.send(page, 'Wait.');
  const tree = page.getByRole('region', { name: 'Calls of this program' });
  await expect(tree).toContainText('24 calls, 24 running');
  // The last item of the list is the one that shows more.
  await expect(tree.getByRole('listitem')).toHaveCount(11);
  await tree.getByRole('button', { name: 'Show more' }).click();
  await expect(tree.getByRole('listitem')).toHaveCount(21);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await session.idle(page);
  await expect(tree.getByRole('button', { name: /Cancel/ })).toHaveCount(0);
  await expect(tree).toContainText('24 calls, 24 failed');
});
