/** Writing events in the background. */

import { expect, test, vi } from 'vitest';
import { EventWriter, type EventWriterDeps, type WriteWait } from './event-writer.ts';
import type { StoredEvent } from './session-store.ts';

interface Bench {
  readonly writer: EventWriter;
  /** The numbers of the written events, by transaction. */
  readonly written: number[][];
  readonly failures: string[];
  readonly conflicts: () => number;
  readonly recoveries: () => number;
  /** Advances the clock. */
  pass(ms: number): void;
}

function bench(append: (ns: readonly number[]) => Promise<boolean>): Bench {
  const written: number[][] = [];
  const failures: string[] = [];
  const onConflict = vi.fn();
  const onRecovery = vi.fn();
  const added: StoredEvent[] = [];
  let now = 1_000;
  const effects: EventWriterDeps = {
    append: (events) => append(numbers(events)),
    onWritten: (events) => written.push(numbers(events)),
    since: (n, max) => added.filter((event) => event.n >= n).slice(0, max),
    onConflict,
    onRecovery,
    onFailure: (thrown) => failures.push(String(thrown)),
    now: () => now,
  };
  const writer = new (class extends EventWriter {
    override add(more: readonly StoredEvent[], wait?: WriteWait): void {
      added.push(...more);
      super.add(more, wait);
    }
  })(effects);
  return {
    writer,
    written,
    failures,
    conflicts: () => onConflict.mock.calls.length,
    recoveries: () => onRecovery.mock.calls.length,
    pass: (ms) => (now += ms),
  };
}

function events(...ns: readonly number[]): StoredEvent[] {
  return ns.map((n) => ({ n, text: `event ${n}` }));
}

function numbers(kept: readonly StoredEvent[]): number[] {
  return kept.map(({ n }) => n);
}

test('nothing is written before the start; events that come during a write are written together', async () => {
  const asked: (readonly number[])[] = [];
  const { writer, written } = bench((ns) => {
    asked.push(ns);
    return Promise.resolve(true);
  });
  writer.add(events(0));
  await writer.written();
  expect(asked).toEqual([]);
  writer.start();
  expect(asked).toEqual([[0]]);
  writer.add(events(1));
  writer.add(events(2, 3));
  await writer.written();
  expect(written).toEqual([[0], [1, 2, 3]]);
});

test('after a conflict nothing is written until the next start, and repeated conflicts end writing', async () => {
  const { writer, written, failures, conflicts } = bench(() => Promise.resolve(false));
  writer.add(events(0, 1));
  for (let round = 1; round <= 3; round += 1) {
    writer.start();
    await writer.written();
    expect([conflicts(), written, failures]).toEqual([round, [], []]);
  }
  writer.start();
  await writer.written();
  expect([conflicts(), written, failures, writer.works]).toEqual([
    3,
    [[0, 1]],
    ['Error: Another tab is also writing to it.'],
    false,
  ]);
});

test('events that may wait are written in the next task, in one write, or earlier with others', async () => {
  const asked: (readonly number[])[] = [];
  const { writer } = bench((ns) => {
    asked.push(ns);
    return Promise.resolve(true);
  });
  writer.start();
  for (const n of [0, 1, 2]) {
    writer.add(events(n), 'next-task');
    await Promise.resolve();
  }
  expect(asked).toEqual([]);
  await vi.waitFor(() => expect(asked).toEqual([[0, 1, 2]]));
  writer.add(events(3), 'next-task');
  writer.add(events(4));
  expect(asked.slice(1)).toEqual([[3, 4]]);
  await writer.written();
  writer.add(events(5), 'next-task');
  await writer.written();
  expect(asked.slice(2)).toEqual([[5]]);
});

test('events that wait for the next ones are written with them, or after a moment if none come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const asked: (readonly number[])[] = [];
    const { writer } = bench((ns) => {
      asked.push(ns);
      return Promise.resolve(true);
    });
    writer.start();
    writer.add(events(0), 'next-events');
    await new Promise((resolve) => setImmediate(resolve));
    writer.add(events(1), 'next-events');
    expect(asked).toEqual([]);
    writer.add(events(2));
    await writer.written();
    expect(asked).toEqual([[0, 1, 2]]);
    writer.add(events(3), 'next-events');
    vi.advanceTimersByTime(49);
    expect(asked).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(asked.slice(1)).toEqual([[3]]);
    await writer.written();
    // The timer of events that were written with others writes nothing.
    writer.add(events(4), 'next-events');
    await writer.written();
    vi.advanceTimersByTime(1_000);
    await writer.written();
    expect(asked.slice(2)).toEqual([[4]]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('events that come during a write wait for more, unless one of them cannot wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const asked: (readonly number[])[] = [];
    let end = (): void => undefined;
    const { writer } = bench((ns) => {
      asked.push(ns);
      return new Promise((resolve) => {
        end = () => resolve(true);
      });
    });
    const ended = async (): Promise<void> => {
      end();
      await new Promise((resolve) => setImmediate(resolve));
    };
    writer.start();
    writer.add(events(0));
    writer.add(events(1), 'next-events');
    await ended();
    writer.add(events(2), 'next-events');
    expect(asked).toEqual([[0]]);
    vi.advanceTimersByTime(50);
    expect(asked.slice(1)).toEqual([[1, 2]]);
    writer.add(events(3), 'next-events');
    writer.add(events(4));
    await ended();
    expect(asked.slice(2)).toEqual([[3, 4]]);
    // The rest of a large number is written at once, with the events that came meanwhile.
    writer.add(events(...Array.from({ length: 600 }, (_, n) => n + 5)));
    writer.add(events(605), 'next-events');
    await ended();
    await ended();
    expect(asked.slice(3).map(({ length }) => length)).toEqual([500, 101]);
    const flushed = writer.flush();
    await ended();
    await flushed;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('dropped events are not written, even if more come during a write', async () => {
  let end = (): void => undefined;
  const { writer, written } = bench(
    () =>
      new Promise((resolve) => {
        end = () => {
          resolve(true);
        };
      }),
  );
  writer.start();
  writer.add(events(0));
  writer.add(events(1));
  expect(numbers(writer.drop())).toEqual([0, 1]);
  writer.add(events(5));
  end();
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  end();
  await writer.written();
  expect(written).toEqual([[0], [5]]);
});

test('a storage failure is reported once, and later events count as written', async () => {
  const { writer, written, failures } = bench(() => Promise.reject(new Error('full')));
  writer.start();
  writer.add(events(0));
  writer.add(events(1));
  await writer.written();
  writer.add(events(2));
  writer.hold();
  writer.fail(new Error('again'));
  writer.add(events(3));
  expect([written, failures]).toEqual([[[0, 1], [2], [3]], ['Error: full']]);
});

/** A store that rejects while `broken` is true. */
function store() {
  const kept: number[] = [];
  const self = {
    kept,
    broken: 0,
    asked: 0,
    append: (ns: readonly number[]): Promise<boolean> => {
      self.asked += 1;
      self.broken -= 1;
      if (self.broken >= 0) return Promise.reject(new Error('busy'));
      if (ns.some((n) => kept.includes(n))) return Promise.resolve(false);
      kept.push(...ns);
      return Promise.resolve(true);
    },
  };
  return self;
}

test('a single storage failure is retried at once, and not reported', async () => {
  const disk = store();
  const { writer, written, failures } = bench(disk.append);
  disk.broken = 1;
  writer.start();
  writer.add(events(0, 1));
  await writer.written();
  expect([disk.kept, written, failures, writer.works]).toEqual([[0, 1], [[0, 1]], [], true]);
});

test('a store that recovers receives all events in order', async () => {
  const disk = store();
  const { writer, written, failures, recoveries, pass } = bench(disk.append);
  writer.start();
  writer.add(events(0));
  await writer.written();
  disk.broken = 2;
  writer.add(events(1, 2));
  await writer.written();
  writer.add(events(3));
  await writer.written();
  expect([disk.kept, disk.asked, writer.works, failures]).toEqual([[0], 3, false, ['Error: busy']]);
  pass(10_000);
  disk.broken = 1;
  writer.add(events(4));
  await writer.written();
  pass(19_999);
  writer.add(events(5));
  await writer.written();
  expect([disk.kept, disk.asked, writer.works, recoveries()]).toEqual([[0], 4, false, 0]);
  pass(1);
  writer.add(events(6));
  await writer.written();
  writer.add(events(7));
  await writer.written();
  expect([disk.kept, writer.works, recoveries()]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], true, 1]);
  // Other pages receive each event once.
  expect(written.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(failures).toEqual(['Error: busy']);
});

test('events that are added during recovery are written as well', async () => {
  const disk = store();
  const { writer, pass } = bench(async (ns) => {
    await Promise.resolve();
    if (disk.kept.length === 1) writer.add(events(9));
    return disk.append(ns);
  });
  disk.broken = 2;
  writer.start();
  writer.add(Array.from({ length: 8 }, (_, n) => ({ n, text: '' })));
  await writer.written();
  disk.kept.push(-1);
  pass(10_000);
  writer.add(events(8));
  await writer.written();
  expect([disk.kept, writer.works]).toEqual([[-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9], true]);
});

test('nothing is written after the events of another tab that has continued', async () => {
  const disk = store();
  const { writer, pass } = bench(disk.append);
  disk.broken = 2;
  writer.start();
  writer.add(events(0, 1));
  await writer.written();
  disk.kept.push(0);
  for (const n of [2, 3, 4]) {
    pass(1_000_000);
    writer.add(events(n));
    await writer.written();
  }
  expect([disk.kept, disk.asked, writer.works]).toEqual([[0], 3, false]);
});

test('a writer on hold does not recover until it starts again', async () => {
  const disk = store();
  const { writer, pass } = bench(disk.append);
  disk.broken = 2;
  writer.start();
  writer.add(events(0, 1));
  await writer.written();
  writer.hold();
  pass(1_000_000);
  writer.add(events(2));
  await writer.written();
  expect(disk.kept).toEqual([]);
  writer.start();
  await writer.written();
  expect([disk.kept, writer.works]).toEqual([[0, 1, 2], true]);
});
