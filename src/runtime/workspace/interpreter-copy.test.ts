import { expect, test } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import type { WorkspaceReport } from '../protocol/workspace.ts';
import { InterpreterCopy } from './interpreter-copy.ts';

const { signal } = new AbortController();

/** A copy whose interpreter reports this many bytes each time, and that there is more. */
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

test('the changes of a call are collected only up to the size limit of a workspace', async () => {
  const { copy, answers } = endless(30);
  await expect(copy.collect(signal)).rejects.toMatchObject(refused);
  expect(answers()).toBe(4);
});

test('collecting ends even if a tool keeps on writing', async () => {
  const { copy, answers } = endless(0);
  await expect(copy.collect(signal)).rejects.toMatchObject(refused);
  expect(answers()).toBe(1_001);
});
