/** docs/decisions/attacks.md row 34: names in a workspace that mean another program's files, and files that run by themselves. */

import { callInPage } from '../support/app.ts';
import { expect, test } from '../support/test.ts';
import { filesOf, foreignNames, plainNames, runningNames } from '../support/workspace-names.ts';
import { pressUntil } from '../support/press-until.ts';
import { keptFiles, onDisk, openWithWorkspace } from '../support/workspace.ts';

const row34 =
  'row 34: no name that stands for .git is written, and files that run by themselves are marked';

test(row34, async ({ page, folder }) => {
  await openWithWorkspace(page, folder);
  await onDisk(page, { '.git/config': 'mine', 'other/.git': 'gitdir: mine' });
  await page.getByRole('button', { name: 'Immediately', exact: true }).click();
  const edit = async (files: Record<string, string>): Promise<Record<string, string>> => {
    const { result } = await callInPage(page, 'workspace:edit', { files });
    return Object.fromEntries(
      result.workspace?.entries.map(({ path, state }) => [path, state]) ?? [],
    );
  };
  const all = (names: readonly string[], state: string) =>
    Object.fromEntries(names.map((name) => [name, state]));
  expect(await edit(filesOf([...foreignNames, 'other/.git']))).toEqual(
    all([...foreignNames, 'other/.git'], 'refused'),
  );
  const { result } = await callInPage(page, 'workspace:link', {
    links: { '.Git': '/tmp', 'sub/hooks': '../.git' },
  });
  expect(result.workspace?.entries.map(({ state }) => state)).toEqual(['refused', 'refused']);
  const mine = { '.git/config': 'mine', 'other/.git': 'gitdir: mine' };
  expect(await keptFiles(page)).toEqual(mine);

  // The control: similar names are written.
  expect(await edit(filesOf([...plainNames, ...runningNames]))).toEqual({
    ...all(plainNames, 'written'),
    ...all(runningNames, 'waiting'),
  });
  expect(await keptFiles(page)).toEqual({ ...mine, ...filesOf(plainNames) });

  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText(`${runningNames.length} of these files run by themselves`);
  await expect(changes.getByRole('listitem').filter({ hasText: '.envrc' })).toContainText(
    'Runs by itself: direnv runs it when you enter the folder.',
  );
  await expect(changes.getByText('Runs by itself')).toHaveCount(runningNames.length);
  await pressUntil(
    page.getByRole('button', { name: 'Write all' }),
    page.getByText('No changes to review'),
  );
  expect(await keptFiles(page)).toEqual({
    ...mine,
    ...filesOf([...plainNames, ...runningNames]),
  });
});
