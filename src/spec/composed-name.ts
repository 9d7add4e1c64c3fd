/** One spelling of names in all parts of the app. */

/**
 * Returns a name or a path as Cloche writes it: composed, as Windows, Linux and Python have it. macOS writes “é” as two
 * characters, and for a reader the names are the same.
 */
export function composedName(name: string): string {
  return /^[\0-\u02ff]*$/.test(name) ? name : name.normalize('NFC');
}
