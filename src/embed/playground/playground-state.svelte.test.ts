/** Tests what the page around a playground may change while Python loads and while a tool runs: docs/embed.md. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeSuccess } from '../../runtime/call/logged-call.fixture.ts';
import { createRuntime } from '../../runtime/create-runtime.ts';
import type { FromPlayground, PlaygroundSetup } from '../../runtime/protocol/embed.ts';
import type { Runtime, RuntimeOptions } from '../../runtime/runtime-types.ts';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { PageTurns, PlaygroundTools } from './playground-runtime.svelte.ts';
import { PlaygroundState } from './playground-state.svelte.ts';

vi.mock('../../runtime/create-runtime.ts', () => ({ createRuntime: vi.fn() }));

/** A load or a call, which the test ends. */
interface Step {
  readonly what: string;
  readonly end: () => void;
  readonly fail: (thrown: Error) => void;
}

const words = {} as PlaygroundState['words'];
const setup: PlaygroundSetup = {
  page: 'p',
  packages: [],
  tool: '',
  arguments: '',
  view: 'json',
  recording: '',
  autorun: false,
  readonly: false,
  files: [{ path: 'a.py', text: 'one' }],
  look: { scheme: 'light', values: {}, labels: {} },
};

let steps: Step[];
let sent: FromPlayground[];
let turns: PageTurns;
let channel: { postMessage: () => void; onmessage: BroadcastChannel['onmessage'] };
let play: PlaygroundState;
/** Text of the file that was loaded last, which is also the name of its tool. */
let loaded: string;
beforeEach(() => {
  vi.useFakeTimers();
  steps = [];
  sent = [];
  loaded = '';
  vi.mocked(createRuntime).mockReset().mockImplementation(open);
  channel = { postMessage: () => undefined, onmessage: null };
  turns = new PageTurns(channel);
  play = new PlaygroundState({
    setup,
    words,
    base: new URL('https://cloche.example/'),
    onCalled: () => undefined,
    tools: new PlaygroundTools(new URL('https://cloche.example/'), turns),
    send: (message) => sent.push(message),
  });
});
afterEach(() => void vi.useRealTimers());

function step(what: string): Promise<void> {
  return new Promise((end, fail) => steps.push({ what, end, fail }));
}

async function take(files: unknown): Promise<void> {
  const text = (files as Record<string, string>)['a.py'] ?? '';
  await step(`load ${text}`);
  loaded = text;
}

async function open({ folder }: RuntimeOptions): Promise<Runtime> {
  await take(folder);
  return {
    get tools(): readonly RegisteredTool[] {
      const name = /def (\w+)/.exec(loaded)?.[1] ?? loaded;
      return [{ ...fakeTool(`a:${name}`), hash: '', loadedAt: 0, state: 'ready' }];
    },
    problems: [],
    grants: { origins: [], allow: vi.fn(), revoke: vi.fn() },
    observe: vi.fn(),
    call: async (_, tool, args) => {
      await step(`call ${tool} ${args} of ${loaded}`);
      return fakeSuccess(tool);
    },
    update: take,
    endSession: vi.fn(),
    dispose: vi.fn(),
  };
}

/** Waits for the step, and returns it. */
async function next(what: string): Promise<Step> {
  await vi.advanceTimersByTimeAsync(0);
  const [first, ...others] = steps.splice(0);
  expect([first?.what, others.length]).toEqual([what, 0]);
  if (first === undefined) throw new Error('Nothing has begun.');
  return first;
}

/** Ends the step that has begun. */
async function pass(what: string): Promise<void> {
  (await next(what)).end();
}

const give = (text: string): void => play.setFiles([{ path: 'a.py', text }]);

test('a run that waits for Python runs the source that was given last, and loads no other in between', async () => {
  const run = play.run();
  const first = await next('load one');
  give('two');
  give('three');
  first.end();
  await pass('load three');
  await pass('call a:three {} of three');
  expect(await run).toMatchObject({ tool: 'a:three', resultType: 'success' });
});

test('a run waits for the source that replaces one that cannot be loaded', async () => {
  const run = play.run();
  const first = await next('load one');
  give('two');
  first.fail(new ToolError('bad-input', 'It is broken'));
  await pass('load two');
  await pass('call a:two {} of two');
  expect(await run).toMatchObject({ tool: 'a:two' });
});

test('a source that cannot be loaded ends the run with its reason, and the next run tries again', async () => {
  const run = expect(play.run()).rejects.toThrow('It is broken');
  (await next('load one')).fail(new ToolError('bad-input', 'It is broken'));
  await run;
  expect(sent).toEqual([{ type: 'error', code: 'not-run', message: 'It is broken', hint: '' }]);
  const again = play.run();
  await pass('load one');
  await pass('call a:one {} of one');
  expect(await again).toMatchObject({ resultType: 'success' });
});

test('a source that is given while a tool runs is loaded, and the run ends with its own result', async () => {
  const run = play.run();
  await pass('load one');
  const call = await next('call a:one {} of one');
  give('two');
  await vi.advanceTimersByTimeAsync(1_000);
  await pass('load two');
  await expect(play.run()).rejects.toThrow('A call is running. Stop it first.');
  call.end();
  expect(await run).toMatchObject({ tool: 'a:one', resultType: 'success' });
});

test('arguments that are given along with a source are those of its tool', async () => {
  play.open();
  await pass('load one');
  await vi.advanceTimersByTimeAsync(0);
  give('two');
  play.setArguments('{"n": 2}');
  const run = play.run();
  await pass('load two');
  await pass('call a:two {"n": 2} of two');
  await run;
  // Control: without another source, they are those of the shown tool at once.
  play.setArguments('{"n": 3}');
  expect(play.draft?.text).toBe('{"n": 3}');
});

test('a change that is reported before the source has loaded has the arguments that the page gave', async () => {
  play.open();
  await pass('load one');
  await vi.advanceTimersByTimeAsync(0);
  give('two');
  play.setArguments('{"n": 2}');
  play.argumentsChanged();
  await vi.advanceTimersByTimeAsync(300);
  expect(sent).toMatchObject([{ type: 'change', arguments: '{"n": 2}' }]);
});

test('a run starts Python once, even if other playgrounds use theirs meanwhile, and again after they have ended it', async () => {
  const useOthers = (): void => {
    for (const data of ['x', 'y']) channel.onmessage?.call(undefined as never, { data } as never);
  };
  const run = play.run();
  const first = await next('load one');
  useOthers();
  first.end();
  await pass('call a:one {} of one');
  expect(await run).toMatchObject({ resultType: 'success' });
  expect(createRuntime).toHaveBeenCalledTimes(1);
  const again = play.run();
  await pass('load one');
  useOthers();
  await pass('call a:one {} of one');
  expect(await again).toMatchObject({ resultType: 'success' });
  expect(createRuntime).toHaveBeenCalledTimes(2);
});

test('a call that cannot begin does not block later ones', async () => {
  const run = expect(play.run()).rejects.toThrow('There is no tool');
  await pass('load one');
  (await next('call a:one {} of one')).fail(new ToolError('not-found', 'There is no tool a:one'));
  await run;
  expect(play.isRunning).toBe(false);
  const again = play.run();
  await pass('call a:one {} of one');
  expect(await again).toMatchObject({ resultType: 'success' });
});

test('a run that is cancelled while Python loads does not begin; the next one does', async () => {
  const run = expect(play.run()).rejects.toThrow('The run was cancelled.');
  const first = await next('load one');
  play.cancel();
  first.end();
  await run;
  const again = play.run();
  await pass('call a:one {} of one');
  expect(await again).toMatchObject({ resultType: 'success' });
});

const greets = 'def greet(name: str, times: int = 1) -> str: ...';

function playing(more: Partial<PlaygroundSetup>): PlaygroundState {
  return new PlaygroundState({
    setup: { ...setup, view: 'form', files: [{ path: 'a.py', text: greets }], ...more },
    words,
    base: new URL('https://cloche.example/'),
    onCalled: () => undefined,
    tools: new PlaygroundTools(new URL('https://cloche.example/'), turns),
    send: (message) => sent.push(message),
  });
}

test('before Python has loaded, the tool of the source has its form, and a run without required values does not start Python', async () => {
  play = playing({});
  expect([play.names, play.draft?.text]).toEqual([['a:greet'], '{\n  "times": 1\n}']);
  await expect(play.run('reader')).rejects.toThrow('Enter the required values first: name');
  expect([steps, play.isWanted]).toEqual([[], false]);
  give('def other(n: int): ...');
  expect(play.shownTool?.name).toBe('a:other');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(steps).toEqual([]);
});

test('what is typed before Python has loaded is run, also if the page gave other arguments', async () => {
  play = playing({ arguments: '{"name": "Ada"}' });
  expect(play.draft?.text).toBe('{"name": "Ada"}');
  play.draft?.write('{"name": "Bob"}');
  const run = play.run();
  await pass(`load ${greets}`);
  await pass(`call a:greet {"name": "Bob"} of ${greets}`);
  expect(await run).toMatchObject({ resultType: 'success' });
});

test('a tool that does not exist is named with those that do, before Python has loaded and after', async () => {
  play = playing({ tool: 'a:gret' });
  expect(play.unknownTool).toBe(
    'The source shows no tool “a:gret” before it runs. It shows: a:greet',
  );
  const run = expect(play.run()).rejects.toThrow(
    'There is no tool “a:gret”. The source has: a:greet',
  );
  await pass(`load ${greets}`);
  await run;
  expect(play.unknownTool).toBe(play.failure);
  play.choose('a:greet');
  expect(play.unknownTool).toBe('');
  expect(playing({ tool: 'greet' }).unknownTool).toBe('');
});
