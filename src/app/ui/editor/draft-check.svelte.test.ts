import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Problem } from '../../../runtime/spec/folder.ts';
import { DraftCheck } from './draft-check.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const problem: Problem = {
  severity: 'error',
  code: 'odd',
  file: 'a.py',
  line: 1,
  column: null,
  message: 'no',
  expected: '',
  hint: '',
};

/** A folder whose checks the test answers. */
function setUp(path = 'a.py') {
  const asked: string[] = [];
  const answers: ((problems: readonly Problem[] | null) => void)[] = [];
  const draft = new DraftCheck(
    {
      check: (_, __, bytes) => {
        asked.push(new TextDecoder().decode(bytes));
        return new Promise((resolve) => answers.push(resolve));
      },
    },
    path,
  );
  const answer = async (problems: readonly Problem[] | null): Promise<void> => {
    answers.shift()?.(problems);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { draft, asked, answer };
}

test('a text is checked once the user pauses, one at a time, and the last one counts', async () => {
  const { draft, asked, answer } = setUp();
  for (const text of ['d', 'de', 'def']) draft.follow(text);
  await vi.advanceTimersByTimeAsync(699);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['def']);
  for (const text of ['def f', 'def fg']) {
    draft.follow(text);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(asked).toEqual(['def']);
  await answer([problem]);
  expect(draft.checked).toEqual({ text: 'def', problems: [problem] });
  expect(asked).toEqual(['def', 'def fg']);
  // A check that was given up leaves what is known.
  await answer(null);
  expect(draft.checked).toEqual({ text: 'def', problems: [problem] });
});

test('a saved text has the problems of the folder', async () => {
  const { draft, asked, answer } = setUp();
  draft.follow('x');
  await vi.advanceTimersByTimeAsync(1_000);
  await answer([problem]);
  draft.follow(null);
  expect(draft.checked).toBe(null);
  draft.follow('xy');
  draft.follow(null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['x']);
});

test.each([
  ['a helper', '_help.py', 'x'],
  ['data', 'data.json', 'x'],
  ['a very long text', 'a.py', 'x'.repeat(200_001)],
])('%s is not checked before it is saved', async (_, path, text) => {
  const { draft, asked } = setUp(path);
  draft.follow(text);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual([]);
});

test('a check that ends after the editor was closed changes nothing', async () => {
  const { draft, answer } = setUp();
  draft.follow('x');
  await vi.advanceTimersByTimeAsync(1_000);
  draft.dispose();
  await answer([problem]);
  expect(draft.checked).toBe(null);
});
