/** Downloads a wheel's METADATA from an index without the wheel itself. */

import { sha256Of } from '../spec/sha256.ts';
import type { Download } from './download.ts';
import { PackageFault } from './fault.ts';
import type { IndexFile } from './simple-index.ts';

const mostBytes = 4 * 2 ** 20;

/**
 * @param localOrigin origin of the index, which may be local
 * @returns null if the index does not offer it, so that the wheel must be downloaded
 * @throws {PackageFault} if its hash is wrong, and the signal's reason
 */
export async function indexMetadata(
  signal: AbortSignal,
  download: Download,
  file: IndexFile,
  localOrigin: string,
): Promise<string | null> {
  if (file.metadata === null) return null;
  const url = `${file.url}.metadata`;
  const found = await download(signal, { url, accept: '*/*', mostBytes, localOrigin });
  if (found === 'not-found') return null;
  const { sha256 } = file.metadata;
  if (sha256 !== null && (await sha256Of(found.bytes)) !== sha256)
    throw new PackageFault(
      'package-broken',
      `the metadata of ${file.filename} does not match the index: its hash is different`,
      'Press Refresh to try again, or choose another index on the Policy page.',
    );
  return new TextDecoder().decode(found.bytes);
}
