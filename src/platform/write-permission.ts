/** Whether a folder may be written to. */

// Chromium's own, not in TypeScript's DOM library.
interface Permitted {
  queryPermission?: (mode: { mode: 'readwrite' }) => Promise<PermissionState>;
  requestPermission?: (mode: { mode: 'readwrite' }) => Promise<PermissionState>;
}

/** With `ask` it may show a question, which browsers allow only while a click is handled. */
export async function mayWrite(
  handle: FileSystemDirectoryHandle & Permitted,
  ask: boolean,
): Promise<boolean> {
  // Where there is no such question, writing itself tells.
  const now = (await handle.queryPermission?.({ mode: 'readwrite' })) ?? 'granted';
  if (now === 'granted' || !ask) return now === 'granted';
  try {
    return (await handle.requestPermission?.({ mode: 'readwrite' })) === 'granted';
  } catch {
    // The click was too long ago.
    return false;
  }
}
