/** The paths that a tool may write in a workspace: those that name one file inside it on every operating system. */

import { comparableName, skippedName } from '../folder/file-names.ts';
import { pathFault } from '../folder/path-rules.ts';

/** Limit of most file systems, in bytes of UTF-8. */
const longestNameBytes = 255;
/** The form of the second name that Windows gives to a file with a long name. */
const shortName = /^[^. ]{1,6}~\d{1,6}(\.[^. ]{1,3})?$/;
/** Names of devices on Windows, with any extension. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\..*)?$/i;

/**
 * Matches invisible characters, except for the joiners and selectors of scripts and emoji, and a
 * selector behind a character that can have variants.
 */
const hidden =
  /(?![\ufe00-\ufe0d\u{e0100}-\u{e01ef}](?<=(?![\0-\x7f])[\p{L}\p{So}\p{Sm}].)|\u200c|\u200d|\ufe0e|\ufe0f|[\u180b-\u180d\u180f])\p{Default_Ignorable_Code_Point}|[\u2028\u2029]|^(?:\p{M}|\p{Z}|\u200c|\u200d)*$/u;

/** Returns why a path is refused, as the end of a sentence; undefined if it is allowed. */
export function refusedPath(path: string): string | undefined {
  const fault = pathFault(path);
  if (fault !== undefined) return fault;
  for (const name of path.split('/')) {
    const skipped = skippedName(name);
    // @mutant folders of other programs are not written to => removed
    if (skipped !== undefined) return ownedName(name, skipped);
    const odd = oddName(name);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

/** Like {@link refusedPath}, for a folder. */
export function refusedFolder(path: string): string | undefined {
  return refusedPath(`${path}/x`);
}

function ownedName(name: string, skipped: string): string {
  return name === skipped
    ? `“${name}” belongs to another program and is not changed`
    : `“${name}” can be taken for “${skipped}”, which belongs to another program and is not changed`;
}

function oddName(name: string): string | undefined {
  if (/[<>:"|?*]/.test(name)) return 'names on Windows cannot contain any of < > : " | ? *';
  if (/[. ]$/.test(name)) return 'names on Windows cannot end with a dot or a space';
  // @mutant names of devices are not written => never
  if (devices.test(name)) return 'its name is reserved on Windows';
  // @mutant short names of Windows are not written => never
  if (shortName.test(comparableName(name)))
    return 'names with ~ and a number can mean another file on Windows';
  // Browsers use this extension for temporary files while they write.
  if (/\.crswap$/i.test(name)) return 'browsers use this file extension for temporary files';
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(name))
    return 'its name changes the direction of the text around it';
  if (hidden.test(name)) return 'its name has invisible characters';
  if (new TextEncoder().encode(name).byteLength > longestNameBytes)
    return `its name is longer than ${longestNameBytes} bytes`;
  return undefined;
}
