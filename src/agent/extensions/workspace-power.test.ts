/** What the power over checkpoints of the workspace allows, and what stays hidden. */

import { expect, test } from 'vitest';
import type { Json } from '../../runtime/spec/json.ts';
import { FakeDisk, fakeWorkspace } from '../../runtime/workspace/workspace.fixture.ts';
import { ExtensionsWorld } from './extensions.fixture.ts';

/** Asks as running code does. @returns the answer */
async function ask(made: ExtensionsWorld, asked: Json): Promise<unknown> {
  const answer = await made.python.act({ sessionId: 's' } as never, JSON.stringify(asked));
  return answer === undefined ? undefined : JSON.parse(answer);
}

test('lists of checkpoints are limited in number like other costly requests', async () => {
  const made = await new ExtensionsWorld({ registered: [] }).settled();
  made.host.workspace = fakeWorkspace(new FakeDisk({ a: 'a' }));
  for (let n = 0; n < 20; n += 1)
    expect(await ask(made, { action: 'workspace_checkpoints' })).toEqual([]);
  await expect(ask(made, { action: 'workspace_checkpoints' })).rejects.toThrow('More than 20');
});

test('checkpoints are made and restored with a power of their own, and tell nothing of the files', async () => {
  const made = await new ExtensionsWorld({ registered: [] }).settled();
  const disk = new FakeDisk({ 'secret/plan.txt': 'hidden words' });
  await expect(ask(made, { action: 'checkpoint_workspace', name: 'a' })).rejects.toThrow(
    'has no workspace. Choose one',
  );
  made.host.workspace = fakeWorkspace(disk, 'at-once');
  expect(await ask(made, { action: 'checkpoint_workspace', name: 'a' })).toEqual({
    name: 'a',
    created_at: 5,
    files: 1,
    changed: 0,
  });
  expect(made.questions.at(-1)).toMatchObject({ kind: 'powers', wanted: ['workspace'] });
  disk.put('secret/plan.txt', 'other words');
  const listed = await ask(made, { action: 'workspace_checkpoints' });
  expect(listed).toEqual([{ name: 'a', created_at: 5, files: 1, changed: 1 }]);
  const restored = await ask(made, { action: 'restore_workspace', name: 'a' });
  expect(restored).toEqual({ waiting: 1, refused: 0 });
  // Even where changes of tools are written at once, these wait for the user, who sees where they come from.
  expect(disk.texts).toEqual({ 'secret/plan.txt': 'other words' });
  expect(made.host.workspace.pending).toMatchObject([
    { path: 'secret/plan.txt', origin: { tool: 'the extension extension, extension.py' } },
  ]);
  await expect(ask(made, { action: 'restore_workspace', name: 'b' })).rejects.toThrow(
    'There is no checkpoint “b”',
  );
  made.extensions.decide('extension.py', 'workspace', false);
  for (const action of ['checkpoint_workspace', 'workspace_checkpoints', 'restore_workspace'])
    await expect(ask(made, { action, name: 'a' })).rejects.toThrow('has not granted');
});
