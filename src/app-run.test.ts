/** Calls of the open folder's tools: each runs in the folder that is open when its turn comes. */

import { expect, test } from 'vitest';
import { folderDispatch } from './app-run.ts';
import { failure } from './call/results.ts';
import { registered } from './grants/grants.fixture.ts';
import type { ToolCall } from './spec/call.ts';
import type { Dispatch } from './spec/dispatch.ts';

const never = new AbortController().signal;
const tool = registered();
const call: ToolCall = {
  ...{ id: 'c', tool: tool.name, arguments: '{}', caller: 'model', validate: true },
  ...{ sessionId: 's', sessionKey: 's', turnId: '', agentId: '' },
};
const watch = { onStart: () => undefined, onStream: () => undefined };

/** Says by its results which one it is. */
function named(name: string): Dispatch {
  return {
    run: () => Promise.resolve(failure('', name)),
    check: () => Promise.resolve(failure('', name)),
    needsApproval: () => Promise.resolve(name === 'strict'),
  };
}

test('a call is checked and run in the folder that is open then', async () => {
  let open: Dispatch | null = named('first');
  const dispatch = folderDispatch(() => open);
  expect(await dispatch.needsApproval(never, tool, call)).toBe(false);
  expect((await dispatch.check(never, tool, call))?.textResultForLlm).toBe('first');
  open = named('strict');
  expect(await dispatch.needsApproval(never, tool, call)).toBe(true);
  expect((await dispatch.run(never, tool, call, watch)).textResultForLlm).toBe('strict');
});

test('where no folder is open, nothing runs', async () => {
  const dispatch = folderDispatch(() => null);
  const closed = { code: 'no-folder' };
  await expect(dispatch.run(never, tool, call, watch)).rejects.toMatchObject(closed);
  await expect(dispatch.check(never, tool, call)).rejects.toMatchObject(closed);
  await expect(dispatch.needsApproval(never, tool, call)).rejects.toMatchObject(closed);
});
