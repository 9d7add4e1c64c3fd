/** Reports on inspected files reach the page in order, several at a time. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OrLost } from '../../src/runtime/protocol/frame.ts';
import type { PackedInspection } from '../../src/runtime/spec/tool.ts';
import type { Problem } from '../../src/runtime/spec/folder.ts';
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
  /** While it is set, the page does not ask for more. */
  let holding = false;
  let goOn = (): void => undefined;
  const take = (asked: ReturnType<Inspections['next']>): void => {
    void asked.then((reports) => {
      given.push(reports.ok ? reports.value.map(({ file }) => file) : reports.loss.reason);
      if (!reports.ok || reports.value.length === 0) return;
      goOn = () => {
        take(inspections.next(1));
      };
      if (!holding) goOn();
    });
  };
  const files = Array.from({ length: count }, (_, n) => ({ id: 10 + n, file: `${n}.py` }));
  take(inspections.begin(1, files));
  const answer = async (n: number, parts: Partial<PackedInspection> = {}): Promise<void> => {
    const none = { tools: [], problems: [], noSpecs: false, imports: [], output: '' };
    answers.get(10 + n)?.({
      ok: true,
      value: { file: `${n}.py`, durationMs: 1, ...none, ...parts },
    });
    await vi.advanceTimersByTimeAsync(1);
  };
  const lose = async (n: number): Promise<void> => {
    answers.get(10 + n)?.(lost);
    await vi.advanceTimersByTimeAsync(1);
  };
  const hold = (): void => {
    holding = true;
  };
  const release = async (): Promise<void> => {
    holding = false;
    goOn();
    await vi.advanceTimersByTimeAsync(1);
  };
  return { given, answer, lose, hold, release };
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
  await answer(0, { tools: ['x'.repeat(300_000)] });
  expect(given).toEqual([['0.py']]);
});

const long = 'x'.repeat(120_000);
const problem: Problem = {
  severity: 'error',
  code: 'odd',
  file: '',
  line: 1,
  column: null,
  message: long,
  expected: '',
  hint: '',
};

test.each<Partial<PackedInspection>>([
  { tools: [long] },
  { problems: [problem] },
  { output: long },
])(
  'long reports that pile up while the page is busy go in several messages, none of which waits',
  async (parts) => {
    const { given, answer, hold, release } = begin(8);
    hold();
    await answer(0, { tools: ['x'.repeat(300_000)] });
    for (const n of [1, 2, 3, 4, 5]) await answer(n, parts);
    expect(given).toEqual([['0.py']]);
    await release();
    expect(given).toEqual([['0.py'], ['1.py', '2.py'], ['3.py', '4.py'], ['5.py']]);
  },
);

test('a loss comes after reports that have piled up', async () => {
  const { given, answer, lose, hold, release } = begin(4);
  hold();
  await answer(0, { tools: ['x'.repeat(300_000)] });
  for (const n of [1, 2]) await answer(n, { output: 'x'.repeat(300_000) });
  await lose(3);
  await release();
  expect(given).toEqual([['0.py'], ['1.py'], ['2.py'], 'crashed']);
});

test('a loss comes after the reports before it', async () => {
  const { given, answer, lose } = begin(4);
  await answer(0);
  await lose(1);
  for (const n of [2, 3]) await lose(n);
  expect(given).toEqual([['0.py'], 'crashed']);
});
