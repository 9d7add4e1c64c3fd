/** An origin as a person types it. */

/** Scheme, host and port of what was typed, `https` where it names no scheme; null where it is no address of the web. */
export function typedOrigin(text: string): string | null {
  const typed = text.trim();
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
    return isWeb && url.hostname !== '' && url.username === '' ? url.origin : null;
  } catch {
    return null;
  }
}
