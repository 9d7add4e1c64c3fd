/** The inspector of changed files. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { fakeInspection } from '../scan/tool.fixture.ts';
import { ToolError } from '../spec/error.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { Inspection } from '../spec/inspection.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';
import { Inspector } from './inspector.ts';

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
