import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { FolderInterpreters } from '../../runtime/open-folder/folder-interpreters.ts';
import { failure } from '../../runtime/call/results.ts';
import { registered } from '../../runtime/sandbox/fake-tool.fixture.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { FolderSnapshot } from '../../runtime/spec/folder.ts';
import type { Stream, ToolResult } from '../../runtime/spec/result.ts';
import { FakeLocks } from '../../runtime/async/locks.fixture.ts';
import { shareInterpreters, type ShareDeps } from './shared-interpreters.ts';

const signal = new AbortController().signal;
const tool = registered({});
const callOf = (args = '{}'): ToolCall => ({
  id: crypto.randomUUID(),
  tool: tool.name,
  arguments: args,
  caller: 'person',
  sessionId: '',
  sessionKey: '',
  turnId: '',
  agentId: '',
  validate: true,
});
const folder = (text: string): FolderSnapshot => {
  const bytes = new TextEncoder().encode(text);
  const file = { path: 'example.py', bytes, size: bytes.byteLength, modifiedAt: 0 };
  return { id: text, name: 'playground', files: [file], folders: [], problems: [] };
};
const stream: Stream = { updates: [], dropped: 0, out: 'printed', err: '', log: [] };

class FakeInterpreters {
  readonly sessions: string[] = [];
  readonly ended: string[] = [];
  disposed = false;
  end: (result: ToolResult) => void = () => undefined;

  get fake(): FolderInterpreters {
    return {
      ready: () => Promise.resolve(),
      inspect: (_signal, files, onReport) => {
        for (const file of files) onReport(new ToolError('timeout', file, 'a hint'));
        return Promise.resolve();
      },
      run: (stop, _tool, call, watch) =>
        new Promise((resolve) => {
          this.sessions.push(call.sessionId);
          watch.onStart();
          watch.onStream(stream);
          this.end = resolve;
          stop.addEventListener('abort', () => {
            resolve(failure('cancelled', call.arguments));
          });
          if (call.arguments === '{}') resolve(failure('', call.tool));
        }),
      check: () => Promise.resolve(failure('ValidationError: x', 'x')),
      needsApproval: () => Promise.reject(new ToolError('timeout', 'too slow')),
      judge: () => Promise.resolve([]),
      list: () => [],
      observe: () => () => undefined,
      endSession: (id) => void this.ended.push(id),
      update: () => undefined,
      setSettings: () => undefined,
      openInspector: () => ({
        inspect: () => Promise.resolve(),
        propose: () => Promise.reject(new Error('nothing to propose')),
        dispose: () => undefined,
      }),
      retire: () => undefined,
      dispose: () => (this.disposed = true),
    };
  }
}

/** A page with playgrounds; Node's channels stand for those between frames. @param locks undefined if the browser gives none */
function page(locks: ShareDeps['locks'] = new FakeLocks()) {
  const id = crypto.randomUUID();
  const opened: FakeInterpreters[] = [];
  const channels: BroadcastChannel[] = [];
  const leaving = new Map<string, Set<() => void>>();
  const join = (
    text = 'same',
    frame: string = crypto.randomUUID(),
    opening: () => Promise<unknown> = () => Promise.resolve(),
  ) =>
    shareInterpreters({
      page: id,
      channel: (name) => {
        const channel = new BroadcastChannel(name);
        channels.push(channel);
        return channel;
      },
      newId: () => frame,
      locks,
      whenGone: (listener) => {
        const listeners = leaving.get(frame) ?? new Set();
        leaving.set(frame, listeners.add(listener));
        return () => listeners.delete(listener);
      },
    })(folder(text), [], async () => {
      const one = new FakeInterpreters();
      opened.push(one);
      await opening();
      return one.fake;
    });
  return {
    opened,
    join,
    /** A frame is removed, which it notices. */
    remove: (frame: string) => {
      for (const listener of [...(leaving.get(frame) ?? [])]) listener();
    },
    /** The frame that came last no longer sends or receives anything. */
    silence: () => channels.at(-1)?.close(),
    close: () => {
      for (const channel of channels) channel.close();
    },
  };
}

vi.setConfig({ testTimeout: 20_000 });

/** Browsers that block the storage of other sites refuse locks in their frames. */
const refused: ShareDeps['locks'] = {
  request: () => Promise.reject(new DOMException('no', 'SecurityError')),
};

test('playgrounds with the same files share one Python, each with a separate session; others do not', async () => {
  const { opened, join, close } = page();
  const all = await Promise.all([join(), join(), join()]);
  const other = await join('other');
  expect(opened).toHaveLength(2);
  const seen: unknown[] = [];
  for (const one of [...all, other])
    await one.run(signal, tool, callOf(), {
      onStart: () => seen.push('start'),
      onStream: (each) => seen.push(each),
    });
  expect(seen).toEqual(Array.from({ length: 4 }, () => ['start', stream]).flat());
  const [shared] = opened;
  expect(new Set(shared?.sessions).size).toBe(3);
  close();
});

test.each([
  ['a lock', new FakeLocks()],
  ['an election', refused],
])(
  'with %s, frames that join while Python starts wait for it, and their requests are answered',
  async (_, locks) => {
    const { opened, join, close } = page(locks);
    // Names that would win an election come last.
    const first = join('same', 'c', () => pause(2_000));
    await pause(600);
    const second = await join('same', 'b');
    const third = await join('same', 'a');
    const watch = { onStart: () => undefined, onStream: () => undefined };
    const results = await Promise.all(
      [second, third].map((one) => one.run(signal, tool, callOf(), watch)),
    );
    expect(results).toMatchObject([{ error: '' }, { error: '' }]);
    await first;
    expect(opened).toHaveLength(1);
    close();
  },
);

test('with a lock, frames whose threads are busy share one Python', async () => {
  const { opened, join, close } = page();
  const all = Array.from({ length: 12 }, () => join());
  // Longer than an election.
  const until = performance.now() + 1_000;
  while (performance.now() < until);
  await Promise.all(all);
  expect(opened).toHaveLength(1);
  close();
});

test('errors and reports arrive as they were, and a call can be cancelled', async () => {
  const { join, close } = page();
  await join();
  const borrowed = await join();
  const reports: unknown[] = [];
  await borrowed.inspect(signal, ['a.py'], (report) => reports.push(report));
  expect(reports).toEqual([new ToolError('timeout', 'a.py', 'a hint')]);
  await expect(borrowed.needsApproval(signal, tool, callOf())).rejects.toThrow('too slow');
  expect(await borrowed.check(signal, tool, callOf())).toMatchObject({
    error: 'ValidationError: x',
  });
  const stop = new AbortController();
  const running = borrowed.run(stop.signal, tool, callOf('{"wait": 1}'), {
    onStart: () => stop.abort(),
    onStream: () => undefined,
  });
  expect(await running).toMatchObject({ error: 'cancelled', textResultForLlm: '{"wait": 1}' });
  close();
});

test('when the frame that has Python goes, its calls are interrupted and another frame takes its place', async () => {
  const { opened, join, close } = page();
  const first = await join();
  const second = await join();
  const third = await join();
  const running = second.run(signal, tool, callOf('{"wait": 1}'), {
    onStart: () => first.dispose(),
    onStream: () => undefined,
  });
  expect(await running).toMatchObject({
    error: expect.stringMatching(/^(interrupted|cancelled)$/) as string,
  });
  const watch = { onStart: () => undefined, onStream: () => undefined };
  await Promise.all([second, third].map((one) => one.run(signal, tool, callOf(), watch)));
  expect(opened).toHaveLength(2);
  expect(opened[1]?.sessions).toHaveLength(2);
  close();
});

test('changed files are not shared: the others continue with the files as they were', async () => {
  const { opened, join, close } = page();
  const first = await join();
  const second = await join();
  const watch = { onStart: () => undefined, onStream: () => undefined };
  await second.run(signal, tool, callOf(), watch);
  first.update(folder('changed'), { written: [], removed: [], cameOrWent: false });
  await vi.waitFor(async () => {
    expect(await second.run(signal, tool, callOf(), watch)).toMatchObject({ error: '' });
  });
  await first.run(signal, tool, callOf(), watch);
  expect(opened.map(({ sessions }) => sessions.length)).toEqual([2, 1]);
  close();
});

const never = () => new Promise<never>(() => undefined);

test('a frame that is removed before its Python is open leaves it to those that wait for it', async () => {
  const { opened, join, remove, close } = page();
  void join('same', 'first', never);
  await vi.waitFor(() => {
    expect(opened).toHaveLength(1);
  });
  const second = await join();
  const ready = second.ready();
  await pause(100);
  remove('first');
  await ready;
  expect(opened).toHaveLength(2);
  close();
});

/** A page whose first frame has the lock, has not started Python yet, and no longer responds. */
async function silentLender(locks: FakeLocks): Promise<ReturnType<typeof page>> {
  const made = page(locks);
  void made.join('same', 'first', never);
  await vi.waitFor(() => {
    expect(made.opened).toHaveLength(1);
  });
  made.silence();
  return made;
}

test('requests to a frame that ended silently are sent again to the one that has taken its place', async () => {
  const locks = new FakeLocks();
  const { opened, join, close } = await silentLender(locks);
  const name = locks.held[0] ?? '';
  // It still answers for the silent frame, which the second one therefore asks.
  const answering = new BroadcastChannel(name);
  answering.onmessage = () => {
    answering.postMessage({ type: 'lent', from: 'first' });
  };
  const second = await join();
  const ready = second.ready();
  const result = second.run(signal, tool, callOf(), {
    onStart: () => undefined,
    onStream: () => undefined,
  });
  await pause(100);
  answering.close();
  await locks.request(name, { steal: true }, () => undefined);
  await join('same', 'third');
  await ready;
  expect(await result).toMatchObject({ error: '' });
  expect(opened).toHaveLength(2);
  close();
});

test('a frame that cannot open Python leaves it to another one, and can try again', async () => {
  const { opened, join, close } = page();
  let fail: (thrown: Error) => void = () => undefined;
  const first = join('same', 'first', () => new Promise((_, reject) => (fail = reject)));
  await vi.waitFor(() => {
    expect(opened).toHaveLength(1);
  });
  const second = await join();
  const third = await join();
  const ready = Promise.all([second.ready(), third.ready()]);
  await pause(100);
  fail(new Error('a file is missing'));
  await expect(first).rejects.toThrow('a file is missing');
  await ready;
  await (await join('same', 'first')).ready();
  expect(opened).toHaveLength(2);
  close();
});

test('one that takes the place of another and cannot open Python leaves it to the next', async () => {
  const { opened, join, close } = page();
  const first = await join();
  const second = await join('same', 'second', () => Promise.reject(new Error('missing')));
  first.dispose();
  await expect(second.ready()).rejects.toThrow('missing');
  const third = await join();
  await third.ready();
  expect(opened).toHaveLength(3);
  close();
});

test('a lock that is freed a moment after its frame has gone is taken all the same', async () => {
  const locks = new FakeLocks();
  const request = (
    name: string,
    options: LockOptions,
    hold: LockGrantedCallback<unknown>,
  ): Promise<unknown> =>
    locks.request(name, options, async (lock) => {
      await hold(lock);
      if (lock !== null) await pause(300);
    });
  const { opened, join, close } = page({ request } as ShareDeps['locks']);
  const first = await join();
  const second = await join();
  const third = await join();
  first.dispose();
  const watch = { onStart: () => undefined, onStream: () => undefined };
  const results = await Promise.all(
    [second, third].map((one) => one.run(signal, tool, callOf(), watch)),
  );
  expect(results).toMatchObject([{ error: '' }, { error: '' }]);
  expect(opened).toHaveLength(2);
  close();
});

test('beside a frame that has the lock and never answers, another one opens its own Python', async () => {
  const locks = new FakeLocks();
  const { opened, join, close } = await silentLender(locks);
  const second = await join();
  await second.ready();
  expect(opened).toHaveLength(2);
  expect(locks.held).toHaveLength(1);
  close();
});

test('what is asked of interpreters that were ended fails at once', async () => {
  const { join, close } = page();
  await join();
  const second = await join();
  second.dispose();
  await expect(second.ready()).rejects.toThrow('Python was ended');
  close();
});
