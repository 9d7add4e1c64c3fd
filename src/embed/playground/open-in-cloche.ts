/** Opens a playground's files, tool and arguments in Cloche's own window, where they are shown before anything is opened. */

import { zipOf } from '../../runtime/zip/write-zip.ts';
import type { PlaygroundSetup } from '../../runtime/protocol/embed.ts';
import { shareLink } from '../../app/ui/tools/share/share-link.ts';
import { filesOf } from './playground-runtime.svelte.ts';

export type Carried = Pick<PlaygroundSetup, 'files' | 'packages' | 'tool' | 'arguments'>;

/** Bytes of the zip file in a link. Browsers accept longer links than other programs do. */
const maxBytes = 400_000;

/** @returns an address of the app @throws {Error} if the files or the arguments are too large for one */
export async function addressInCloche(base: URL, carried: Carried): Promise<string> {
  const { files, packages, tool, arguments: args } = carried;
  const zipped = Object.entries(filesOf(files, packages)).map(([path, text]) => {
    const bytes = new TextEncoder().encode(text);
    return { path, bytes, size: bytes.byteLength, modifiedAt: 0 };
  });
  // These files are few enough to be written without pauses.
  const blob = await zipOf(zipped, () => Promise.resolve());
  if (blob.size > maxBytes)
    throw new Error('The files are too large for a link. Copy the source, and open it in Cloche.');
  const zip = new Uint8Array(await blob.arrayBuffer());
  return shareLink(base.href, { folder: 'playground', tool, arguments: args || '{}', zip });
}
