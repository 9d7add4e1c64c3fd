/** Answers about a copy, from a tool worker that may say anything. */

import { expect, test } from 'vitest';
import { toWorkspaceReport, workspaceRoom } from './workspace-answer.ts';

const nothing = { files: [], removed: [], folders: [], foldersGone: [], left: [], more: false };

test('contents become bytes', () => {
  const said = { ...nothing, files: [{ path: 'a', modifiedAt: 5, data: btoa('text') }] };
  expect(toWorkspaceReport(JSON.stringify(said))).toEqual({
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
])('what is not in our form is none (%#)', (payload) => {
  expect(toWorkspaceReport(payload)).toBe(null);
});

test('an answer may be as long as what was asked for', () => {
  const rooms = (['nothing', 'paths', 'contents'] as const).map((tell) =>
    workspaceRoom({
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
  expect(rooms).toEqual([100_000, 22_000_000, 99_851_478]);
});
