/** Base64 text as a Blob, without holding up the page. */

/** Characters of one slice: a multiple of four, so that each slice decodes by itself. */
const sliceChars = 1 << 20;

/**
 * Decodes base64 in slices, letting the page breathe between them. Rejects with the signal's reason
 * once it aborts, and with a DOMException where the text is not base64.
 */
export async function base64Blob(
  signal: AbortSignal,
  data: string,
  mediaType: string,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < data.length; at += sliceChars) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    parts.push(decode(data.slice(at, at + sliceChars)));
  }
  return new Blob(parts, { type: mediaType });
}

/** Bytes that base64 text stands for. */
export function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

function decode(slice: string): Uint8Array<ArrayBuffer> {
  const binary = atob(slice);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
