/** Conversion of observer records, and browsers without an observer. */

import { afterEach, expect, test, vi } from 'vitest';
import type { ChangeNotice } from './source.ts';
import { noticeOf, observeFolder } from './folder-observer.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const handle = {} as FileSystemDirectoryHandle;

function record(type: 'modified' | 'moved' | 'unknown' | 'errored', path: string, from?: string) {
  return {
    type,
    relativePathComponents: path === '' ? [] : path.split('/'),
    relativePathMovedFrom: from?.split('/') ?? null,
    changedHandle: null,
  };
}

test('paths are reported once each, both for a move', () => {
  const records = [
    record('modified', 'a.py'),
    record('modified', 'a.py'),
    record('moved', 'b.py', 'sub/tmp'),
  ];
  expect(noticeOf(records)).toEqual(['a.py', 'b.py', 'sub/tmp']);
});

test('changes without a path may be anything, and an error is the end', () => {
  const modified = record('modified', 'a.py');
  expect(noticeOf([modified, record('unknown', 'b.py')])).toBe('anything');
  expect(noticeOf([record('modified', '')])).toBe('anything');
  expect(noticeOf([modified, record('errored', '')])).toBe('ended');
});

test('observing resolves to null without the API, or if it refuses the folder', async () => {
  expect(await observeFolder(handle, () => undefined)).toBe(null);
  vi.stubGlobal(
    'FileSystemObserver',
    class {
      observe(): Promise<void> {
        return Promise.reject(new DOMException('no', 'NotSupportedError'));
      }
    },
  );
  expect(await observeFolder(handle, () => undefined)).toBe(null);
});

test('changes are reported until observing stops', async () => {
  const log: unknown[] = [];
  let tell: (records: unknown[]) => void = () => undefined;
  vi.stubGlobal(
    'FileSystemObserver',
    class {
      constructor(callback: (records: unknown[]) => void) {
        tell = callback;
      }
      observe(...request: unknown[]): Promise<void> {
        log.push(request);
        return Promise.resolve();
      }
      disconnect(): void {
        log.push('disconnected');
      }
    },
  );
  const stop = await observeFolder(handle, (notice: ChangeNotice, files) => {
    log.push(notice, [...files]);
  });
  const file = { kind: 'file' };
  tell([
    { ...record('modified', 'sub/a.py'), changedHandle: file },
    { ...record('modified', 'sub'), changedHandle: { kind: 'directory' } },
    record('moved', 'b.py', 'c.py'),
  ]);
  stop?.();
  expect(log).toEqual([
    [handle, { recursive: true }],
    ['sub/a.py', 'sub', 'b.py', 'c.py'],
    [['sub/a.py', file]],
    'disconnected',
  ]);
});
