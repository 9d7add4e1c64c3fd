/** Reads the snapshot that Python starts from, in the page's storage, for both browser drivers and the benchmark. */

/**
 * Runs in the page.
 * @returns {Promise<number>} bytes; 0 if there is no complete one
 */
export async function storedSnapshotBytes() {
  try {
    const root = await navigator.storage.getDirectory();
    const ours = await root.getDirectoryHandle('cloche-snapshots');
    for await (const folder of ours.values()) {
      if (folder.kind !== 'directory') continue;
      const kept = await folder.getDirectoryHandle('python');
      await kept.getFileHandle('manifest.json');
      return (await (await kept.getFileHandle('content')).getFile()).size;
    }
  } catch {
    // The snapshot is being written, or was removed.
  }
  return 0;
}
