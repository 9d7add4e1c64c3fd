import { expect, test } from 'vitest';
import { toWorkspaceReport, workspaceChars } from './answers.ts';

const nothing = { files: [], removed: [], folders: [], foldersGone: [], left: [], more: false };

test('contents are decoded', () => {
  const report = { ...nothing, files: [{ path: 'a', modifiedAt: 5, data: btoa('text') }] };
  expect(toWorkspaceReport(JSON.stringify(report))).toEqual({
    value: {
      ...nothing,
      files: [{ path: 'a', modifiedAt: 5, bytes: new TextEncoder().encode('text') }],
    },
  });
});

test.each([
  'no JSON',
  '[]',
  '{}',
  JSON.stringify({ ...nothing, more: 1 }),
  JSON.stringify({ ...nothing, extra: 1 }),
  JSON.stringify({ ...nothing, files: [{ path: 'a', modifiedAt: 5, data: '*' }] }),
  JSON.stringify({ ...nothing, files: [{ path: 'a', modifiedAt: null, data: '' }] }),
  JSON.stringify({ ...nothing, files: [{ path: 'x'.repeat(1_001), modifiedAt: 5, data: '' }] }),
  JSON.stringify({ ...nothing, left: [{ path: 'a', why: 'because' }] }),
  JSON.stringify({ ...nothing, removed: Array.from({ length: 20_001 }, () => 'a') }),
])('an invalid report is rejected (%#)', (payload) => {
  expect(toWorkspaceReport(payload)).toBe(null);
});

test('the limit of an answer depends on what was requested', () => {
  const limits = (['nothing', 'paths', 'contents'] as const).map((tell) =>
    workspaceChars({
      copy: '',
      root: '',
      written: [],
      removed: [],
      folders: [],
      foldersGone: [],
      tell,
      fileBytes: 50_000_000,
    }),
  );
  expect(limits).toEqual([100_000, 22_000_000, 99_851_478]);
});
