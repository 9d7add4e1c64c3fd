/** The inspector of changed files. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { fakeInspection } from '../scan/tool.fixture.ts';
import { ToolError, type ToolErrorCode } from '../spec/error.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { Inspection } from '../spec/tool.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';
import { inspectAll, Inspector, inspectSome, oneTurn, type Turns } from './inspector.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const files = { 'a.py': '1', 'b.py': '1', 'c.py': '1' };

/** Interpreters that record what is done to them. Importing `crash.py` ends one; updating a dead one fails. */
class Bench {
  readonly log: string[] = [];
  #taken = 0;
  dead = new Set<number>();
  readonly inspector = new Inspector(() => this.#take(), defaultLimits);

  async ask(folder: FolderSnapshot, ...asked: string[]): Promise<string[]> {
    const reports: string[] = [];
    await this.inspector.inspect(new AbortController().signal, folder, asked, (report) => {
      reports.push(report instanceof ToolError ? report.code : report.file);
    });
    return reports;
  }

  #take() {
    this.#taken += 1;
    const number = this.#taken;
    this.log.push(`take ${number}`);
    const python = {
      dispose: () => {
        this.log.push(`end ${number}`);
      },
      updateFiles: (_signal: AbortSignal, _folder: FolderSnapshot, changes: FolderChanges) => {
        const { written, removed } = changes;
        const paths = [...written.map(({ path }) => path), ...removed];
        this.log.push(`update ${number} ${paths.join()}`);
        const lost = new ToolError('crashed', 'It is gone.');
        return this.dead.has(number) ? Promise.reject(lost) : Promise.resolve(new Set<string>());
      },
      inspect: async (
        _signal: AbortSignal,
        asked: readonly string[],
        _limits: unknown,
        onReport: (inspection: Inspection) => void,
        before?: Promise<unknown>,
      ) => {
        this.log.push(`inspect ${number} ${asked.join()}`);
        await before;
        for (const file of asked) {
          if (file === 'crash.py') throw new ToolError('crashed', 'It crashed.');
          onReport(fakeInspection(file));
        }
      },
    };
    return Promise.resolve({
      python: python as unknown as FolderPython,
      folder: fakeFolder(files),
    });
  }
}

test('an interpreter is taken at the first edit, updated, and kept for the next', async () => {
  const bench = new Bench();
  const edited = fakeFolder({ ...files, 'a.py': '2' });
  expect(await bench.ask(edited, 'a.py', 'b.py')).toEqual(['a.py', 'b.py']);
  expect(await bench.ask(fakeFolder({ 'a.py': '2', 'b.py': '3' }), 'b.py')).toEqual(['b.py']);
  expect(bench.log).toEqual([
    'take 1',
    'update 1 a.py',
    'inspect 1 a.py,b.py',
    'update 1 b.py,c.py',
    'inspect 1 b.py',
  ]);
});

test('a file that kills the interpreter affects only itself: the next file gets another one', async () => {
  const bench = new Bench();
  expect(await bench.ask(fakeFolder(files), 'a.py', 'crash.py', 'c.py')).toEqual([
    'a.py',
    'crashed',
    'c.py',
  ]);
  expect(bench.log).toEqual([
    'take 1',
    'inspect 1 a.py,crash.py,c.py',
    'end 1',
    'take 2',
    'inspect 2 crash.py',
    'end 2',
    'take 3',
    'inspect 3 c.py',
  ]);
});

test('an interpreter that died meanwhile is replaced', async () => {
  const bench = new Bench();
  await bench.ask(fakeFolder(files), 'a.py');
  bench.dead.add(1);
  expect(await bench.ask(fakeFolder({ ...files, 'a.py': '2' }), 'a.py')).toEqual(['a.py']);
  expect(bench.log.slice(2)).toEqual([
    'update 1 a.py',
    'inspect 1 a.py',
    'end 1',
    'take 2',
    'update 2 a.py',
    'inspect 2 a.py',
  ]);
});

test('the interpreter is ended after it has been idle for a while', async () => {
  const bench = new Bench();
  await bench.ask(fakeFolder(files), 'a.py');
  vi.advanceTimersByTime(59_000);
  await bench.ask(fakeFolder(files), 'a.py');
  vi.advanceTimersByTime(59_000);
  expect(bench.log).not.toContain('end 1');
  vi.advanceTimersByTime(2_000);
  expect(bench.log.at(-1)).toBe('end 1');
  bench.inspector.dispose();
  expect(bench.log.filter((line) => line === 'end 1').length).toBe(1);
});

test('an error of the listener is thrown, and does not count as a dead interpreter', async () => {
  const bench = new Bench();
  await bench.ask(fakeFolder(files), 'a.py');
  const { signal } = new AbortController();
  const edited = fakeFolder({ ...files, 'a.py': '2' });
  const onReport = vi.fn(() => {
    throw new Error('The list is gone.');
  });
  await expect(bench.inspector.inspect(signal, edited, ['a.py', 'b.py'], onReport)).rejects.toThrow(
    'The list is gone.',
  );
  expect(onReport).toHaveBeenCalledTimes(1);
  expect(bench.log.filter((line) => line.startsWith('take'))).toEqual(['take 1']);
});

test('nothing is reported of files whose update failed, until they are inspected in the next interpreter', async () => {
  const bench = new Bench();
  await bench.ask(fakeFolder(files), 'a.py');
  bench.dead.add(1);
  const edited = fakeFolder({ ...files, 'a.py': '2' });
  expect(await bench.ask(edited, 'a.py', 'b.py')).toEqual(['a.py', 'b.py']);
});

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
