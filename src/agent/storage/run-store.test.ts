import { expect, test } from 'vitest';
import { holdRun } from './run-store.ts';

/** Locks as in browsers: one is free some time after its promise has settled, not at once. */
function fakeLocks(): Pick<LockManager, 'request'> {
  const held = new Set<string>();
  const request = async (
    name: string,
    _: LockOptions,
    use: (lock: Lock | null) => Promise<void> | undefined,
  ): Promise<void> => {
    if (held.has(name)) return use(null);
    held.add(name);
    await use({ name, mode: 'exclusive' });
    held.delete(name);
  };
  return { request: request as LockManager['request'] };
}

test('one page has the right to a run until it gives it back', async () => {
  const locks = fakeLocks();
  const release = await holdRun(locks, '/', 'a');
  expect(release).not.toBeNull();
  expect(await holdRun(locks, '/', 'a')).toBeNull();
  expect(await holdRun(locks, '/', 'b')).not.toBeNull();
  void release?.();
  expect(await holdRun(locks, '/', 'a')).not.toBeNull();
});

test('without locks, or if the browser refuses them, a run can be carried out', async () => {
  const refusing = { request: () => Promise.reject(new DOMException('no', 'SecurityError')) };
  for (const locks of [undefined, refusing])
    expect(await holdRun(locks, '/', 'a')).toEqual(expect.any(Function));
});
