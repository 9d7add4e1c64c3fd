/** The number of files that Python gets in one turn, and the file that ends it. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToolError, type ToolErrorCode } from '../spec/error.ts';
import type { Inspection } from '../spec/inspection.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';
import { inspectAll, inspectSome, oneTurn, type Turns } from './import-tool-files.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Sizes of the turns for files that take so many milliseconds each. */
async function sizes(turns: Turns, ...times: number[]): Promise<number[]> {
  const taken: number[] = [];
  const files = times.map((_, n) => `${n}.py`);
  await inspectAll(files, turns, (some) => {
    taken.push(some.length);
    for (const file of some) vi.advanceTimersByTime(times[files.indexOf(file)] ?? 0);
    return Promise.resolve({ ended: some.length, suspects: 0, survived: true, failed: null });
  });
  return taken;
}

const turns = { first: 4, max: 50, ms: 100 };

test('quick files go in few turns, and slow ones leave time for calls between them', async () => {
  expect(await sizes(turns, ...new Array<number>(104).fill(1))).toEqual([4, 50, 50]);
  expect(await sizes(turns, ...new Array<number>(12).fill(50))).toEqual([4, 2, 2, 2, 2]);
  expect(await sizes(turns, ...new Array<number>(7).fill(5_000))).toEqual([4, 1, 1, 1]);
  expect(await sizes(turns, ...new Array<number>(6).fill(0))).toEqual([4, 2]);
});

test('changed files go at once', async () => {
  expect(await sizes(oneTurn, ...new Array<number>(30).fill(500))).toEqual([30]);
});

/**
 * Inspects files of which some end the interpreter when they are imported. All reports of such a turn are lost, or only
 * those after `arrives` of them.
 */
async function ended(
  { code = 'crashed', arrives = 0, turns: given = oneTurn, by }: Options,
  files: readonly string[],
) {
  const asked: string[] = [];
  const reports: string[] = [];
  const onReport = (report: Inspection | ToolError): void => {
    reports.push(report instanceof ToolError ? report.code : report.file);
  };
  await inspectAll(files, given, (some) => {
    asked.push(some.join(' '));
    const python = {
      inspect: (...[, , , tell]: Parameters<FolderPython['inspect']>): Promise<void> => {
        const end = some.findIndex((file) => by(file, some));
        for (const file of some.slice(0, end < 0 ? some.length : Math.min(end, arrives)))
          tell({ file } as Inspection);
        return end < 0 ? Promise.resolve() : Promise.reject(new ToolError(code, 'It ended.'));
      },
    };
    const { signal } = new AbortController();
    return inspectSome(signal, python as unknown as FolderPython, some, defaultLimits, onReport);
  });
  return { asked, reports };
}

interface Options {
  readonly code?: ToolErrorCode;
  readonly arrives?: number;
  readonly turns?: Turns;
  /** Whether the import of a file ends the interpreter, which has been asked for `some`. */
  readonly by: (file: string, some: readonly string[]) => boolean;
}

const isC = (file: string): boolean => file === 'c';

test.each(['crashed', 'flood', 'protocol'] as const)(
  'a file whose report is lost because a later one ends the interpreter is not blamed: %s',
  async (code) => {
    expect(await ended({ code, by: isC }, ['a', 'b', 'c', 'd', 'e'])).toEqual({
      asked: ['a b c d e', 'a', 'b', 'c', 'd e'],
      reports: ['a', 'b', code, 'd', 'e'],
    });
    expect(
      (await ended({ code, by: isC, arrives: 2, turns }, ['a', 'b', 'c', 'd'])).reports,
    ).toEqual(['a', 'b', code, 'd']);
  },
);

test('the last file that has no report is blamed at once, and so is one that takes too long', async () => {
  expect(await ended({ by: isC, arrives: 2 }, ['a', 'b', 'c'])).toEqual({
    asked: ['a b c'],
    reports: ['a', 'b', 'crashed'],
  });
  expect(await ended({ code: 'timeout', by: isC, arrives: 2 }, ['a', 'b', 'c', 'd'])).toEqual({
    asked: ['a b c d', 'd'],
    reports: ['a', 'b', 'timeout', 'd'],
  });
});

test('if each file is harmless alone, none is blamed', async () => {
  const by = (_: string, { length }: readonly string[]): boolean => length > 2;
  expect(await ended({ by }, ['a', 'b', 'c'])).toEqual({
    asked: ['a b c', 'a', 'b', 'c'],
    reports: ['a', 'b', 'c'],
  });
});
