/** Whether a folder that was chosen at an earlier visit may still be read. */

// Chromium's own, not in TypeScript's DOM library.
interface Permitted {
  queryPermission?: (mode: { mode: 'read' }) => Promise<PermissionState>;
  requestPermission?: (mode: { mode: 'read' }) => Promise<PermissionState>;
}

/** With `ask` it may show a question, which browsers allow only while a click is handled. */
export async function mayRead(
  handle: FileSystemDirectoryHandle & Permitted,
  ask: boolean,
): Promise<boolean> {
  // Where there is no such question, reading itself tells.
  const now = (await handle.queryPermission?.({ mode: 'read' })) ?? 'granted';
  if (now === 'granted' || !ask) return now === 'granted';
  try {
    return (await handle.requestPermission?.({ mode: 'read' })) === 'granted';
  } catch {
    // The click was too long ago.
    return false;
  }
}
