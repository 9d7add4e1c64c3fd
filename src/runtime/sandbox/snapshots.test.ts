/** When a snapshot is used to start, and when not. */

import { describe, expect, it } from 'vitest';
import type { MemorySnapshot, SnapshotStore } from '../spec/interpreter.ts';
import { snapshotKey, Snapshots, type FoundSnapshot, type SnapshotPurpose } from './snapshots.ts';

const memory = new Blob(['memory']);

function memoryStore(): SnapshotStore {
  let stored: MemorySnapshot | null = null;
  return {
    read: () => Promise.resolve(stored),
    write: async (snapshot) => {
      await Promise.resolve();
      stored = snapshot;
    },
    clear: async () => {
      await Promise.resolve();
      stored = null;
    },
    bytes: () => Promise.resolve(stored?.content.size ?? 0),
  };
}

const key = (): Promise<string> => Promise.resolve('key');

async function text(found: FoundSnapshot | null): Promise<string | null> {
  return found !== null && (await found.intact) ? found.content.text() : null;
}

describe('snapshots', () => {
  it('finds a stored snapshot', async () => {
    const snapshots = new Snapshots(memoryStore(), key);
    expect([await snapshots.find(), await snapshots.needsNone()]).toEqual([null, false]);
    await snapshots.store(memory, { forPackages: false });
    expect([await text(await snapshots.find()), await snapshots.needsNone()]).toEqual([
      'memory',
      true,
    ]);
    expect(await snapshots.bytes()).toBe(6);
  });

  it('ignores a snapshot of another browser until it replaces it', async () => {
    const store = memoryStore();
    await new Snapshots(store, () => Promise.resolve('another')).store(memory, {
      forPackages: false,
    });
    const snapshots = new Snapshots(store, key);
    expect([await snapshots.find(), await snapshots.needsNone()]).toEqual([null, false]);
    expect(await snapshots.bytes()).toBe(6);
    await snapshots.store(memory, { forPackages: false });
    expect([await text(await snapshots.find()), await snapshots.needsNone()]).toEqual([
      'memory',
      true,
    ]);
  });

  it('replaces a snapshot by one for packages once a folder needs it, and not the other way round', async () => {
    const store = memoryStore();
    const keyOf = ({ forPackages }: SnapshotPurpose) =>
      Promise.resolve(forPackages ? 'packages' : 'plain');
    const snapshots = new Snapshots(store, keyOf);
    await snapshots.store(memory, { forPackages: false });
    snapshots.forPackages = true;
    expect([await text(await snapshots.find()), await snapshots.needsNone()]).toEqual([
      'memory',
      false,
    ]);
    await snapshots.store(new Blob(['more']), { forPackages: true });
    expect(await snapshots.needsNone()).toBe(true);
    const next = new Snapshots(store, keyOf);
    expect([await text(await next.find()), await next.needsNone()]).toEqual(['more', true]);
  });

  it('does not compute the key if nothing is stored', async () => {
    const asked = new Snapshots(memoryStore(), () => Promise.reject(new Error('asked')));
    expect(await asked.needsNone()).toBe(false);
  });

  it('deletes a snapshot that has been altered, and stores a new one', async () => {
    const store = memoryStore();
    const snapshots = new Snapshots(store, key);
    await snapshots.store(memory, { forPackages: false });
    const sha256 = (await store.read())?.sha256 ?? '';
    await store.write({ key: 'key', content: new Blob(['memorx']), sha256 });
    expect([await text(await snapshots.find()), await snapshots.bytes()]).toEqual([null, 0]);
    expect([await snapshots.find(), await snapshots.needsNone()]).toEqual([null, false]);
    await snapshots.store(memory, { forPackages: false });
    expect(await text(await snapshots.find())).toBe('memory');
  });

  it('neither finds nor stores snapshots after they were disabled', async () => {
    const snapshots = new Snapshots(memoryStore(), key);
    await snapshots.store(memory, { forPackages: false });
    await snapshots.disable();
    expect([await snapshots.needsNone(), await snapshots.bytes()]).toEqual([true, 0]);
    await snapshots.store(memory, { forPackages: false });
    expect([await snapshots.find(), await snapshots.bytes()]).toEqual([null, 0]);
  });

  it('finds none if storage fails or cryptography is missing', async () => {
    const refused = (): Promise<never> => Promise.reject(new Error('blocked'));
    const store = { read: refused, write: refused, clear: refused, bytes: refused };
    const blocked = new Snapshots(store, key);
    expect(await blocked.find()).toBeNull();
    await expect(blocked.store(memory, { forPackages: false })).rejects.toThrow('blocked');
    const full = memoryStore();
    await new Snapshots(full, key).store(memory, { forPackages: false });
    const unkeyed = new Snapshots(full, () => Promise.reject(new Error('no cryptography')));
    expect(await unkeyed.find()).toBeNull();
  });
});

describe('the key of a snapshot', () => {
  const files = [
    { name: 'wasm', sha256: '01' },
    { name: 'loader', sha256: '02' },
  ];
  const here = {
    userAgent: 'A/1',
    language: 'en',
    timeZone: 'UTC',
    stackSwitching: true,
    forPackages: false,
  };

  it('is the same for the same inputs', async () => {
    expect(await snapshotKey(files, here)).toBe(await snapshotKey([...files], { ...here }));
  });

  it('differs with every file and every other input', async () => {
    const others = [
      snapshotKey(
        [
          { name: 'wasm', sha256: '03' },
          { name: 'loader', sha256: '02' },
        ],
        here,
      ),
      snapshotKey(files.slice(1), here),
      snapshotKey(files, { ...here, userAgent: 'A/2' }),
      snapshotKey(files, { ...here, language: 'de' }),
      snapshotKey(files, { ...here, timeZone: 'Europe/Berlin' }),
      snapshotKey(files, { ...here, stackSwitching: false }),
      snapshotKey(files, { ...here, forPackages: true }),
    ];
    const keys = await Promise.all([snapshotKey(files, here), ...others]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
