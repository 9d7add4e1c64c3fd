/** Bytes as base64 text and back, for wires that carry strings only. */

/** Bytes of one slice: a multiple of three, so that each slice encodes by itself. */
const sliceBytes = 0x6000;

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += sliceBytes)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + sliceBytes))));
  return parts.join('');
}

/** Null for what is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
