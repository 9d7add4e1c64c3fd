/** The calls of a program, as a tree below its card. */

import * as session from '../support/session-page.ts';
import { beginInNewSessions } from './support/new-sessions.ts';
import { expect, test } from './support/shared-page.ts';

const endpoint = beginInNewSessions();

/** The test page's programs are lists of calls. */
function program(...calls: readonly (readonly [tool: string, args: unknown])[]) {
  const named = calls.map(([tool, args]) => [`session_tools:${tool}`, args]);
  return { name: 'run_python', arguments: JSON.stringify({ code: JSON.stringify(named) }) };
}

test('more calls than fit are shown on request, and Stop ends those that run', async ({ page }) => {
  const calls = Array.from({ length: 24 }, () => ['patient', { seconds: 600 }] as const);
  endpoint().answer({ calls: [program(...calls)] });
  await session.send(page, 'Wait.');
  const tree = page.getByRole('region', { name: 'Calls of this program' });
  await expect(tree).toContainText('24 calls, 24 running');
  await expect(tree.getByRole('listitem')).toHaveCount(10);
  await tree.getByRole('button', { name: 'Show more' }).click();
  await expect(tree.getByRole('listitem')).toHaveCount(20);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await session.idle(page);
  await expect(tree.getByRole('button', { name: /Cancel/ })).toHaveCount(0);
  await expect(tree).toContainText('24 calls, 24 failed');
});
