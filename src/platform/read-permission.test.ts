import { expect, test } from 'vitest';
import { mayRead } from './read-permission.ts';

type State = PermissionState;

function handle(now: State, answer?: State | Error): FileSystemDirectoryHandle & { asked: number } {
  const fake = {
    asked: 0,
    queryPermission: () => Promise.resolve(now),
    requestPermission: () => {
      fake.asked += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? 'denied');
    },
  };
  return fake as unknown as FileSystemDirectoryHandle & { asked: number };
}

test('a granted permission needs no question', async () => {
  const granted = handle('granted');
  expect([await mayRead(granted, true), granted.asked]).toEqual([true, 0]);
});

test('an expired permission is requested only if asking is allowed', async () => {
  const ended = handle('prompt', 'granted');
  expect([await mayRead(ended, false), ended.asked]).toEqual([false, 0]);
  expect([await mayRead(ended, true), ended.asked]).toEqual([true, 1]);
});

test('a refusal, or a click too long ago, is a no', async () => {
  expect(await mayRead(handle('prompt', 'denied'), true)).toBe(false);
  expect(await mayRead(handle('prompt', new DOMException('late', 'SecurityError')), true)).toBe(
    false,
  );
});

test('without the permission API, reading is assumed to be allowed', async () => {
  expect(await mayRead({} as FileSystemDirectoryHandle, false)).toBe(true);
});
