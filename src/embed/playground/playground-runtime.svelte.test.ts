/** How a playground loads its files, runs its tools on a runtime, and stops Python when others use theirs. */

import { beforeEach, expect, test, vi } from 'vitest';
import { fakeSuccess } from '../../runtime/call/logged-call.fixture.ts';
import { createRuntime } from '../../runtime/create-runtime.ts';
import type { Runtime, RuntimeCall } from '../../runtime/runtime-types.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { Run } from '../../app/ui/tools/runs/runs.svelte.ts';
import { maxOthers, PageTurns, PlaygroundTools } from './playground-runtime.svelte.ts';

vi.mock('../../runtime/create-runtime.ts', () => ({ createRuntime: vi.fn() }));

const base = new URL('https://cloche.example/');
const files = { 'a.py': 'x = 1' };
const changed = { 'a.py': 'x = 2' };

function fakeRuntime(): Runtime & { update: ReturnType<typeof vi.fn> } {
  return {
    tools: [],
    problems: [],
    grants: { origins: [], allow: vi.fn(), revoke: vi.fn() },
    observe: vi.fn(),
    call: vi.fn(),
    update: vi.fn(() => Promise.resolve()),
    endSession: vi.fn(),
    dispose: vi.fn(),
  };
}

let turns: PageTurns;
let tools: PlaygroundTools;
beforeEach(() => {
  turns = new PageTurns({ postMessage: () => undefined, onmessage: null });
  tools = new PlaygroundTools(base, turns);
});

test('files are loaded once, and changed ones replace them', async () => {
  const runtime = fakeRuntime();
  vi.mocked(createRuntime).mockResolvedValue(runtime);
  await Promise.all([tools.load(files), tools.load(files)]);
  await tools.load(files);
  expect(createRuntime).toHaveBeenCalledTimes(1);
  expect(vi.mocked(createRuntime).mock.calls[0]?.[0]).toMatchObject({
    folder: files,
    functionsAreTools: true,
    assetsUrl: base,
  });
  expect(runtime.update).not.toHaveBeenCalled();
  await tools.load(changed);
  expect(runtime.update.mock.calls).toEqual([[changed]]);
  expect(tools.files).toBe(changed);
});

test('a failure is shown until the next attempt succeeds', async () => {
  const missing = new ToolError('not-found', 'python.wasm could not be loaded', 'Serve the folder');
  vi.mocked(createRuntime).mockRejectedValueOnce(missing).mockResolvedValueOnce(fakeRuntime());
  await expect(tools.load(files)).rejects.toThrow('could not be loaded');
  expect(tools.failure).toMatchObject({ hint: 'Check your connection, and try again.' });
  await tools.load(files);
  expect(tools.failure).toBe(null);
});

test('a run shows its updates, and counts those that were merged', async () => {
  const runtime = fakeRuntime();
  const result = fakeSuccess('done');
  vi.mocked(createRuntime).mockResolvedValue(runtime);
  vi.mocked(runtime.call).mockImplementation((_signal, _tool, _args, given: RuntimeCall = {}) => {
    given.onStart?.();
    given.onOutput?.({ out: 'printed', err: '', log: [] });
    given.onUpdate?.({ n: 0, json: '1' });
    given.onUpdate?.({ n: 4, json: '5' });
    return Promise.resolve(result);
  });
  await tools.load(files);
  const run = new Run(toolCall('c', { tool: 'a:f' }), 0);
  expect(await tools.run(new AbortController().signal, run)).toBe(result);
  expect(run.phase).toBe('ended');
  expect(run.result).toBe(result);
  expect(run.live).toMatchObject({ out: 'printed', updateCount: 5 });
});

/** A page whose playgrounds receive each other's messages at once. */
function page(): () => { turns: PageTurns; ended: ReturnType<typeof vi.fn> } {
  const all: FakeChannel[] = [];
  class FakeChannel {
    onmessage: BroadcastChannel['onmessage'] = null;

    postMessage(data: unknown): void {
      for (const each of all)
        if (each !== this)
          each.onmessage?.call({} as BroadcastChannel, new MessageEvent('message', { data }));
    }
  }
  return () => {
    const channel = new FakeChannel();
    all.push(channel);
    const turns = new PageTurns(channel);
    const ended = vi.fn();
    turns.onEnd(ended);
    return { turns, ended };
  };
}

const done = (): Promise<void> => Promise.resolve();

test('an idle playground stops Python once enough others have used theirs', async () => {
  const open = page();
  const first = open();
  const others = Array.from({ length: maxOthers }, () => open());
  await first.turns.use(done);
  for (const { turns } of others) {
    expect(first.ended).not.toHaveBeenCalled();
    await turns.use(done);
  }
  expect(first.ended).toHaveBeenCalledTimes(1);
  expect(others.at(-1)?.ended).not.toHaveBeenCalled();
});

test('a playground that is used repeatedly does not stop others', async () => {
  const open = page();
  const [first, second] = [open(), open()];
  await first.turns.use(done);
  for (let n = 0; n < 2 * maxOthers; n += 1) await second.turns.use(done);
  expect(first.ended).toHaveBeenCalledTimes(0);
});

test('others do not stop Python during a call, only after it', async () => {
  const open = page();
  const first = open();
  let end = (_: string): void => undefined;
  const running = first.turns.use(() => new Promise<string>((resolve) => (end = resolve)));
  for (let n = 0; n < maxOthers; n += 1) await open().turns.use(done);
  expect(first.ended).not.toHaveBeenCalled();
  end('result');
  expect(await running).toBe('result');
  expect(first.ended).toHaveBeenCalledTimes(1);
});

test('a Python whose call has failed is idle like any other', async () => {
  const open = page();
  const first = open();
  await expect(first.turns.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  for (let n = 0; n < maxOthers; n += 1) await open().turns.use(done);
  expect(first.ended).toHaveBeenCalledTimes(1);
});
