import { expect, test } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import type { WorkspaceReport } from '../protocol/workspace.ts';
import { InterpreterCopy } from './interpreter-copy.ts';

const { signal } = new AbortController();

/** A copy whose interpreter answers with so many bytes each time, and says that there is more. */
function endless(bytesEach: number) {
  let answers = 0;
  const copy = new InterpreterCopy(
    { key: 'key', root: '/workspace' },
    (): Promise<WorkspaceReport> => {
      answers += 1;
      const files = [{ path: `file-${answers}`, modifiedAt: 5, bytes: new Uint8Array(bytesEach) }];
      return Promise.resolve({
        files,
        removed: [],
        folders: [],
        foldersGone: [],
        left: [],
        more: true,
      });
    },
    { ...defaultLimits, workspaceBytes: 100 },
  );
  return { copy, answers: () => answers };
}

const refused = { code: 'limit', message: 'The call wrote more than the limit of a workspace.' };

test('what a call wrote is collected no further than a workspace may hold', async () => {
  const { copy, answers } = endless(30);
  await expect(copy.collect(signal)).rejects.toMatchObject(refused);
  expect(answers()).toBe(4);
});

test('a tool that goes on writing while it is asked is not asked for ever', async () => {
  const { copy, answers } = endless(0);
  await expect(copy.collect(signal)).rejects.toMatchObject(refused);
  expect(answers()).toBe(1_001);
});
