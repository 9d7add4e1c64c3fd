/** The wire to an interpreter's copy of the workspace: answer, throw, death, deadline, abort. */

import type { Remote } from 'comlink';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Broker, OrLost } from '../protocol/frame.ts';
import type { WorkspaceReport, WorkspaceRequest } from '../protocol/workspace.ts';
import { FakeDisk, fakeWorkspace } from '../workspace/workspace.fixture.ts';
import { InterpreterWorkspace } from './interpreter-workspace.ts';

type Answer = (request: WorkspaceRequest) => Promise<OrLost<WorkspaceReport>>;

const nothing: WorkspaceReport = {
  files: [],
  removed: [],
  folders: [],
  foldersGone: [],
  left: [],
  more: false,
};

const answered: Answer = () => Promise.resolve({ ok: true, value: nothing });
const silent: Answer = () => new Promise(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function opened(answer: Answer, files: Record<string, string> = { a: 'a' }) {
  const life = new AbortController();
  const stop = new AbortController();
  const requests: WorkspaceRequest[] = [];
  const broker = {
    workspace: (_id: number, request: WorkspaceRequest) => {
      requests.push(request);
      return answer(request);
    },
  } as unknown as Remote<Broker>;
  const workspace = fakeWorkspace(new FakeDisk(files));
  const wire = new InterpreterWorkspace(broker, life.signal, () => Promise.resolve(workspace));
  const enter = () =>
    wire.enter(
      () => stop.signal,
      () => true,
    );
  return { life, stop, requests, enter };
}

async function trouble(entering: ReturnType<ReturnType<typeof opened>['enter']>) {
  const access = await entering;
  const ended = await access?.end(new AbortController().signal, { tool: 't', callId: 'c' });
  return [access?.context ?? null, ended?.trouble];
}

it('answer: the call has its workspace', async () => {
  const { enter, requests } = opened(answered);
  const access = await enter();
  expect(access?.context).toEqual({ path: '/workspace/space', name: 'space', writing: 'review' });
  expect(requests.map(({ written }) => written.map(({ path }) => path))).toEqual([['a']]);
});

it('throw: the call has no workspace and reports why', async () => {
  const { enter } = opened(() => Promise.reject(new Error('broken')));
  expect(await trouble(enter())).toEqual([
    null,
    'The call had no workspace: it could not be copied: broken',
  ]);
});

it('death: pending requests fail', async () => {
  const { enter, life } = opened(silent);
  const entering = enter();
  await vi.advanceTimersByTimeAsync(10);
  life.abort(new Error('the worker died'));
  expect((await trouble(entering))[1]).toContain('the worker died');
});

it('deadline: the call runs without a workspace', async () => {
  const { enter } = opened(silent);
  const entering = enter();
  await vi.advanceTimersByTimeAsync(61_000);
  expect((await trouble(entering))[0]).toBe(null);
});

it('abort: nothing is waited for', async () => {
  const { enter, stop } = opened(silent);
  const entering = enter();
  await vi.advanceTimersByTimeAsync(10);
  stop.abort();
  expect((await trouble(entering))[1]).toContain('was cancelled');
});

it('sends many files in batches, and asks for a report only with the last', async () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`f${n}`, 'x']));
  const { enter, requests } = opened(answered, files);
  const access = await enter();
  await access?.end(new AbortController().signal, { tool: 't', callId: 'c' });
  expect(requests.map(({ written, tell }) => [written.length, tell])).toEqual([
    [250, 'nothing'],
    [250, 'nothing'],
    [100, 'nothing'],
    [0, 'contents'],
  ]);
});

it('calls enter one after the other', async () => {
  let end: (value: OrLost<WorkspaceReport>) => void = () => undefined;
  const { enter, requests } = opened(
    () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  );
  const first = enter();
  const second = enter();
  await vi.advanceTimersByTimeAsync(10);
  expect(requests).toHaveLength(1);
  end({ ok: true, value: nothing });
  await Promise.all([first, second]);
  expect(requests).toHaveLength(1);
});
