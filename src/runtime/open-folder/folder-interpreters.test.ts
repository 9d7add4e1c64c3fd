/** Calls and observers of the current interpreters. */

import { expect, test } from 'vitest';
import { failure } from '../call/results.ts';
import { registered } from '../grants/grants.fixture.ts';
import type { ToolCall } from '../spec/call.ts';
import type { InterpreterView } from '../spec/interpreter.ts';
import { fakeInterpreters } from './folder-interpreters.fixture.ts';
import { CurrentInterpreters, type FolderInterpreters } from './folder-interpreters.ts';

const never = new AbortController().signal;
const tool = registered();
const call: ToolCall = {
  id: 'c',
  tool: tool.name,
  arguments: '{}',
  caller: 'model',
  validate: true,
  sessionId: 's',
  sessionKey: 's',
  turnId: '',
  agentId: '',
};
const watch = { onStart: () => undefined, onStream: () => undefined };

function raise(thrown: unknown): void {
  throw thrown;
}

/** Interpreters whose results are their name. */
function named(name: string): FolderInterpreters {
  return fakeInterpreters({
    run: () => Promise.resolve(failure('', name)),
    check: () => Promise.resolve(failure('', name)),
    needsApproval: () => Promise.resolve(name === 'second'),
  });
}

test('a call is checked and run in the interpreters that are current then', async () => {
  const current = new CurrentInterpreters(raise);
  const { dispatch } = current;
  current.set(named('first'));
  expect(await dispatch.needsApproval(never, tool, call)).toBe(false);
  expect((await dispatch.check(never, tool, call))?.textResultForLlm).toBe('first');
  current.set(named('second'));
  expect(await dispatch.needsApproval(never, tool, call)).toBe(true);
  expect((await dispatch.run(never, tool, call, watch)).textResultForLlm).toBe('second');
});

test('nothing runs while no folder is open', async () => {
  const { dispatch } = new CurrentInterpreters(raise);
  const closed = { code: 'no-folder' };
  await expect(dispatch.run(never, tool, call, watch)).rejects.toMatchObject(closed);
  await expect(dispatch.check(never, tool, call)).rejects.toMatchObject(closed);
  await expect(dispatch.needsApproval(never, tool, call)).rejects.toMatchObject(closed);
});

test('interpreters beside those of the folder are listed last', () => {
  const current = new CurrentInterpreters(raise);
  const seen: (readonly InterpreterView[])[] = [];
  current.observe((views) => seen.push(views));
  const other = { name: 'python-9', role: 'program' } as InterpreterView;
  let others = [other];
  current.others = () => others;
  current.refresh();
  others = [];
  current.refresh();
  expect(seen).toEqual([[other], []]);
});

test('observers are notified by the current interpreters, and no longer by the previous ones', () => {
  const current = new CurrentInterpreters(raise);
  const view: InterpreterView = {
    name: 'python-1',
    role: 'session',
    state: 'ready',
    sessionId: 's',
    busyWith: [],
    waiting: 0,
    stateLost: false,
  };
  let emit: (views: readonly InterpreterView[]) => void = () => undefined;
  const seen: number[] = [];
  let views = [view];
  current.observe((views) => seen.push(views.length));
  current.set(
    fakeInterpreters({
      list: () => views,
      observe: (listener) => {
        emit = listener;
        return () => (emit = () => undefined);
      },
    }),
  );
  views = [view, view];
  emit(views);
  const last = emit;
  current.set(null);
  emit([view]);
  expect([seen, last === emit, current.list()]).toEqual([[1, 2, 0], false, []]);
});
