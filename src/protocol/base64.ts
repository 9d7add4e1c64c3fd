/** Bytes as base64 text and back, for wires that carry strings only. */

/** Bytes of one slice: a multiple of three, so that each slice encodes by itself. */
const sliceBytes = 0x6000;

export function toBase64(bytes: Uint8Array): string {
  // The browser's own, where it has one, is quicker by far.
  const own: unknown = Reflect.get(bytes, 'toBase64');
  if (typeof own === 'function') return String(Reflect.apply(own, bytes, []));
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += sliceBytes)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + sliceBytes))));
  return parts.join('');
}

/** Null for what is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const own: unknown = Reflect.get(Uint8Array, 'fromBase64');
    if (typeof own === 'function')
      return Reflect.apply(own, Uint8Array, [text]) as Uint8Array<ArrayBuffer>;
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
