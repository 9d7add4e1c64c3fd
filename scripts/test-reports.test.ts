/** The last line of `npm test` is correct. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countLines, playwrightTests, tooSlow, vitestTests } from './test-reports.mjs';

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

test('a unit test that was skipped has failed, one that passed at its second try is flaky', async () => {
  const assertion = (fullName: string, status: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
    ...(status !== 'pending' && { duration: 1500 }),
  });
  const assertionResults = [
    assertion('a', 'passed'),
    assertion('b', 'failed', 'Error'),
    assertion('c', 'pending'),
    assertion('d', 'passed', 'Error'),
  ];
  const report = { testResults: [{ name: '/root/src/a.test.ts', assertionResults }] };
  const at = { suite: '', file: 'src/a.test.ts', seconds: 1.5 };
  expect(await withReport(report, (path) => vitestTests(path, '/root'))).toEqual([
    { ...at, name: 'a', outcome: 'passed' },
    { ...at, name: 'b', outcome: 'failed' },
    { ...at, name: 'c', outcome: 'failed', seconds: 0 },
    { ...at, name: 'd', outcome: 'flaky' },
  ]);
});

test('browser tests are found in every project and group; a skipped one has failed', async () => {
  const spec = (id: string, ...tests: [project: string, status: string, ...ms: number[]][]) => ({
    id,
    title: `test ${id}`,
    file: 'a.test.ts',
    tests: tests.map(([projectName, status, ...ms]) => ({
      projectName,
      status,
      results: ms.map((duration) => ({ duration })),
    })),
  });
  const report = {
    suites: [
      {
        title: 'a.test.ts',
        specs: [spec('1', ['app', 'expected', 1000], ['cold', 'flaky', 2000, 500])],
        suites: [
          {
            title: 'group',
            specs: [spec('2', ['app', 'unexpected', 100, 100]), spec('3', ['app', 'skipped'])],
          },
        ],
      },
    ],
  };
  const file = 'tests/a.test.ts';
  expect(await withReport(report, playwrightTests)).toEqual([
    { suite: 'app', file, name: 'test 1', seconds: 1, outcome: 'passed', id: '1' },
    { suite: 'cold', file, name: 'test 1', seconds: 2.5, outcome: 'flaky', id: '1' },
    { suite: 'app', file, name: 'group › test 2', seconds: 0.2, outcome: 'failed', id: '2' },
    { suite: 'app', file, name: 'group › test 3', seconds: 0, outcome: 'failed', id: '3' },
  ]);
});

test('what exceeded a limit at its first try has failed, whatever else is flaky', async () => {
  const spec = (id: string, ...results: [status: string, ...annotations: string[]][]) => ({
    id,
    title: `test ${id}`,
    file: 'a.test.ts',
    tests: [
      {
        projectName: 'app',
        status: results.length > 1 ? 'flaky' : 'expected',
        results: results.map(([status, ...annotations]) => ({
          status,
          duration: 500,
          annotations: annotations.map((type) => ({ type })),
        })),
      },
    ],
  });
  const specs = [
    spec('stalls once', ['failed', tooSlow], ['passed']),
    spec('loses its page once', ['timedOut', 'save to page'], ['passed', 'save to page']),
    spec('shows that a stall is seen', ['passed', tooSlow]),
    spec('loses its page, then shows it', ['failed'], ['passed', tooSlow]),
  ];
  const found = await withReport({ suites: [{ title: 'a.test.ts', specs }] }, playwrightTests);
  expect(found.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['stalls once', 'failed'],
    ['loses its page once', 'flaky'],
    ['shows that a stall is seen', 'passed'],
    ['loses its page, then shows it', 'flaky'],
  ]);
});

test('a report of another form is no report', async () => {
  await expect(withReport({ stats: {} }, playwrightTests)).rejects.toThrow('lacks a list');
  await expect(withReport([1], (path) => vitestTests(path, '/'))).rejects.toThrow('lacks a list');
});

async function withReport<T>(report: unknown, read: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-reports-'));
  try {
    const path = join(folder, 'report.json');
    await writeFile(path, JSON.stringify(report));
    return await read(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
