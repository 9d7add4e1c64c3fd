/** Gives names one spelling in all parts of the app. */

/**
 * Returns a name or path in composed form, which Windows, Linux and Python use. macOS writes “é” as two characters, and
 * readers cannot see the difference.
 */
export function composeName(name: string): string {
  return /^[\0-\u02ff]*$/.test(name) ? name : name.normalize('NFC');
}
