/** Which paths a tool may write to in a workspace: those that mean one file, inside it, on every system. */

import { isSkippedFolder, liesInSkippedFolder, pathFault } from '../folder/path-rules.ts';

/** As file systems have it; bytes of UTF-8. */
const longestNameBytes = 255;
/** Names of devices on Windows, whatever stands behind their dot. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/** Why a path is refused, as the end of a sentence; undefined where it may be written to. */
export function refusedPath(path: string): string | undefined {
  const fault = pathFault(path);
  if (fault !== undefined) return fault;
  const names = path.split('/');
  const skipped = names.find((name, at) => at < names.length - 1 && isSkippedFolder(name));
  if (skipped !== undefined && liesInSkippedFolder(path))
    return `“${skipped}” belongs to another program and is not changed`;
  for (const name of names) {
    const odd = oddName(name);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

/** As {@link refusedPath}, for a folder. */
export function refusedFolder(path: string): string | undefined {
  return refusedPath(`${path}/x`);
}

function oddName(name: string): string | undefined {
  if (/[<>:"|?*]/.test(name)) return 'names on Windows cannot contain any of < > : " | ? *';
  if (/[. ]$/.test(name)) return 'names on Windows cannot end with a dot or a space';
  if (devices.test(name)) return 'its name is reserved on Windows';
  // Browsers write beside the file first, and give that this ending.
  if (/\.crswap$/i.test(name)) return 'browsers use this file extension for temporary files';
  if (/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(name))
    return 'its name changes the direction of the text around it';
  if (new TextEncoder().encode(name).byteLength > longestNameBytes)
    return `its name is longer than ${longestNameBytes} bytes`;
  return undefined;
}
