/** The SHA-256 of bytes, in hexadecimal. */

/** @param bytes shared memory is copied first, because the browser refuses it */
export async function sha256Of(bytes: ArrayBuffer | Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', toUnsharedBytes(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function toUnsharedBytes(bytes: ArrayBuffer | Uint8Array): ArrayBuffer | Uint8Array<ArrayBuffer> {
  if (bytes instanceof ArrayBuffer) return bytes;
  return bytes.buffer instanceof ArrayBuffer
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes);
}
