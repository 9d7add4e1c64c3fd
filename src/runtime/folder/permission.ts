/** Checks whether a folder may be read, or written to. */

type Mode = 'read' | 'readwrite';

/** Whether the user may be asked for permission. */
export interface MayAsk {
  readonly ask: boolean;
}

// TypeScript's DOM library lacks these functions, because only Chromium has them.
interface Permitted {
  queryPermission?: (asked: { mode: Mode }) => Promise<PermissionState>;
  requestPermission?: (asked: { mode: Mode }) => Promise<PermissionState>;
}

/** @param options.ask whether the browser may ask the user, which it allows only while a click is handled */
export async function isPermitted(
  handle: FileSystemDirectoryHandle & Permitted,
  mode: Mode,
  { ask }: MayAsk,
): Promise<boolean> {
  // Without this API, reading or writing itself shows whether it is allowed.
  const now = (await handle.queryPermission?.({ mode })) ?? 'granted';
  if (now === 'granted' || !ask) return now === 'granted';
  try {
    return (await handle.requestPermission?.({ mode })) === 'granted';
  } catch {
    // The browser refuses to ask, because too much time has passed since the click.
    return false;
  }
}

/** Whether something could not be read because the browser or the user has withdrawn the permission. */
export function isRefused(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'NotAllowedError';
}
