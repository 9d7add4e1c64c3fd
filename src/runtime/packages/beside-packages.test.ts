/** Inspections of files in order, without those whose packages are missing. */

import { expect, test } from 'vitest';
import { fakeInspection } from '../scan/tool.fixture.ts';
import { ToolError } from '../spec/error.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Problem } from '../spec/problem.ts';
import { inspectBeside } from './beside-packages.ts';
import { problem } from './packages.fixture.ts';

type Report = Inspection | ToolError;

const plain = (file: string): Report => fakeInspection(file);

async function reports(
  problems: readonly Problem[],
  files: readonly string[],
  inspected: (file: string) => Report = plain,
) {
  const asked: (readonly string[])[] = [];
  const reported: Report[] = [];
  await inspectBeside(
    problems,
    files,
    (report) => reported.push(report),
    async (some, onReport) => {
      asked.push(some);
      for (const file of some) {
        await Promise.resolve();
        onReport(inspected(file));
      }
    },
  );
  return { asked, reported };
}

function blocked(file: string, ...problems: Problem[]): Inspection {
  return fakeInspection(file, { problems, durationMs: 0 });
}

const warning = (file: string): Problem => problem(file, { severity: 'warning' });

test('without problems all files are inspected', async () => {
  const { asked, reported } = await reports([], ['a.py', 'b.py']);
  expect([asked, reported]).toEqual([[['a.py', 'b.py']], [plain('a.py'), plain('b.py')]]);
});

test.each([
  ['first', ['a.py', 'b.py']],
  ['in the middle', ['b.py', 'd.py']],
  ['last', ['d.py', 'e.py']],
  ['all', ['a.py', 'b.py', 'c.py', 'd.py', 'e.py']],
])('blocked files are reported in their place, and not imported: %s', async (_, failing) => {
  const files = ['a.py', 'b.py', 'c.py', 'd.py', 'e.py'];
  const { asked, reported } = await reports(
    failing.map((file) => problem(file)),
    files,
  );
  expect(asked).toEqual([files.filter((file) => !failing.includes(file))]);
  expect(reported).toEqual(
    files.map((file) => (failing.includes(file) ? blocked(file, problem(file)) : plain(file))),
  );
});

test('problems of other files, and of the folder, block no file', async () => {
  const { asked, reported } = await reports(
    [problem('gone.py'), problem('requirements.txt'), problem('')],
    ['a.py'],
  );
  expect([asked, reported]).toEqual([[['a.py']], [plain('a.py')]]);
});

test('warnings come after the problems of the import', async () => {
  const own = problem('a.py', { code: 'odd' });
  const { reported } = await reports([warning('a.py')], ['a.py', 'b.py'], (file) =>
    fakeInspection(file, { problems: [{ ...own, file }] }),
  );
  expect(reported).toEqual([
    fakeInspection('a.py', { problems: [own, warning('a.py')] }),
    fakeInspection('b.py', { problems: [{ ...own, file: 'b.py' }] }),
  ]);
});

test('a blocked file reports its warnings too', async () => {
  const { reported } = await reports([warning('a.py'), problem('a.py')], ['a.py']);
  expect(reported).toEqual([blocked('a.py', warning('a.py'), problem('a.py'))]);
});

test('a failed import is reported with the warnings, if the file caused it', async () => {
  const slow = new ToolError('timeout', 'Too slow.');
  const other = new ToolError('aborted', 'Stopped.');
  const { reported } = await reports(
    [warning('a.py'), warning('b.py')],
    ['a.py', 'b.py', 'c.py'],
    (file) => (file === 'b.py' ? other : slow),
  );
  expect(reported).toEqual([
    expect.objectContaining({
      file: 'a.py',
      problems: [
        expect.objectContaining({ code: 'import-timeout', message: 'Too slow.' }),
        warning('a.py'),
      ],
    }),
    other,
    slow,
  ]);
});

test('errors of the inspection itself are rethrown', async () => {
  const fault = new Error('died');
  const reported: Report[] = [];
  const inspecting = inspectBeside(
    [problem('b.py')],
    ['a.py', 'b.py'],
    (report) => reported.push(report),
    () => Promise.reject(fault),
  );
  await expect(inspecting).rejects.toBe(fault);
  expect(reported).toEqual([]);
});
