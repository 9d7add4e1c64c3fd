/** Tests how a playground loads its files and runs its tools on a runtime. */

import { beforeEach, expect, test, vi } from 'vitest';
import { fakeSuccess } from '../../runtime/call/logged-call.fixture.ts';
import { createRuntime } from '../../runtime/create-runtime.ts';
import type { Runtime, RuntimeCall } from '../../runtime/runtime-types.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { Run } from '../../app/ui/tools/runs/runs.svelte.ts';
import { PageTurns } from './page-turns.ts';
import { PlaygroundTools } from './playground-runtime.svelte.ts';

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
