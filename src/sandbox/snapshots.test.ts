/** When there is a snapshot to start from, and when there is none. */

import { describe, expect, it } from 'vitest';
import type { MemorySnapshot, SnapshotStore } from '../spec/snapshot.ts';
import { snapshotKey } from './snapshots.ts';
import { Snapshots } from './snapshots.ts';

const memory = new Blob(['memory']);

function memoryStore(): SnapshotStore {
  let kept: MemorySnapshot | null = null;
  return {
    read: () => Promise.resolve(kept),
    write: async (snapshot) => {
      await Promise.resolve();
      kept = snapshot;
    },
    clear: async () => {
      await Promise.resolve();
      kept = null;
    },
    bytes: () => Promise.resolve(kept?.content.size ?? 0),
  };
}

const key = (): Promise<string> => Promise.resolve('key');

function text(bytes: ArrayBuffer | null): string | null {
  return bytes && new TextDecoder().decode(bytes);
}

describe('snapshots', () => {
  it('finds what was kept', async () => {
    const snapshots = new Snapshots(memoryStore(), key);
    expect([await snapshots.find(), await snapshots.settled()]).toEqual([null, false]);
    await snapshots.keep(memory);
    expect([text(await snapshots.find()), await snapshots.settled()]).toEqual(['memory', true]);
    expect(await snapshots.bytes()).toBe(6);
  });

  it('leaves alone what was made elsewhere, until it makes one of its own', async () => {
    const store = memoryStore();
    await new Snapshots(store, () => Promise.resolve('another')).keep(memory);
    const snapshots = new Snapshots(store, key);
    expect([await snapshots.find(), await snapshots.settled()]).toEqual([null, false]);
    expect(await snapshots.bytes()).toBe(6);
    await snapshots.keep(memory);
    expect([text(await snapshots.find()), await snapshots.settled()]).toEqual(['memory', true]);
  });

  it('asks for no key where there is nothing', async () => {
    const asked = new Snapshots(memoryStore(), () => Promise.reject(new Error('asked')));
    expect(await asked.settled()).toBe(false);
  });

  it('drops what is not what was kept, and would keep another', async () => {
    const store = memoryStore();
    const snapshots = new Snapshots(store, key);
    await snapshots.keep(memory);
    const sha256 = (await store.read())?.sha256 ?? '';
    await store.write({ key: 'key', content: new Blob(['memorx']), sha256 });
    expect([await snapshots.find(), await snapshots.bytes()]).toEqual([null, 0]);
    expect(await snapshots.settled()).toBe(false);
    await snapshots.keep(memory);
    expect(text(await snapshots.find())).toBe('memory');
  });

  it('neither finds nor keeps any once they were given up', async () => {
    const snapshots = new Snapshots(memoryStore(), key);
    await snapshots.keep(memory);
    await snapshots.giveUp();
    expect([await snapshots.settled(), await snapshots.bytes()]).toEqual([true, 0]);
    await snapshots.keep(memory);
    expect([await snapshots.find(), await snapshots.bytes()]).toEqual([null, 0]);
  });

  it('finds none where storage refuses, or where there is no cryptography', async () => {
    const refused = (): Promise<never> => Promise.reject(new Error('blocked'));
    const store = { read: refused, write: refused, clear: refused, bytes: refused };
    const blocked = new Snapshots(store, key);
    expect(await blocked.find()).toBeNull();
    await expect(blocked.keep(memory)).rejects.toThrow('blocked');
    const full = memoryStore();
    await new Snapshots(full, key).keep(memory);
    const unkeyed = new Snapshots(full, () => Promise.reject(new Error('no cryptography')));
    expect(await unkeyed.find()).toBeNull();
  });
});

describe('the key of a snapshot', () => {
  const files = [
    { name: 'wasm', sha256: '01' },
    { name: 'loader', sha256: '02' },
  ];
  const here = { userAgent: 'A/1', language: 'en', timeZone: 'UTC', stackSwitching: true };

  it('is the same for the same', async () => {
    expect(await snapshotKey(files, here)).toBe(await snapshotKey([...files], { ...here }));
  });

  it('differs with every file and every part of the surroundings', async () => {
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
    ];
    const keys = await Promise.all([snapshotKey(files, here), ...others]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
