/** Lists, reads and writes a folder on disk for the page. Symbolic links are not followed, and nothing outside the folder is reached. */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  lstat,
  mkdir,
  open,
  opendir,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join, sep } from 'node:path';
import { defaultLimits } from '../runtime/spec/limits.ts';

export interface Entry {
  readonly name: string;
  /** Absent for a subfolder and for a symbolic link. */
  readonly size?: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt?: number;
  readonly isLink?: true;
}

/** A subfolder with more entries is listed up to here; a folder of tools may have fewer files. */
const maxEntries = 4 * defaultLimits.folderFiles;

export class ServedFolder {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** @throws {Error} if there is no such folder */
  static async at(path: string): Promise<ServedFolder> {
    const root = await realpath(path).catch(() => undefined);
    if (root === undefined || !(await lstat(root)).isDirectory())
      throw new Error(`${path} is not a folder.`);
    return new ServedFolder(root);
  }

  get path(): string {
    return this.#root;
  }

  get name(): string {
    return this.#root.slice(this.#root.lastIndexOf(sep) + 1) || 'tools';
  }

  /** @param path relative to the folder, with `/`; empty for the folder itself @throws {Error} */
  async list(path: string): Promise<readonly Entry[]> {
    const folder = await this.#inside(path);
    const entries: Entry[] = [];
    for await (const child of await opendir(folder)) {
      const { name } = child;
      if (child.isDirectory()) entries.push({ name });
      else if (child.isSymbolicLink()) entries.push({ name, isLink: true });
      else if (child.isFile()) {
        // Another program may have removed the file since it was listed.
        const found = await lstat(join(folder, name)).catch(() => undefined);
        if (found?.isFile() === true)
          entries.push({ name, size: found.size, modifiedAt: Math.round(found.mtimeMs) });
      }
      if (entries.length >= maxEntries) break;
    }
    return entries;
  }

  /** @throws {Error} if the file is too large, or no ordinary file of the folder */
  async read(path: string): Promise<Uint8Array> {
    const place = await this.#inside(path);
    // A file that has become a link since the check is not opened, and a pipe is not waited for. Windows has neither.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new Error(`${path} is not a file.`);
      if (found.size > defaultLimits.fileBytes)
        throw new Error(`${path} is larger than ${defaultLimits.fileBytes} bytes.`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  /** Writes a file completely, or leaves it as it was. Creates its parent folders. @throws {Error} */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const parts = partsOf(path);
    const folder = await this.#makeFolders(path, parts.slice(0, -1));
    const place = join(folder, parts.at(-1) ?? '');
    const found = await lstat(place).catch(ifMissing);
    // @mutant nothing is written through a symbolic link to a file on the command line => never
    if (found?.isFile() === false) throw new Error(`“${path}” is not an ordinary file.`);
    const temporary = join(folder, `.cloche-${randomBytes(8).toString('hex')}`);
    try {
      await writeFile(temporary, bytes, { flag: 'wx', ...(found && { mode: found.mode }) });
      await rename(temporary, place);
    } catch (thrown) {
      await rm(temporary, { force: true });
      throw thrown;
    }
  }

  async remove(path: string): Promise<void> {
    const place = await this.#inside(path).catch(ifMissing);
    if (place !== undefined) await unlink(place);
  }

  async makeFolder(path: string): Promise<void> {
    await this.#makeFolders(path, partsOf(path));
  }

  /** Removes a folder if it is empty. */
  async removeFolder(path: string): Promise<void> {
    const place = path === '' ? undefined : await this.#inside(path).catch(ifMissing);
    if (place === undefined) return;
    await rmdir(place).catch((thrown: unknown) => {
      // The folder has something that the tool cannot see, such as a symbolic link.
      if (codeOf(thrown) !== 'ENOTEMPTY') throw thrown;
    });
  }

  /** Creates a folder with those above it. @returns its place @throws {Error} */
  async #makeFolders(path: string, parts: readonly string[]): Promise<string> {
    let place = this.#root;
    for (const part of parts) {
      place = join(place, part);
      await mkdir(place).catch((thrown: unknown) => {
        if (codeOf(thrown) !== 'EEXIST') throw thrown;
      });
      await expectNoLink(path, place);
    }
    return place;
  }

  async #inside(path: string): Promise<string> {
    const place = join(this.#root, ...(path === '' ? [] : partsOf(path)));
    await expectNoLink(path, place);
    return place;
  }
}

/** Names that stand for devices or for streams of a file on Windows, or that Windows changes: `nul.txt`, `a:b`, `a.`. */
const windowsSpecial = /[:*?"<>|]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/** @throws {Error} if the path leads out of the folder */
export function partsOf(path: string, platform = process.platform): readonly string[] {
  const parts = path.split('/');
  // @mutant a page of the command line reads and writes only inside the folder => never
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part)))
    throw new Error('The path leads out of the folder.');
  // @mutant a page of the command line reaches no device of Windows => never
  //   [src/cli/served-folder.test.ts]
  if (platform === 'win32' && parts.some((part) => windowsSpecial.test(part)))
    throw new Error('The path has a part that is not a valid file name on Windows.');
  return parts;
}

/** A path that leads through a symbolic link has another real path. @throws {Error} */
async function expectNoLink(path: string, place: string): Promise<void> {
  // @mutant no symbolic link of a folder is followed on the command line => never
  if ((await realpath(place)) !== place)
    throw new Error(`“${path}” leads through a symbolic link, which Cloche does not follow.`);
}

export function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}

/** @throws {Error} other errors */
function ifMissing(thrown: unknown): undefined {
  if (codeOf(thrown) !== 'ENOENT') throw thrown;
}
