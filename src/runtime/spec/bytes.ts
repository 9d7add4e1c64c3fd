/** Bytes: compares and joins them, hashes them, reads text from them, and writes them as base64 for wires that carry only strings. */

/** Size of a slice in bytes: a multiple of three, so that slices can be encoded separately. */
const sliceBytes = 0x6000;

/** Returns whether two files have the same bytes; null stands for a file that does not exist. */
export function sameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === b || a === null || b === null) return a === b;
  if (a.byteLength !== b.byteLength) return false;
  for (let at = 0; at < a.byteLength; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

/** Returns a copy of all pieces, one after the other. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}

/**
 * Returns the SHA-256 of bytes, in hexadecimal.
 *
 * @param bytes shared memory is copied first, because the browser refuses it
 */
export async function sha256Of(bytes: ArrayBuffer | Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', toUnsharedBytes(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

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

/** The text that bytes encode in UTF-8; null if they are not valid UTF-8. */
export function utf8Text(bytes: ArrayBuffer | Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function toUnsharedBytes(bytes: ArrayBuffer | Uint8Array): ArrayBuffer | Uint8Array<ArrayBuffer> {
  if (bytes instanceof ArrayBuffer) return bytes;
  return bytes.buffer instanceof ArrayBuffer
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes);
}
