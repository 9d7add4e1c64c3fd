/** A workspace on disk that the program which serves this page reads and writes for it: `npx cloche`. */

import { servedSource } from '../folder/served-source.ts';
import type { WorkspaceDisk } from './folder-on-disk.ts';

/** @param address below which the server answers `list`, `file` and `folder`; ends with a slash */
export function servedDisk(name: string, address: URL): WorkspaceDisk {
  /** @returns null if there is no such file or folder @throws {Error} with the server's reason */
  async function ask(
    method: string,
    action: string,
    path: string,
    body: Uint8Array<ArrayBuffer> | null = null,
  ): Promise<Response | null> {
    const url = new URL(action, address);
    url.searchParams.set('path', path);
    const response = await fetch(url, { method, body, cache: 'no-store', redirect: 'error' });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error((await response.text()).trim());
    return response;
  }

  // The next look at the folder finds the time, and reads the file again if it is another one.
  const file = (path: string, bytes: Uint8Array) => ({
    path,
    size: bytes.byteLength,
    modifiedAt: 0,
    bytes,
  });
  return {
    source: servedSource(name, address),
    mayRead: () => Promise.resolve(true),
    mayWrite: () => Promise.resolve(true),
    async read(path) {
      const response = await ask('GET', 'file', path);
      return response === null ? null : file(path, new Uint8Array(await response.arrayBuffer()));
    },
    async write(path, bytes) {
      await ask('PUT', 'file', path, new Uint8Array(bytes));
      return file(path, bytes);
    },
    async remove(path) {
      await ask('DELETE', 'file', path);
    },
    async makeFolder(path) {
      await ask('PUT', 'folder', path);
    },
    async removeFolder(path) {
      await ask('DELETE', 'folder', path);
    },
  };
}
