/** Checks whether a folder from an earlier visit may still be read. */

// Only in Chromium, and not in TypeScript's DOM library.
interface Permitted {
  queryPermission?: (mode: { mode: 'read' }) => Promise<PermissionState>;
  requestPermission?: (mode: { mode: 'read' }) => Promise<PermissionState>;
}

/** @param ask whether the browser may ask the user, which it allows only while a click is handled */
export async function mayRead(
  handle: FileSystemDirectoryHandle & Permitted,
  ask: boolean,
): Promise<boolean> {
  // Without this API, reading itself shows whether it is allowed.
  const now = (await handle.queryPermission?.({ mode: 'read' })) ?? 'granted';
  if (now === 'granted' || !ask) return now === 'granted';
  try {
    return (await handle.requestPermission?.({ mode: 'read' })) === 'granted';
  } catch {
    // Too much time has passed since the click.
    return false;
  }
}
