import { expect, test } from 'vitest';
import { sampleResult } from '../../../../../tests/support/ui-samples.ts';
import { ReturnCheck, readReturnedValue } from './return-check.ts';

const fault = { path: '$.a', pointer: '/a', message: 'is required' };
const never = new AbortController().signal;

test('the value that is checked is the one that Python returned', () => {
  const value = (content: Parameters<typeof sampleResult>[0]): string | null =>
    readReturnedValue(sampleResult(content));
  expect([
    value({ content: [{ type: 'json', text: '{"a": 1.0}' }] }),
    value({ content: [{ type: 'text', text: 'say "x"' }] }),
    value({ content: [] }),
    value({ content: [{ type: 'image', mediaType: 'image/png', data: '' }] }),
    value({ content: [{ type: 'json', text: `"${'x'.repeat(1_000_000)}"` }] }),
    value({
      content: [
        { type: 'json', text: '1' },
        { type: 'json', text: '2' },
      ],
    }),
    value({ resultType: 'failure', content: [{ type: 'json', text: '1' }] }),
  ]).toEqual(['{"a": 1.0}', '"say \\"x\\""', null, null, null, null, null]);
});

function fakeChecking() {
  const asked: string[] = [];
  const answers: ((end: 'answer' | 'fail') => void)[] = [];
  const check = new ReturnCheck(() =>
    Promise.resolve({
      check: (signal, schema, args) => {
        asked.push(`${schema} ${args}`);
        return new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          answers.push((end) => (end === 'answer' ? resolve([fault]) : reject(new Error('slow'))));
        });
      },
      dispose: () => undefined,
    }),
  );
  return { check, asked, answers };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

test('results are checked one after the other, and a failed check has no result', async () => {
  const { check, asked, answers } = fakeChecking();
  const first = check.faults(never, { type: 'object' }, '1');
  const second = check.faults(never, {}, '2');
  await settled();
  expect(asked).toEqual(['{"type": "object"} 1']);
  answers[0]?.('fail');
  expect(await first).toBeNull();
  await settled();
  expect(asked.length).toBe(2);
  answers[1]?.('answer');
  expect(await second).toEqual([fault]);
});

test('a result that is no longer shown is not checked', async () => {
  const { check, asked, answers } = fakeChecking();
  const stop = new AbortController();
  const running = check.faults(never, {}, '1');
  const waiting = check.faults(stop.signal, {}, '2');
  stop.abort();
  await settled();
  answers[0]?.('answer');
  await running;
  await expect(waiting).rejects.toThrow();
  expect(asked).toEqual(['{} 1']);
});
