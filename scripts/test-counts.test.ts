/** The last line of `npm test` is true. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countBrowser, countLines, countUnit } from './test-counts.mjs';

test('lines of several runs add up, other lines do not count', () => {
  const output = [
    'python (CPython 3.11): 40 passed, 0 failed',
    'a test says: 3 passed, 1 failed, and more',
    'python (Pyodide 3.14): 38 passed, 2 failed',
  ].join('\n');
  expect(countLines(output)).toEqual({ passed: 78, failed: 2 });
});

test('nothing counted is nothing passed', () => {
  expect(countLines('Segmentation fault')).toEqual({ passed: 0, failed: 0 });
});

test('a unit test that was skipped has not passed', async () => {
  const report = { numTotalTests: 10, numPassedTests: 7, numFailedTests: 1, numPendingTests: 2 };
  expect(await withReport(report, countUnit)).toEqual({ passed: 7, failed: 3 });
});

test('a browser test that was skipped has not passed, one that passed at the second try has', async () => {
  const report = { stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 3 } };
  expect(await withReport(report, countBrowser)).toEqual({ passed: 7, failed: 4 });
});

test('a report of another form is no report', async () => {
  await expect(withReport({ stats: {} }, countBrowser)).rejects.toThrow('lacks a number');
});

async function withReport<T>(report: unknown, count: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-counts-'));
  try {
    const file = join(folder, 'report.json');
    await writeFile(file, JSON.stringify(report));
    return await count(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
