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
