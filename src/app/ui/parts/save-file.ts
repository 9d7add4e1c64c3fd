/** Saves a file as a download, under a name that shows on every system what the file is. */

import { extensionByMediaType, knownExtensions, unknownExtension } from './file-types.ts';

/** Names of devices on Windows. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/**
 * Keeps a name with its extension within the limits of every file system, at up to four bytes a
 * character.
 */
const maxCharacters = 50;

/**
 * Saves bytes under a name, which may contain foreign text. The media type is always generic: if a blob URL had a type
 * that browsers display, opening it would show it as a page of this origin.
 */
export function saveFile(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = downloadName(name);
  link.click();
  // The download already holds the bytes.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A file name with a title and a day, so that the files of several runs can be told apart. */
export function nameWithDay(title: string, at: number, ending: string): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return `${Array.from(title).slice(0, 30).join('')} ${day}${ending}`;
}

/** Extension for a media type, without the dot. */
export function extensionOf(mediaType: string): string {
  const type = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  // @mutant a media type does not name an extension => unknownExtension -> type.split('/')[1] ?? ''
  return extensionByMediaType.get(type) ?? unknownExtension;
}

/**
 * Returns a safe name for a download: letters, digits, `-` and `_`, and the extension of a known type. Names with another
 * extension get `.bin`. Folders, controls, direction marks, further dots, and names of devices are replaced.
 */
export function downloadName(name: string): string {
  const ending = knownExtensions.find((one) => name.endsWith(`.${one}`));
  const base = ending === undefined ? name : name.slice(0, -ending.length - 1);
  const plain = base.normalize('NFC').replace(/[^\p{L}\p{N}_]+/gu, '-');
  const cut = Array.from(plain).slice(0, maxCharacters).join('');
  const trimmed = cut.replace(/^-+|-+$/g, '') || 'result';
  // @mutant a download is not named after a device => devices.test(trimmed) -> false
  // @mutant a download has the extension of a known type => .${ending ?? unknownExtension -> ${ending === undefined ?
  //   "" : `.${ending}`
  return `${devices.test(trimmed) ? '_' : ''}${trimmed}.${ending ?? unknownExtension}`;
}
