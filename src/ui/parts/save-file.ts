/** Saves a file as a download. */

/**
 * Saves bytes under a name. The media type is always generic: a blob URL of a type that browsers display would run as
 * a page of this origin if opened.
 */
export function saveFile(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = safeName(name);
  link.click();
  // The download already holds the bytes.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}

/** A name without folders, controls or a leading dot. */
export function safeName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '');
  return plain.slice(-100) || 'result';
}
