import { expect, test } from 'vitest';
import { isPermitted } from './permission.ts';

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
  expect([await isPermitted(granted, 'read', { ask: true }), granted.asked]).toEqual([true, 0]);
});

test('an expired permission is requested only if asking is allowed', async () => {
  const ended = handle('prompt', 'granted');
  expect([await isPermitted(ended, 'read', { ask: false }), ended.asked]).toEqual([false, 0]);
  expect([await isPermitted(ended, 'read', { ask: true }), ended.asked]).toEqual([true, 1]);
});

test('a refusal, or a click too long ago, is a no', async () => {
  expect(await isPermitted(handle('prompt', 'denied'), 'read', { ask: true })).toBe(false);
  expect(
    await isPermitted(handle('prompt', new DOMException('late', 'SecurityError')), 'read', {
      ask: true,
    }),
  ).toBe(false);
});

test('without the permission API, reading is assumed to be allowed', async () => {
  expect(await isPermitted({} as FileSystemDirectoryHandle, 'read', { ask: false })).toBe(true);
});
