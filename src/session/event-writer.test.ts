/** Tests of writing behind the one who appends. */

import { expect, test, vi } from 'vitest';
import { EventWriter, type EventWriterEffects } from './event-writer.ts';
import type { KeptEvent } from './session-store.ts';

interface Bench {
  readonly writer: EventWriter;
  /** Numbers of what was written, transaction by transaction. */
  readonly written: number[][];
  readonly failures: string[];
  readonly conflicts: () => number;
}

function bench(append: (ns: readonly number[]) => Promise<boolean>): Bench {
  const written: number[][] = [];
  const failures: string[] = [];
  const onConflict = vi.fn();
  const effects: EventWriterEffects = {
    append: (events) => append(numbers(events)),
    onWritten: (events) => written.push(numbers(events)),
    onConflict,
    onFailure: (thrown) => failures.push(String(thrown)),
  };
  const writer = new EventWriter(effects);
  return { writer, written, failures, conflicts: () => onConflict.mock.calls.length };
}

function events(...ns: readonly number[]): KeptEvent[] {
  return ns.map((n) => ({ n, text: `event ${n}` }));
}

function numbers(kept: readonly KeptEvent[]): number[] {
  return kept.map(({ n }) => n);
}

test('nothing is written before the start, then at once, and what comes meanwhile together', async () => {
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

test('where another page has written nothing is, until it begins again; not for ever', async () => {
  const { writer, written, failures, conflicts } = bench(() => Promise.resolve(false));
  writer.add(events(0, 1));
  for (let round = 1; round <= 3; round += 1) {
    writer.start();
    await writer.written();
    expect([conflicts(), written, failures]).toEqual([round, [], []]);
  }
  writer.start();
  await writer.written();
  expect([conflicts(), written, failures, writer.keeps]).toEqual([
    3,
    [[0, 1]],
    ['Error: Another page writes to it as well.'],
    false,
  ]);
});

test('what was dropped is not written, though more comes while the rest is', async () => {
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

test('a store that fails is told once, and all is taken for written from then on', async () => {
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
