/** Watching a folder, with a fake observer, clock and page. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RereadScope } from './reread-folder.ts';
import { fakeSource } from './source.fixture.ts';
import type { ChangeNotice, FolderSource } from './source.ts';
import { FolderWatch, type WatchState } from './watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

class Watched {
  readonly read: RereadScope[] = [];
  readonly readEarly: string[] = [];
  /** Whether what was read early is applied. */
  isSound = true;
  readonly states: WatchState[] = [];
  notify: (notice: ChangeNotice) => void = () => undefined;
  observing = 0;
  visible = true;
  becomeVisible: () => void = () => undefined;
  /** Milliseconds that a reading takes. */
  readMs = 0;
  readonly watch: FolderWatch;

  constructor(observe?: FolderSource['observe'] | 'works') {
    const works: FolderSource['observe'] = (onNotice) => {
      this.notify = onNotice;
      this.observing += 1;
      return Promise.resolve(() => {
        this.observing -= 1;
      });
    };
    const chosen = observe === 'works' ? works : observe;
    this.watch = new FolderWatch({
      source: fakeSource({}, chosen ? { observe: chosen } : {}),
      reread: async (scope) => {
        this.read.push(scope);
        if (this.readMs > 0) await new Promise((done) => setTimeout(done, this.readMs));
        return this.readMs;
      },
      readEarly: async (paths) => {
        this.readEarly.push([...paths].join());
        if (this.readMs > 0) await new Promise((done) => setTimeout(done, this.readMs));
        return this.isSound;
      },
      onState: (state) => this.states.push(state),
      visible: {
        now: () => this.visible,
        observe: (listener) => {
          this.becomeVisible = listener;
          return () => undefined;
        },
      },
      after: (ms, then) => {
        const timer = setTimeout(then, ms);
        return () => {
          clearTimeout(timer);
        };
      },
      now: () => Date.now(),
    });
  }
}

async function observed(): Promise<Watched> {
  const watched = new Watched('works');
  await watched.watch.start();
  await vi.advanceTimersByTimeAsync(100);
  // The check for changes from before the observer existed.
  expect(watched.read.splice(0)).toEqual(['changed']);
  return watched;
}

async function polled(): Promise<Watched> {
  const watched = new Watched(() => Promise.resolve(null));
  await watched.watch.start();
  return watched;
}

test('changes that the browser reports are read once after a burst', async () => {
  const watched = await observed();
  expect(watched.states).toEqual([{ at: 'observing' }]);
  watched.notify(['.a.py.tmp']);
  await vi.advanceTimersByTimeAsync(20);
  watched.notify(['.a.py.tmp', 'a.py']);
  await vi.advanceTimersByTimeAsync(20);
  expect(watched.read).toEqual([]);
  await vi.advanceTimersByTimeAsync(20);
  expect(watched.read).toEqual([new Set(['.a.py.tmp', 'a.py'])]);
});

test('the first change after a pause is read at once, and not again', async () => {
  const watched = await observed();
  await vi.advanceTimersByTimeAsync(1_000);
  watched.notify(['a.py']);
  expect(watched.readEarly).toEqual(['a.py']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(watched.read).toEqual([]);
});

test('what looked unfinished is read again at the end of the burst, with what changed since', async () => {
  const watched = await observed();
  await vi.advanceTimersByTimeAsync(1_000);
  watched.isSound = false;
  watched.readMs = 10;
  watched.notify(['a.py']);
  watched.notify(['b.py']);
  await vi.advanceTimersByTimeAsync(15);
  watched.notify(['a.py']);
  await vi.advanceTimersByTimeAsync(25);
  expect(watched.read).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect([watched.readEarly, watched.read]).toEqual([['a.py'], [new Set(['b.py', 'a.py'])]]);
});

test('within a burst, only the first change is read early', async () => {
  const watched = await observed();
  await vi.advanceTimersByTimeAsync(1_000);
  for (let n = 0; n < 10; n += 1) {
    watched.notify([`${n}.py`]);
    await vi.advanceTimersByTimeAsync(20);
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(watched.readEarly).toEqual(['0.py']);
  const paths = watched.read.flatMap((scope) => (typeof scope === 'string' ? [] : [...scope]));
  expect(paths).toHaveLength(9);
});

test('an endless burst is read in between', async () => {
  const watched = await observed();
  for (let n = 0; n < 50; n += 1) {
    watched.notify(['a.py']);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(watched.read.length).toBeGreaterThanOrEqual(3);
  expect(watched.read.length).toBeLessThanOrEqual(5);
});

test('changes during a reading are read after it, never at the same time', async () => {
  const watched = await observed();
  watched.readMs = 500;
  watched.notify(['a.py']);
  await vi.advanceTimersByTimeAsync(100);
  watched.notify(['b.py']);
  watched.notify(['c.py']);
  await vi.advanceTimersByTimeAsync(300);
  expect(watched.read).toEqual([new Set(['a.py'])]);
  await vi.advanceTimersByTimeAsync(300);
  expect(watched.read).toEqual([new Set(['a.py']), new Set(['b.py', 'c.py'])]);
});

test('an unknown record makes everything be checked', async () => {
  const watched = await observed();
  watched.notify(['a.py']);
  watched.notify('anything');
  await vi.advanceTimersByTimeAsync(100);
  expect(watched.read).toEqual(['changed']);
});

test('an observer that has ended is restarted, and everything is checked', async () => {
  const watched = await observed();
  watched.notify('ended');
  await vi.advanceTimersByTimeAsync(100);
  expect([watched.read, watched.observing]).toEqual([['changed'], 1]);
});

test('without an observer, the folder is polled while the page is visible', async () => {
  const watched = await polled();
  expect(watched.states).toEqual([{ at: 'polling', everyMs: 2_000 }]);
  await vi.advanceTimersByTimeAsync(6_500);
  expect(watched.read).toEqual(['changed', 'changed', 'changed']);
  watched.visible = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(watched.read.length).toBe(3);
  watched.visible = true;
  watched.becomeVisible();
  await vi.advanceTimersByTimeAsync(10);
  expect(watched.read.length).toBe(4);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(watched.read.length).toBe(5);
});

test('an observer that fails counts as none', async () => {
  const watched = new Watched(() => Promise.reject(new Error('no')));
  await watched.watch.start();
  expect(watched.states).toEqual([{ at: 'polling', everyMs: 2_000 }]);
});

test('if polling takes long, it happens less often', async () => {
  const watched = await polled();
  watched.readMs = 300;
  await vi.advanceTimersByTimeAsync(2_400);
  expect(watched.states.at(-1)).toEqual({ at: 'polling', everyMs: 6_000 });
});

test('a copy is not watched', async () => {
  const watched = new Watched();
  await watched.watch.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([watched.states, watched.read]).toEqual([[{ at: 'unwatched' }], []]);
});

test('nothing is read after it was disposed of', async () => {
  for (const begin of [observed, polled]) {
    const watched = await begin();
    watched.notify(['a.py']);
    watched.watch.dispose();
    watched.notify(['b.py']);
    watched.becomeVisible();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([watched.read, watched.observing, watched.states.at(-1)]).toEqual([
      [],
      0,
      { at: 'off' },
    ]);
  }
});

test('an observer that starts after disposal is stopped', async () => {
  const watched = new Watched('works');
  const starting = watched.watch.start();
  watched.watch.dispose();
  await starting;
  expect(watched.observing).toBe(0);
});
