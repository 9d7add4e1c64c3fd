/** The open folder while it changes on disk, with a fake disk, browser and Python. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readFolder } from '../folder/read-folder.ts';
import { fakeEntry, listSource } from '../folder/source.fixture.ts';
import type { ChangeNotice } from '../folder/source.ts';
import type { WatchState } from '../folder/watch.ts';
import type { FolderUpdate } from './current-folder.ts';
import { noDispatch } from '../registry/dispatch.fixture.ts';
import { Registry } from '../registry/registry.ts';
import { fakeInspection, fakeTool } from '../scan/tool.fixture.ts';
import { scan, type Inspect, type ScannedFile } from '../scan/scan.ts';
import { defaultLimits as limits } from '../spec/limits.ts';
import { WatchedFolder } from './watched-folder.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A file with the text `f` has the tool `f`. */
const inspect: Inspect = (_signal, files, onReport) => {
  for (const file of files) onReport(fakeInspection(file, disk.tools(file)));
  return Promise.resolve();
};

class Disk {
  readonly files = new Map<string, string>();
  failing: Error | null = null;
  /** Readings started and finished. */
  begun = 0;
  done = 0;
  notify: (notice: ChangeNotice) => void = () => undefined;
  readonly opened: string[] = [];
  /** Number of times that the folder was listed. */
  listed = 0;

  tools(file: string) {
    const name = this.files.get(file);
    return name ? { tools: [fakeTool(`${file.slice(0, -3)}:${name}`)] } : { noSpecs: true };
  }

  get source() {
    const { failing, files, opened } = this;
    const entries = [...files.keys()].map((path) =>
      fakeEntry(path, () => {
        opened.push(path);
        return files.get(path) ?? '';
      }),
    );
    const now = listSource(entries);
    if (failing)
      now.entries = () => {
        throw failing;
      };
    return now;
  }
}

test('a save does not wait for the check of a draft', async () => {
  let held = 0;
  /** The check of a draft hangs, as an endless import does, until it is aborted. */
  const { begin, names, watched } = open({ 'a.py': 'f' }, (signal, all, onReport) => {
    if (held === 0) return inspect(signal, all, onReport);
    held -= 1;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  });
  await begin();
  held = 1;
  const { signal } = new AbortController();
  const draft = watched.check(signal, 'a.py', new TextEncoder().encode('while True: pass'));
  await pass(0);
  expect(held).toBe(0);
  disk.files.set('a.py', 'h');
  await watched.reread(new Set(['a.py']));
  expect([await draft, names()]).toEqual([null, ['a:h']]);
  expect(await watched.check(signal, 'a.py', new TextEncoder().encode('h'))).toEqual([]);
});

test('a proposal ends the check of a draft, and is not ended by another one', async () => {
  const { begin, watched } = open({ 'a.py': 'f' }, (signal, all, onReport) =>
    signal.aborted ? Promise.reject(new Error('aborted')) : inspect(signal, all, onReport),
  );
  const { signal } = new AbortController();
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  await expect(watched.propose(signal, 'a.py', bytes('f'), null)).rejects.toThrow('changed');
  await begin();
  const checked = watched.check(signal, 'a.py', bytes('f'));
  const proposed = watched.propose(signal, 'a.py', bytes('h'), null);
  const later = watched.check(signal, 'a.py', bytes('f'));
  expect([await checked, (await proposed).text, await later]).toEqual([null, 'h', []]);
  const pending = watched.propose(signal, 'a.py', bytes('never'), null);
  const refused = expect(pending).rejects.toThrow();
  await pass(0);
  watched.dispose();
  await refused;
});

let disk: Disk;

function open(files: Record<string, string>, inspecting: Inspect = inspect) {
  disk = new Disk();
  const registry = new Registry(noDispatch, () => undefined);
  const states: WatchState[] = [];
  const updates: FolderUpdate[] = [];
  const applied: string[][] = [];
  const pending: Promise<void>[] = [];
  for (const [path, text] of Object.entries(files)) disk.files.set(path, text);
  const source = listSource([], {
    rereadable: true,
    entries: (...request) => {
      disk.listed += 1;
      return disk.source.entries(...request);
    },
    open: (path) => {
      const text = disk.files.get(path);
      const entry = fakeEntry(path, () => text ?? new Error('gone'));
      disk.opened.push(path);
      return entry.file();
    },
    observe: (onNotice) => {
      disk.notify = onNotice;
      return Promise.resolve(() => undefined);
    },
  });
  const watched = new WatchedFolder({
    source,
    limits,
    registry,
    problems: () => [],
    visible: { now: () => true, observe: () => () => undefined },
    after: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => {
        clearTimeout(timer);
      };
    },
    now: () => Date.now(),
    inspect: (signal, _folder, asked, onReport) => inspecting(signal, asked, onReport),
    propose: (signal, folder, file) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        const text = new TextDecoder().decode(
          folder.files.find(({ path }) => path === file)?.bytes,
        );
        if (text !== 'never') resolve({ file, tools: [], text, notes: [] });
      }),
    apply: (_folder, { written, removed }) => {
      applied.push([...written.map(({ path }) => path), ...removed]);
    },
    onRead: () => undefined,
    onWatch: (state) => states.push(state),
    onUpdate: (update) => updates.push(update),
    pending: (work) => {
      pending.push(work);
      disk.begun += 1;
      void work.then(() => {
        disk.done += 1;
      });
    },
  });
  /** @param meanwhile runs between the first scan and its use */
  const begin = async (meanwhile: () => void = () => undefined): Promise<void> => {
    const { signal } = new AbortController();
    const folder = await readFolder(signal, source, limits, () => undefined);
    const scanned = new Map<string, ScannedFile>();
    const problems = await scan(signal, folder, inspect, (one) => {
      scanned.set(one.file, one);
      registry.replaceFile(one, 0);
    });
    meanwhile();
    watched.begin(folder, scanned, problems);
    // The check for changes from before the observer existed.
    await pass(100);
    disk.opened.length = 0;
    pending.length = 0;
  };
  const names = (): string[] => registry.list().map(({ name }) => name);
  return { watched, registry, states, updates, applied, pending, begin, names };
}

/** Advances the fake clock, and lets work without timers finish. */
async function pass(ms: number): Promise<void> {
  for (let spent = 0; spent <= ms; spent += 10) {
    await vi.advanceTimersByTimeAsync(10);
    await new Promise((resolve) => setImmediate(resolve));
    // Hashes come from another thread and do not follow the fake clock.
    for (let turns = 0; turns < 5_000 && disk.done < disk.begun; turns += 1)
      await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a save through a temporary file that replaces the old one is one change', async () => {
  const { begin, names, updates, applied } = open({ 'a.py': 'f', 'b.py': 'g' });
  await begin();
  disk.files.set('.a.py.tmp', 'h');
  disk.notify(['.a.py.tmp']);
  await pass(10);
  disk.files.delete('.a.py.tmp');
  disk.files.set('a.py', 'h');
  disk.notify(['.a.py.tmp', 'a.py']);
  await pass(300);
  expect([names(), updates.length, applied]).toEqual([['a:h', 'b:g'], 1, [['a.py']]]);
  expect(disk.opened).toEqual(['a.py']);
});

test('after a pause, a saved file is in use at once: no listing, no wait, no other file opened', async () => {
  const { begin, names, applied } = open({ 'a.py': '', 'b.py': 'g' });
  await begin();
  await pass(1_000);
  disk.listed = 0;
  disk.files.set('a.py', 'h');
  const at = Date.now();
  // No tool is gone, which would look unfinished.
  disk.notify(['a.py']);
  for (let turns = 0; turns < 5_000 && disk.done < disk.begun; turns += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect([names(), applied, disk.opened, disk.listed, Date.now() - at]).toEqual([
    ['a:h', 'b:g'],
    [['a.py']],
    ['a.py'],
    0,
    0,
  ]);
  await pass(400);
  expect([disk.listed, applied.length]).toEqual([0, 1]);
});

test('a file that is emptied or removed and then written is one change too', async () => {
  const { begin, names, updates } = open({ 'a.py': 'f', 'b.py': 'g' });
  await begin();
  for (const step of [() => disk.files.set('a.py', ''), () => disk.files.delete('a.py')]) {
    step();
    disk.notify(['a.py']);
    await pass(80);
    disk.files.set('a.py', 'h');
    disk.notify(['a.py']);
    await pass(400);
    disk.files.set('a.py', 'f');
    disk.notify(['a.py']);
    await pass(400);
  }
  expect([names(), updates.flatMap(({ gone }) => gone.map(({ tool }) => tool))]).toEqual([
    ['a:f', 'b:g'],
    ['a:f', 'a:h', 'a:f', 'a:h'],
  ]);
  expect(updates.length).toBe(4);
});

test('a file that stays away is removed', async () => {
  const { begin, names } = open({ 'a.py': 'f', 'b.py': 'g' });
  await begin();
  disk.files.delete('a.py');
  disk.notify(['a.py']);
  await pass(500);
  expect(names()).toEqual(['b:g']);
});

test('changes during the first scan are applied after it', async () => {
  const { begin, names } = open({ 'a.py': 'f' });
  await pass(10);
  disk.notify(['a.py']);
  await pass(100);
  await begin(() => disk.files.set('a.py', 'later'));
  await vi.waitFor(() => {
    expect(names()).toEqual(['a:later']);
  });
});

test('waiting for the folder includes its changes', async () => {
  const { begin, pending, names } = open({ 'a.py': 'f' });
  await begin();
  disk.files.set('a.py', 'h');
  disk.notify(['a.py']);
  await pass(50);
  await Promise.all(pending);
  expect([pending.length, names()]).toEqual([1, ['a:h']]);
});

test('a folder that cannot be read keeps its tools, and says so until it can', async () => {
  const { begin, names, registry } = open({ 'a.py': 'f' });
  await begin();
  disk.failing = new Error('The disk is gone.');
  disk.notify(['a.py']);
  await pass(100);
  expect([names(), registry.problems.map(({ code }) => code)]).toEqual([['a:f'], ['not-reread']]);
  disk.failing = null;
  disk.notify('anything');
  await pass(100);
  expect([names(), registry.problems]).toEqual([['a:f'], []]);
});

test('a refresh reads every byte', async () => {
  const { begin, names, watched } = open({ 'a.py': 'f', 'b.py': 'g' });
  await begin();
  disk.files.set('b.py', 'h');
  await watched.reread('every');
  expect([names(), disk.opened]).toEqual([
    ['a:f', 'b:h'],
    ['a.py', 'b.py'],
  ]);
});

test('nothing changes after it was disposed of', async () => {
  const { begin, names, watched, updates } = open({ 'a.py': 'f' });
  await begin();
  disk.files.set('a.py', 'h');
  disk.notify(['a.py']);
  watched.dispose();
  disk.notify(['a.py']);
  await pass(300);
  await watched.reread('every');
  expect([names(), updates]).toEqual([['a:f'], []]);
});
