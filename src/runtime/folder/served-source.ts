/** A folder on disk that the program which serves this page lists and reads for it: `npx cloche`. */

import { isRecord } from '../spec/guards.ts';
import type { FolderSource, SourceEntry } from './source.ts';

/** A file if `file` is present, else a symbolic link or a subfolder. */
interface Child extends Partial<Pick<SourceEntry, 'file' | 'size'>> {
  readonly path: string;
  readonly isLink?: boolean;
}

/**
 * @param address below which the server answers `list?path=` and `file?path=`; ends with a slash
 */
export function servedSource(name: string, address: URL): FolderSource {
  async function get(
    action: string,
    path: string,
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    const url = new URL(action, address);
    url.searchParams.set('path', path);
    const response = await fetch(url, { cache: 'no-store', redirect: 'error', signal });
    if (!response.ok) throw new Error((await response.text()).trim());
    return response;
  }

  async function children(signal: AbortSignal, folder: string): Promise<readonly Child[]> {
    const response = await get('list', folder, signal);
    const listed: unknown = await response.json();
    if (!Array.isArray(listed)) throw new Error('The server’s list of files is not a list.');
    return listed
      .filter(isRecord)
      .flatMap(({ name: childName, size, modifiedAt, isLink }): Child[] => {
        if (typeof childName !== 'string') return [];
        const path = folder === '' ? childName : `${folder}/${childName}`;
        if (typeof size !== 'number' || typeof modifiedAt !== 'number')
          return [{ path, isLink: isLink === true }];
        const arrayBuffer = async (): Promise<ArrayBuffer> =>
          (await get('file', path)).arrayBuffer();
        const file = { size, lastModified: modifiedAt, arrayBuffer };
        return [{ path, size, file: () => Promise.resolve(file) }];
      });
  }

  return {
    name,
    kind: 'upload',
    rereadable: true,
    async *entries(signal, walk) {
      const folders = [''];
      // The loop appends to the list.
      for (const above of folders) {
        try {
          for (const { path, file, isLink, size = 0 } of await children(signal, above)) {
            signal.throwIfAborted();
            if (file !== undefined) yield { path, file, size };
            else if (isLink === true) walk.linked?.(path);
            else if (walk.enter(path)) folders.push(path);
          }
        } catch (thrown) {
          if (signal.aborted || above === '') throw thrown;
          walk.unlisted(above, thrown);
        }
      }
    },
    // The page polls the list: that also works where a system cannot report changes.
    observe: () => Promise.resolve(null),
  };
}
