/** Saves a file as a download. */

import { downloadName } from './download-name.ts';

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
