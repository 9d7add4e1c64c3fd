/** Extracts the METADATA file of a wheel. */

import type { Limits } from '../spec/limits.ts';
import { openZip } from './zip-source.ts';

/** Larger files are ignored. */
const maxBytes = 4 * 2 ** 20;

/** @throws {Error} if the file is not a wheel */
export async function wheelMetadata(
  signal: AbortSignal,
  content: Blob,
  filename: string,
  limits: Limits,
): Promise<string> {
  const folder = await openZip(new File([content], filename), { ...limits, folderFiles: 20_000 });
  const everything = { enter: () => true, unlisted: () => undefined };
  for await (const entry of folder.entries(signal, everything)) {
    if (!/^(?:[^/]+\.dist-info\/)?METADATA$/.test(entry.path)) continue;
    if ((entry.size ?? 0) > maxBytes) break;
    const file = await entry.file();
    return new TextDecoder().decode(await file.arrayBuffer());
  }
  throw new Error(`${filename} is not a wheel: it has no METADATA`);
}
