import { expect, test } from 'vitest';
import { sampleResult } from '../../../../../tests/support/ui-samples.ts';
import { newCall } from '../../../../runtime/spec/call.ts';
import { Run } from '../runs/runs.svelte.ts';
import { ProgramConsole } from './console.svelte.ts';

function setup(memory = new Map<string, string>()) {
  const ran: unknown[] = [];
  const cancelled: string[] = [];
  const shown = new ProgramConsole({
    runs: {
      follow: (call) => new Run(call, 1),
      stop: ({ call }) => cancelled.push(call.id),
    },
    sessions: () =>
      Promise.resolve({
        programs: {
          functions: () => [],
          callOf: ({ code }) => newCall('user', 'run_python', JSON.stringify({ code })),
          run: (_, __, program) => {
            ran.push(program);
            return Promise.resolve();
          },
        },
      }),
    memory: {
      getItem: (key: string) => memory.get(key) ?? null,
      setItem: (key: string, text: string) => void memory.set(key, text),
    },
  });
  const end = (): void => {
    const run = shown.running;
    if (run === undefined) throw new Error('No program runs.');
    run.take({ type: 'call-ended', call: run.call, result: sampleResult(), at: 2 });
  };
  return { shown, ran, cancelled, end, memory };
}

test('one program runs at a time, for the session in view, and can be stopped', async () => {
  const { shown, ran, cancelled, end } = setup();
  await shown.run(null);
  expect(ran).toEqual([]);
  shown.text = 'await a.b()';
  await shown.run('s1');
  expect(ran).toEqual([{ code: 'await a.b()', keep: true, session: 's1' }]);
  await shown.run('s1');
  expect(ran).toHaveLength(1);
  shown.stop();
  expect(cancelled).toEqual([shown.running?.call.id]);
  end();
  expect(shown.running).toBeUndefined();
});

test('earlier programs are found again, each once, also in a later visit', async () => {
  const { shown, end, memory } = setup();
  for (const code of ['one', 'two', 'one']) {
    shown.text = code;
    await shown.run(null);
    end();
  }
  const later = setup(memory).shown;
  later.recall(-1);
  expect([later.text, later.hasLater]).toEqual(['one', true]);
  later.recall(-1);
  expect([later.text, later.hasEarlier]).toEqual(['two', false]);
  later.recall(1);
  later.recall(1);
  expect([later.text, later.version]).toEqual(['', 4]);
});

test('what was typed comes back after the latest program', async () => {
  const { shown, end } = setup();
  expect(shown.recall(-1)).toBe(false);
  shown.text = 'one';
  await shown.run(null);
  end();
  shown.text = 'half of tw';
  expect([shown.recall(-1), shown.text]).toEqual([true, 'one']);
  expect([shown.recall(-1), shown.text]).toEqual([false, 'one']);
  expect([shown.recall(1), shown.text]).toEqual([true, 'half of tw']);
  expect([shown.recall(1), shown.text]).toEqual([false, 'half of tw']);
});

test('stored programs are bounded', async () => {
  const { shown, end, memory } = setup();
  for (let n = 0; n < 60; n += 1) {
    shown.text = `${n} ${'x'.repeat(10_000)}`;
    await shown.run(null);
    end();
  }
  expect([...memory.values()].join('').length).toBeLessThan(210_000);
  expect(shown.runs).toHaveLength(20);
});
