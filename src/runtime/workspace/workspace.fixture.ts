/** A workspace whose folder is in memory. */

import { fakeFile } from '../folder/folder.fixture.ts';
import type { WorkspaceReport, WorkspaceRequest } from '../protocol/workspace.ts';
import type { FolderFile } from '../spec/folder.ts';
import { defaultLimits, type Limits } from '../spec/limits.ts';
import type { WorkspaceDisk } from './folder-on-disk.ts';
import type { Exchange } from './interpreter-copy.ts';
import { Workspace, type Writing } from './workspace.ts';

export class FakeDisk implements WorkspaceDisk {
  readonly files = new Map<string, FolderFile>();
  readonly folders = new Set<string>();
  /** Operations on it, in order. */
  readonly log: string[] = [];
  /** The error of all following writes. */
  fails: Error | null = null;
  readable = true;
  /** Runs before a file is read, such as just before it is written. */
  onRead: (path: string) => void = () => undefined;
  #time = 1_000;

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(files)) this.put(path, text);
  }

  readonly source: WorkspaceDisk['source'] = {
    name: 'space',
    kind: 'directory',
    rereadable: true,
    entries: (_signal, walk) => this.#entries(walk),
  };

  put(path: string, text: string): void {
    this.files.set(path, fakeFile(path, text, (this.#time += 1)));
  }

  /** Texts by path. */
  get texts(): Record<string, string> {
    const decoder = new TextDecoder();
    return Object.fromEntries(
      [...this.files.values()].map(({ path, bytes }) => [path, decoder.decode(bytes)]),
    );
  }

  mayRead(): Promise<boolean> {
    return Promise.resolve(this.readable);
  }

  mayWrite(): Promise<boolean> {
    return Promise.resolve(true);
  }

  read(path: string): Promise<FolderFile | null> {
    this.onRead(path);
    return Promise.resolve(this.files.get(path) ?? null);
  }

  write(path: string, bytes: Uint8Array): Promise<FolderFile> {
    if (this.fails) return Promise.reject(this.fails);
    this.log.push(`write ${path}`);
    const file = { path, bytes, size: bytes.byteLength, modifiedAt: (this.#time += 1) };
    this.files.set(path, file);
    return Promise.resolve(file);
  }

  remove(path: string): Promise<void> {
    if (this.fails) return Promise.reject(this.fails);
    this.log.push(`remove ${path}`);
    this.files.delete(path);
    return Promise.resolve();
  }

  makeFolder(path: string): Promise<void> {
    this.log.push(`make ${path}`);
    this.folders.add(path);
    return Promise.resolve();
  }

  removeFolder(path: string): Promise<void> {
    this.log.push(`remove folder ${path}`);
    this.folders.delete(path);
    return Promise.resolve();
  }

  async *#entries(
    walk: Parameters<WorkspaceDisk['source']['entries']>[1],
  ): ReturnType<WorkspaceDisk['source']['entries']> {
    if (!this.readable) throw new Error('it is gone');
    for (const folder of this.folders) walk.enter(folder);
    for (const { path, size, modifiedAt, bytes } of this.files.values()) {
      await Promise.resolve();
      if (
        path
          .split('/')
          .slice(0, -1)
          .some((name) => !walk.enter(name))
      )
        continue;
      const arrayBuffer = (): Promise<ArrayBuffer> => Promise.resolve(new Uint8Array(bytes).buffer);
      yield { path, file: () => Promise.resolve({ size, lastModified: modifiedAt, arrayBuffer }) };
    }
  }
}

/** An interpreter's file system. Tools change it; requests are answered as in the tool worker. */
export class FakeCopy {
  readonly files = new Map<string, string>();
  readonly folders = new Set<string>();
  readonly requests: WorkspaceRequest[] = [];
  fails: Error | null = null;
  #reported = new Map<string, string>();
  #reportedFolders = new Set<string>();

  readonly exchange: Exchange = (_signal, request) => {
    this.requests.push(request);
    if (this.fails) return Promise.reject(this.fails);
    const decoder = new TextDecoder();
    for (const path of request.removed) this.files.delete(path);
    for (const path of request.removed) this.#reported.delete(path);
    for (const path of request.foldersGone) this.folders.delete(path);
    for (const path of request.foldersGone) this.#reportedFolders.delete(path);
    for (const path of request.folders) this.folders.add(path);
    for (const path of request.folders) this.#reportedFolders.add(path);
    for (const { path, bytes } of request.written) {
      this.files.set(path, decoder.decode(bytes));
      this.#reported.set(path, decoder.decode(bytes));
    }
    return Promise.resolve(request.tell === 'nothing' ? nothing : this.#report(request.tell));
  };

  get texts(): Record<string, string> {
    return Object.fromEntries(this.files);
  }

  #report(tell: 'contents' | 'paths'): WorkspaceReport {
    const encoder = new TextEncoder();
    const changed = [...this.files].filter(([path, text]) => this.#reported.get(path) !== text);
    const removed = [...this.#reported.keys()].filter((path) => !this.files.has(path));
    const folders = [...this.folders].filter((path) => !this.#reportedFolders.has(path));
    const foldersGone = [...this.#reportedFolders].filter((path) => !this.folders.has(path));
    this.#reported = new Map(this.files);
    this.#reportedFolders = new Set(this.folders);
    const files = changed.map(([path, text]) => {
      const bytes = tell === 'contents' ? encoder.encode(text) : new Uint8Array();
      return { path, modifiedAt: 5, bytes };
    });
    return { files, removed, folders, foldersGone, left: [], more: false };
  }
}

const nothing: WorkspaceReport = {
  files: [],
  removed: [],
  folders: [],
  foldersGone: [],
  left: [],
  more: false,
};

export function fakeWorkspace(
  disk: FakeDisk,
  writing: Writing = 'review',
  limits: Partial<Limits> = {},
): Workspace {
  let ids = 0;
  let now = 0;
  return new Workspace(
    {
      key: 'key',
      name: 'space',
      disk,
      limits: { ...defaultLimits, ...limits },
      // Advances so far that nothing that was read stays current.
      now: () => (now += 2_000),
      newId: () => `change-${(ids += 1)}`,
      report: (thrown) => {
        throw thrown;
      },
    },
    writing,
  );
}
