/** Recognises archives that are no zip files, so that a message can name them. Loaded when a file cannot be opened. */

import { ToolError } from '../spec/error.ts';

/** Bytes at the beginning of a file by which its format is recognised. */
export const archiveHeadBytes = 512;

/** Signs of formats, with their offset. */
const signs: readonly (readonly [format: string, offset: number, sign: readonly number[]])[] = [
  ['7z', 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['RAR', 0, [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['gzip', 0, [0x1f, 0x8b, 0x08]],
  ['bzip2', 0, [0x42, 0x5a, 0x68]],
  ['xz', 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['Zstandard', 0, [0x28, 0xb5, 0x2f, 0xfd]],
  ['tar', 257, [0x75, 0x73, 0x74, 0x61, 0x72]],
];

/** Formats by the end of the name. Old tar files have no sign. */
const endings: readonly (readonly [format: string, ending: RegExp])[] = [
  ['tar', /\.(?:tar(?:\.(?:gz|bz2|xz|zst|lzma|Z))?|tgz|tbz2?|txz|tzst)$/i],
  ['7z', /\.7z(?:\.\d+)?$/i],
  ['RAR', /\.(?:rar|r\d\d)$/i],
  ['gzip', /\.gz$/i],
  ['bzip2', /\.bz2$/i],
  ['xz', /\.(?:xz|lzma)$/i],
  ['Zstandard', /\.zst$/i],
];

/** Number of files that are looked at. */
const maxFiles = 20;

/** @throws {ToolError} if one of the files is an archive that is no zip file */
export async function refuseArchives(files: readonly File[]): Promise<void> {
  for (const file of files.slice(0, maxFiles)) {
    const head = new Uint8Array(await file.slice(0, archiveHeadBytes).arrayBuffer());
    const archive = otherArchive(file.name, head);
    if (archive !== undefined) throw archive;
  }
}

/**
 * Returns the error for an archive that is no zip file; undefined for any other file.
 *
 * @param head the first {@link archiveHeadBytes} of the file
 */
export function otherArchive(name: string, head: Uint8Array): ToolError | undefined {
  const isSigned = ([, offset, sign]: (typeof signs)[number]): boolean =>
    sign.every((byte, index) => head[offset + index] === byte);
  // A zip file may have any name.
  if (head[0] === 0x50 && head[1] === 0x4b) return undefined;
  const signed = signs.find(isSigned)?.[0];
  const named = endings.find(([, ending]) => ending.test(name))?.[0];
  // A compressed tar has the sign of its compression.
  const format = named === 'tar' || signed === undefined ? named : signed;
  if (format === undefined) return undefined;
  return new ToolError(
    'not-supported',
    `“${name}” is a ${format} archive. Only zip files can be opened without unpacking them.`,
    'Unpack it and open the folder, or zip the folder.',
  );
}

/** What may have been downloaded in place of a zip file, recognised by its beginning. */
const others: readonly (readonly [what: string, sign: RegExp])[] = [
  ['is an empty file', /^$/],
  ['is a web page', /^\s*<(?:!doctype|html|head|body)\b/i],
  ['is a pointer to a file in Git LFS', /^version https:\/\/git-lfs\./],
];

/** Returns the error for a file that is certainly not an archive; undefined for any other file. */
export function noArchive(name: string, head: Uint8Array): ToolError | undefined {
  const text = new TextDecoder().decode(head);
  const what = others.find(([, sign]) => sign.test(text))?.[0];
  if (what === undefined) return undefined;
  return new ToolError('bad-input', `“${name}” ${what}, not a zip file.`, 'Download it again.');
}
