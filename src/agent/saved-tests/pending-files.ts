/** Test files of folders that cannot be written: kept in this browser, and used as if they were in the folder. */

import { isTestFile } from '../../runtime/scan/read-tests.ts';
import { asObject, parseJson } from '../../runtime/spec/guards.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { FolderFile, FolderSnapshot } from '../../runtime/spec/folder.ts';
import { recall } from '../../runtime/spec/browser-storage.ts';

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface PendingFile {
  readonly text: string;
  /** The folder's file when this one was made; null if there was none. */
  readonly base: string | null;
}

/** Pending files by path. */
type Pending = Readonly<Record<string, PendingFile>>;

/** Limit for one folder; characters. */
const maxChars = 500_000;

export class PendingFiles {
  readonly #memory: Memory | null;
  readonly #prefix: string;
  /**
   * Pending files that this page has read or written, by folder, with the stored text at that time.
   */
  readonly #known = new Map<string, { stored: string | null; pending: Pending }>();
  /** The last answer, since a new list would look like a change. */
  #last: {
    readonly folder: FolderSnapshot;
    readonly text: string;
    files: readonly FolderFile[];
  } | null = null;

  /** @param memory null if the browser refuses storage */
  constructor(memory: Memory | null, prefix: string) {
    this.#memory = memory;
    this.#prefix = prefix;
  }

  /** The folder's files with the pending ones in their places. */
  filesOf(folderId: string, folder: FolderSnapshot): readonly FolderFile[] {
    const pending = this.#read(folderId);
    const text = JSON.stringify(pending);
    if (this.#last?.folder === folder && this.#last.text === text) return this.#last.files;
    const files = Object.entries(pending).map(([path, file]): FolderFile => {
      const bytes = new TextEncoder().encode(file.text);
      return { path, size: bytes.byteLength, modifiedAt: 0, bytes };
    });
    const others = folder.files.filter(({ path }) => !Object.hasOwn(pending, path));
    this.#last = { folder, text, files: files.length === 0 ? folder.files : [...others, ...files] };
    return this.#last.files;
  }

  get(folderId: string, path: string): string | undefined {
    return this.#file(folderId, path)?.text;
  }

  /**
   * The text of a file to be written: the pending one, if there is one.
   * @param now the folder's file; null if there is none
   * @throws {ToolError} if the folder's file has changed since the pending one was made, and would lose these changes
   */
  over(folderId: string, path: string, now: string | null): string | null {
    const file = this.#file(folderId, path);
    if (file === undefined) return now;
    // @mutant a pending test file does not replace a newer one of the folder => never
    if (now !== null && now !== file.base && now !== file.text)
      throw new ToolError(
        'bad-input',
        `“${path}” has changed in the folder since this browser stored its own version, which would replace it`,
        'Download this browser’s version, then add its tests to the file in the folder.',
      );
    return file.text;
  }

  paths(folderId: string): readonly string[] {
    return Object.keys(this.#read(folderId));
  }

  /** Keeps a file. @param base the folder's file; null if there is none @throws {ToolError} `limit`, `storage` */
  set(folderId: string, path: string, text: string, base: string | null): void {
    const before = this.#file(folderId, path);
    const file = { text, base: before === undefined ? base : before.base };
    this.#write(folderId, { ...this.#read(folderId), [path]: file });
  }

  /** @throws {ToolError} `storage` */
  remove(folderId: string, path: string): void {
    const { [path]: _, ...others } = this.#read(folderId);
    this.#write(folderId, others);
  }

  #file(folderId: string, path: string): PendingFile | undefined {
    const pending = this.#read(folderId);
    return Object.hasOwn(pending, path) ? pending[path] : undefined;
  }

  #write(folderId: string, pending: Pending): void {
    const stored = JSON.stringify(pending);
    if (stored.length > maxChars)
      throw new ToolError(
        'limit',
        `The tests stored in this browser for this folder exceed ${maxChars} characters`,
        'Download the test files and put them into the folder.',
      );
    try {
      if (stored === '{}') this.#memory?.removeItem(this.#prefix + folderId);
      else if (isStored(folderId)) this.#memory?.setItem(this.#prefix + folderId, stored);
    } catch {
      throw new ToolError(
        'storage',
        'The browser could not store the test, so it is kept only until you close the page',
        'Download the test file and put it into the folder.',
      );
    } finally {
      this.#known.set(folderId, { stored: this.#readStored(folderId), pending });
    }
  }

  /** Reads the entry each time, since other pages write it too. */
  #read(folderId: string): Pending {
    const stored = this.#readStored(folderId);
    const known = this.#known.get(folderId);
    if (known?.stored === stored) return known.pending;
    const pending = parsePending(stored);
    this.#known.set(folderId, { stored, pending });
    return pending;
  }

  #readStored(folderId: string): string | null {
    if (!isStored(folderId)) return null;
    return recall(this.#memory, this.#prefix + folderId);
  }
}

/** A folder that the browser does not know again has the key of its visit. */
function isStored(folderId: string): boolean {
  return !folderId.startsWith('visit ');
}

function parsePending(stored: string | null): Pending {
  const pending: Record<string, PendingFile> = {};
  for (const [path, file] of Object.entries(asObject(parseJson(stored)))) {
    const { text, base } = asObject(file);
    if (isTestFile(path) && typeof text === 'string')
      pending[path] = { text, base: typeof base === 'string' ? base : null };
  }
  return pending;
}
