/** Which paths a tool may write to in a workspace: those that name one file inside it on every operating system. */

import { isSkippedFolder, liesInSkippedFolder, pathFault } from '../folder/path-rules.ts';

/** Limit of most file systems, in bytes of UTF-8. */
const longestNameBytes = 255;
/** Names of devices on Windows, with any extension. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/** Returns why a path is refused, as the end of a sentence; undefined if it is allowed. */
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

/** Like {@link refusedPath}, for a folder. */
export function refusedFolder(path: string): string | undefined {
  return refusedPath(`${path}/x`);
}

function oddName(name: string): string | undefined {
  if (/[<>:"|?*]/.test(name)) return 'names on Windows cannot contain any of < > : " | ? *';
  if (/[. ]$/.test(name)) return 'names on Windows cannot end with a dot or a space';
  if (devices.test(name)) return 'its name is reserved on Windows';
  // Browsers use this extension for temporary files while they write.
  if (/\.crswap$/i.test(name)) return 'browsers use this file extension for temporary files';
  if (/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(name))
    return 'its name changes the direction of the text around it';
  if (new TextEncoder().encode(name).byteLength > longestNameBytes)
    return `its name is longer than ${longestNameBytes} bytes`;
  return undefined;
}
