/** Reads and writes small values in the browser's storage, which may be full, blocked, or changed by another page. */

/** Null if the browser refuses storage. */
type Memory = Pick<Storage, 'getItem' | 'setItem'> | null | undefined;

/** Returns the stored text; null if there is none. */
export function recall(memory: Memory, key: string): string | null {
  try {
    return memory?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** Stores a text. @returns false if it lasts only until the page is closed */
export function remember(memory: Memory, key: string, text: string): boolean {
  try {
    memory?.setItem(key, text);
    return memory !== null && memory !== undefined;
  } catch {
    return false;
  }
}
