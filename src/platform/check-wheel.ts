/** Looks whether a wheel can be unpacked: one that cannot would keep Python from starting for the whole folder. */

import { PackageFault } from '../packages/fault.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import { openZip } from './zip-source.ts';

/** What comes out of one wheel lies in the interpreter's memory. */
const mostUnpackedBytes = 512 * 2 ** 20;

/** @throws {PackageFault} where it is damaged, or too much comes out of it; and the signal's reason */
export async function checkWheel(
  signal: AbortSignal,
  content: Blob,
  filename: string,
  limits: Limits,
): Promise<void> {
  const roomy = { ...limits, folderFiles: 20_000, fileBytes: mostUnpackedBytes };
  const everything = { enter: () => true, unlisted: () => undefined };
  let unpacked = 0;
  try {
    const wheel = await openZip(new File([content], filename), roomy);
    // Sizes first: they cost nothing, and none is ever exceeded.
    for await (const { size } of wheel.entries(signal, everything)) unpacked += size ?? 0;
    if (unpacked <= mostUnpackedBytes)
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
  if (unpacked > mostUnpackedBytes)
    throw new PackageFault(
      'package-limit',
      `${filename} unpacks to ${Math.round(unpacked / 2 ** 20)} MB, more than the limit of ${mostUnpackedBytes / 2 ** 20} MB`,
      'Use a smaller package.',
    );
}
