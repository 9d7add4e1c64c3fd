/**
 * Checks that a wheel can be unpacked, since a broken one would keep Python from starting for the whole folder; reads its
 * METADATA.
 */

import { PackageFault } from '../spec/wheel.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderWalk } from '../folder/source.ts';
import { openZip } from '../zip/zip-source.ts';

/** Maximum number of files in one wheel. */
const maxFiles = 20_000;
/** Limit for the unpacked size of one wheel, which is held in the interpreter's memory. */
const maxUnpackedBytes = 512 * 2 ** 20;
/** A zip file yields all of its entries, without asking which folders to enter. */
const everything: FolderWalk = { enter: () => true, unlisted: () => undefined };

/**
 * @throws {PackageFault} if the wheel is damaged, or too large when unpacked
 * @throws the signal's reason
 */
export async function checkWheel(
  signal: AbortSignal,
  content: Blob,
  filename: string,
  limits: Limits,
): Promise<void> {
  const wheelLimits = { ...limits, folderFiles: maxFiles, fileBytes: maxUnpackedBytes };
  let unpacked = 0;
  try {
    const wheel = await openZip(new File([content], filename), wheelLimits, 'wheel');
    // Check the declared sizes first: that is cheap, and unpacking never exceeds them.
    for await (const { size } of wheel.entries(signal, everything)) unpacked += size ?? Infinity;
    if (unpacked <= maxUnpackedBytes)
      for await (const entry of wheel.entries(signal, everything)) await entry.file();
  } catch (thrown) {
    signal.throwIfAborted();
    const message = `${filename} cannot be unpacked: ${errorText(thrown).replace(/\.$/, '')}`;
    throw new PackageFault(
      'package-broken',
      message,
      'Put an intact copy in wheels/, or require another version.',
    );
  }
  // @mutant what a wheel unpacks to is bounded => never
  if (unpacked > maxUnpackedBytes)
    throw new PackageFault(
      'package-limit',
      `${filename} unpacks to ${Math.ceil(unpacked / 2 ** 20)} MB, more than the limit of ${maxUnpackedBytes / 2 ** 20} MB`,
      'Use a smaller package.',
    );
}

/** A larger METADATA file is ignored. */
const maxBytes = 4 * 2 ** 20;

/**
 * Extracts the METADATA file of a wheel.
 *
 * @throws {Error} if the file is not a wheel
 */
export async function wheelMetadata(
  signal: AbortSignal,
  content: Blob,
  filename: string,
  limits: Limits,
): Promise<string> {
  const folder = await openZip(
    new File([content], filename),
    { ...limits, folderFiles: maxFiles },
    'wheel',
  );
  for await (const entry of folder.entries(signal, everything)) {
    if (!/^(?:[^/]+\.dist-info\/)?METADATA$/.test(entry.path)) continue;
    if ((entry.size ?? Infinity) > maxBytes) break;
    const file = await entry.file();
    return new TextDecoder().decode(await file.arrayBuffer());
  }
  throw new Error(`${filename} is not a wheel: it has no METADATA`);
}
