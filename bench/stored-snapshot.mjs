/** Reads what interpreters start from, in the page's storage, for both browser drivers and the benchmark. */

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

/**
 * Runs in the page.
 * @returns {Promise<boolean>} whether compiled packages are stored
 */
export async function hasCompiledPackages() {
  for (const { name = '' } of await indexedDB.databases()) {
    /** @type {IDBDatabase} */
    const database = await new Promise((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error ?? new Error('The database cannot be opened.'));
    });
    try {
      if (!database.objectStoreNames.contains('packages')) continue;
      /** @type {IDBValidKey[]} */
      const keys = await new Promise((resolve, reject) => {
        const asked = database.transaction('packages').objectStore('packages').getAllKeys();
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error ?? new Error('The keys cannot be read.'));
      });
      if (keys.some((key) => typeof key === 'string' && key.startsWith('compiled '))) return true;
    } finally {
      database.close();
    }
  }
  return false;
}
