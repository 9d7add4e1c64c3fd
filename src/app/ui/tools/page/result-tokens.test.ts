import { expect, test } from 'vitest';
import { newCall, type LoggedCall } from '../../../../runtime/spec/call.ts';
import { failure, textResult } from '../../../../runtime/call/results.ts';
import type { ToolResult } from '../../../../runtime/spec/result.ts';
import { selectObservedRuns, resultTokens } from './result-tokens.ts';

function logged(result: ToolResult, more: Partial<LoggedCall> = {}): LoggedCall {
  const call = newCall('user', 'm:f', '{}');
  return {
    id: call.id,
    at: 1,
    call,
    folder: 'f',
    folderId: '',
    fileHash: 'h',
    result,
    cut: false,
    ...more,
  };
}

test('the median and the largest are those of successful runs', () => {
  const chars = [4, 40_000, 8, 400];
  const runs = chars.map((length) => logged(textResult('x'.repeat(length))));
  expect(resultTokens([...runs, logged(failure('E', 'x'.repeat(999_999)))])).toEqual({
    runs: 4,
    median: 2,
    largest: 10_000,
    cut: 1,
  });
  expect(resultTokens([])).toBeNull();
});

test('values of complete results of the same file are looked at, within limits', () => {
  const json = (text: string): ToolResult => ({
    ...textResult(text),
    content: [{ type: 'json', text }],
  });
  const big = `["${'x'.repeat(900_000)}"]`;
  const runs = [
    logged(json('[1]')),
    logged(json('[2]'), { cut: true }),
    logged(json('[3]'), { fileHash: 'other' }),
    logged(failure('E', 'no')),
    ...[1, 2, 3].map(() => logged(json(big))),
    ...Array.from({ length: 30 }, (_, n) => logged(json(`[${n + 10}]`))),
  ];
  const values = selectObservedRuns(runs, 'h').map(({ value }) => value);
  expect(values.filter((value) => value === big)).toHaveLength(2);
  expect(values).toHaveLength(20);
  expect(values).not.toContain('[2]');
  expect(values).not.toContain('[3]');
});
