/** Saves a file through the browser's downloads. */

/**
 * Saves bytes under a name. The type is always that of unknown bytes: a blob address of a type that
 * browsers show would run as a page of this origin when opened.
 */
export function saveFile(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = safeName(name);
  link.click();
  // The download has taken its own hold of the bytes by then.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}

/** A name without folders, controls or a leading dot. */
export function safeName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '');
  return plain.slice(-100) || 'result';
}
