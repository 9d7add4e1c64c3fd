/** Real folders on disk for tests, outside the project. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Path below the folder → content. */
export type FolderFiles = Readonly<Record<string, string | Uint8Array>>;

export interface MadeFolder {
  /** Absolute; its last part is the folder's name. */
  path: string;
  /** Writes further files, or others in their place. */
  write(files: FolderFiles): Promise<void>;
  remove(file: string): Promise<void>;
  /** Removes the folder itself. */
  dispose(): Promise<void>;
}

export async function makeFolder({
  files,
  name = 'tools',
}: {
  files: FolderFiles;
  name?: string;
}): Promise<MadeFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'cloche-'));
  const path = join(parent, name);
  await mkdir(path);
  await writeFiles(path, files);
  return {
    path,
    write: (more) => writeFiles(path, more),
    remove: (file) => rm(join(path, file), { recursive: true }),
    dispose: () => rm(parent, { recursive: true, force: true }),
  };
}

/** Files on disk for the page's file inputs: what a test gives as a buffer would be unpacked on the page's thread. */
export class MadeFiles {
  readonly #folders: MadeFolder[] = [];

  /** @returns its path */
  async write(name: string, text: string): Promise<string> {
    const folder = await makeFolder({ files: { [name]: text } });
    this.#folders.push(folder);
    return join(folder.path, name);
  }

  /** Removes all files. Call it once no page reads them. */
  async dispose(): Promise<void> {
    await Promise.all(this.#folders.splice(0).map((folder) => folder.dispose()));
  }
}

async function writeFiles(folder: string, files: FolderFiles): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
