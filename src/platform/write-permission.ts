/** Checks whether a folder may be written to. */

// Only in Chromium, and not in TypeScript's DOM library.
interface Permitted {
  queryPermission?: (mode: { mode: 'readwrite' }) => Promise<PermissionState>;
  requestPermission?: (mode: { mode: 'readwrite' }) => Promise<PermissionState>;
}

/** @param ask whether the browser may ask the user, which it allows only while a click is handled */
export async function mayWrite(
  handle: FileSystemDirectoryHandle & Permitted,
  ask: boolean,
): Promise<boolean> {
  // Without this API, writing itself shows whether it is allowed.
  const now = (await handle.queryPermission?.({ mode: 'readwrite' })) ?? 'granted';
  if (now === 'granted' || !ask) return now === 'granted';
  try {
    return (await handle.requestPermission?.({ mode: 'readwrite' })) === 'granted';
  } catch {
    // Too much time has passed since the click.
    return false;
  }
}
