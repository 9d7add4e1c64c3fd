/** The copy of the workspace in this interpreter's file system: applies the page's changes, and finds those of tools. */

import { toBase64 } from '../../src/runtime/spec/bytes.ts';
import {
  answerBytes,
  longestPathInCopy,
  maxInCopy,
  type FileForCopy,
  type LeftInCopy,
  type WorkspaceReport,
  type WorkspaceRequest,
} from '../../src/runtime/protocol/workspace.ts';
import { folderOf, stampOf, unchanged, type CopyFs, type FsNode, type Stamp } from './copy-fs.ts';

/** The report as it is sent, with contents in base64. */
export interface CopyReport extends Omit<WorkspaceReport, 'files'> {
  readonly files: readonly { path: string; modifiedAt: number; data: string }[];
}

interface Found {
  readonly files: ReadonlyMap<string, FsNode>;
  readonly folders: ReadonlySet<string>;
  /** What stays in the copy only, because a workspace cannot have it, such as links. */
  readonly left: readonly LeftInCopy[];
  /** False if a limit ended the search, so that a missing path may still exist. */
  readonly whole: boolean;
}

export class WorkspaceCopy {
  readonly #fs: CopyFs;
  /** Id of the copy, and the path of its folder; empty before the first one. */
  #copy = '';
  #root = '';
  /** Files as the page knows them, from its own changes and earlier reports. */
  #files = new Map<string, Stamp>();
  #folders = new Set<string>();
  /** Paths of what an earlier report has said to stay in the copy only. */
  #left: ReadonlySet<string> = new Set();

  constructor(fs: CopyFs) {
    this.#fs = fs;
  }

  /** Applies the changes of the request, then reports what tools have changed. */
  exchange(request: WorkspaceRequest): CopyReport {
    if (request.copy !== this.#copy) this.#begin(request);
    for (const path of request.removed) this.#remove(path);
    for (const path of [...request.foldersGone].sort().reverse()) this.#removeFolder(path);
    for (const path of request.folders) this.#makeFolder(path);
    for (const file of request.written) this.#write(file);
    if (request.tell === 'nothing') return emptyReport;
    return this.#report(this.#find(), request);
  }

  /** Begins another copy, with an empty folder. */
  #begin({ copy, root }: WorkspaceRequest): void {
    if (this.#root !== '') this.#fs.removeTree(this.#root);
    this.#fs.removeTree(root);
    this.#copy = copy;
    this.#root = root;
    this.#files = new Map();
    this.#folders = new Set();
    this.#left = new Set();
    this.#fs.makeFolder(root);
  }

  #remove(path: string): void {
    this.#fs.removeTree(`${this.#root}/${path}`);
    this.#files.delete(path);
  }

  #removeFolder(path: string): void {
    if (this.#fs.removeEmptyFolder(`${this.#root}/${path}`)) this.#folders.delete(path);
  }

  #makeFolder(path: string): void {
    this.#fs.makeFolder(`${this.#root}/${path}`);
    for (let one = path; one !== ''; one = folderOf(one)) this.#folders.add(one);
  }

  #write({ path, modifiedAt, bytes }: FileForCopy): void {
    const folder = folderOf(path);
    if (folder !== '') this.#makeFolder(folder);
    this.#files.set(path, this.#fs.writeFile(`${this.#root}/${path}`, bytes, modifiedAt));
  }

  /** Reports what differs from the files that the page knows: as many as an answer may have. */
  #report({ files, folders, left, whole }: Found, request: WorkspaceRequest): CopyReport {
    const changed = [...files].filter(([path, node]) => !unchanged(this.#files.get(path), node));
    const report: CopyReport['files'][number][] = [];
    const tooLarge: LeftInCopy[] = [];
    let room = answerBytes;
    let more = false;
    for (const [path, node] of changed) {
      const large = request.tell === 'contents' && node.usedBytes > request.fileBytes;
      if (large) tooLarge.push({ path, why: 'large' });
      else if (report.length > 0 && node.usedBytes > room) {
        more = true;
        continue;
      } else {
        const data = request.tell === 'contents' ? toBase64(this.#fs.bytesOf(node)) : '';
        report.push({ path, modifiedAt: Math.round(node.mtime), data });
        room -= node.usedBytes;
      }
      this.#files.set(path, stampOf(node));
    }
    const removed = whole ? [...this.#files.keys()].filter((path) => !files.has(path)) : [];
    for (const path of removed) this.#files.delete(path);
    return {
      files: report,
      removed,
      ...this.#folderChanges(folders, whole),
      left: [...tooLarge, ...this.#newlyLeft(left)],
      more,
    };
  }

  #folderChanges(
    found: ReadonlySet<string>,
    whole: boolean,
  ): Pick<CopyReport, 'folders' | 'foldersGone'> {
    const folders = [...found].filter((path) => !this.#folders.has(path));
    const foldersGone = whole ? [...this.#folders].filter((path) => !found.has(path)) : [];
    for (const path of folders) this.#folders.add(path);
    for (const path of foldersGone) this.#folders.delete(path);
    return { folders, foldersGone };
  }

  /** What stays in the copy only, and that no earlier report has named. */
  #newlyLeft(left: readonly LeftInCopy[]): LeftInCopy[] {
    const before = this.#left;
    this.#left = new Set(left.map(({ path }) => path));
    return left.filter(({ path }) => !before.has(path));
  }

  /** Lists the copy without following links or entering other file systems. */
  #find(): Found {
    const files = new Map<string, FsNode>();
    const folders = new Set<string>();
    const left: LeftInCopy[] = [];
    const root = this.#fs.folderAt(this.#root);
    const queue: [string, FsNode][] = root === null ? [] : [['', root]];
    let count = 0;
    // The list grows during the loop.
    for (const [above, folder] of queue) {
      for (const [name, node] of this.#fs.childrenOf(folder)) {
        count += 1;
        const path = above === '' ? name : `${above}/${name}`;
        if (count > maxInCopy) {
          left.push({ path: above, why: 'many' });
          return { files, folders, left, whole: false };
        }
        const kind = this.#fs.kindOf(node);
        if (path.length > longestPathInCopy) {
          left.push({ path: path.slice(0, longestPathInCopy), why: 'long' });
        } else if (kind === 'file') files.set(path, node);
        else if (kind === 'folder') {
          folders.add(path);
          queue.push([path, node]);
        } else left.push({ path, why: kind });
      }
    }
    return { files, folders, left, whole: true };
  }
}

const emptyReport: CopyReport = {
  files: [],
  removed: [],
  folders: [],
  foldersGone: [],
  left: [],
  more: false,
};
