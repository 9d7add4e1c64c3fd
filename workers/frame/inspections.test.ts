/** Reports on inspected files reach the page in order, several at a time. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OrLost } from '../../src/protocol/frame.ts';
import type { PackedInspection } from '../../src/spec/inspection.ts';
import { Inspections } from './inspections.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const lost: OrLost<PackedInspection> = { ok: false, loss: { reason: 'crashed', detail: 'gone' } };

function begin(count: number) {
  const answers = new Map<number, (report: OrLost<PackedInspection>) => void>();
  const inspections = new Inspections(
    (id) =>
      new Promise((resolve) => {
        answers.set(id, resolve);
      }),
  );
  const given: unknown[] = [];
  const take = (asked: ReturnType<Inspections['next']>): void => {
    void asked.then((reports) => {
      given.push(reports.ok ? reports.value.map(({ file }) => file) : reports.loss.reason);
      if (reports.ok && reports.value.length > 0) take(inspections.next(1));
    });
  };
  const files = Array.from({ length: count }, (_, n) => ({ id: 10 + n, file: `${n}.py` }));
  take(inspections.begin(1, files));
  const answer = async (n: number, tools: readonly string[] = []): Promise<void> => {
    const shared = { problems: [], noSpecs: false, imports: [], output: '', durationMs: 1 };
    answers.get(10 + n)?.({ ok: true, value: { file: `${n}.py`, tools, ...shared } });
    await vi.advanceTimersByTimeAsync(1);
  };
  const lose = async (n: number): Promise<void> => {
    answers.get(10 + n)?.(lost);
    await vi.advanceTimersByTimeAsync(1);
  };
  return { given, answer, lose };
}

test('the report on a single file does not wait', async () => {
  const { given, answer } = begin(1);
  await answer(0);
  expect(given).toEqual([['0.py'], []]);
});

test('reports that follow each other go together; a file that takes long does not hold them back', async () => {
  const { given, answer } = begin(5);
  await answer(0);
  await answer(1);
  expect(given).toEqual([]);
  await vi.advanceTimersByTimeAsync(20);
  expect(given).toEqual([['0.py', '1.py']]);
  for (const n of [2, 3, 4]) await answer(n);
  expect(given).toEqual([['0.py', '1.py'], ['2.py', '3.py', '4.py'], []]);
});

test('reports keep the order of the files, whatever the order of the answers', async () => {
  const { given, answer } = begin(3);
  await answer(2);
  await vi.advanceTimersByTimeAsync(50);
  expect(given).toEqual([]);
  await answer(1);
  await answer(0);
  expect(given).toEqual([['0.py', '1.py', '2.py'], []]);
});

test('long reports go at once', async () => {
  const { given, answer } = begin(3);
  await answer(0, ['x'.repeat(300_000)]);
  expect(given).toEqual([['0.py']]);
});

test('a loss comes after the reports before it', async () => {
  const { given, answer, lose } = begin(4);
  await answer(0);
  await lose(1);
  for (const n of [2, 3]) await lose(n);
  expect(given).toEqual([['0.py'], 'crashed']);
});
