/** Converts between bytes and base64, for wires that carry only strings. */

/** Size of a slice in bytes: a multiple of three, so that slices can be encoded separately. */
const sliceBytes = 0x6000;

export function toBase64(bytes: Uint8Array): string {
  // The browser's native method, where there is one, is much faster.
  const native: unknown = Reflect.get(bytes, 'toBase64');
  if (typeof native === 'function') return String(Reflect.apply(native, bytes, []));
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += sliceBytes)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + sliceBytes))));
  return parts.join('');
}

/** Null if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const native: unknown = Reflect.get(Uint8Array, 'fromBase64');
    if (typeof native === 'function')
      return Reflect.apply(native, Uint8Array, [text]) as Uint8Array<ArrayBuffer>;
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
