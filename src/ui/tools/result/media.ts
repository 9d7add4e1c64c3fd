/** Media in results: what the page can draw, file name extensions, and base64 text as a Blob. */

import type { ContentPart } from '../../../spec/result.ts';

/** Pictures that browsers draw without running code. */
const rasterTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
];

export type Drawable = 'raster' | 'svg' | 'no';

/** How a part of this media type can be drawn. */
export function drawable(mediaType: string): Drawable {
  const type = essence(mediaType);
  if (rasterTypes.includes(type)) return 'raster';
  return type === 'image/svg+xml' ? 'svg' : 'no';
}

/** Whether a part of a result can be drawn. */
export function isPicture(part: ContentPart): boolean {
  return part.type === 'image' && drawable(part.mediaType) !== 'no';
}

const extensions: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
};

/** File name extension for this media type, without the dot. */
export function extensionOf(mediaType: string): string {
  const type = essence(mediaType);
  const known = Object.hasOwn(extensions, type) ? extensions[type] : undefined;
  return known ?? /^image\/([a-z]{3,4})$/.exec(type)?.[1] ?? 'bin';
}

function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

/** Length of a slice: a multiple of four, so that slices can be decoded separately; characters. */
const sliceChars = 1 << 20;

/**
 * Decodes base64 in slices, with pauses so that the page stays responsive. Rejects with the signal's reason if it
 * aborts, and with a DOMException if the text is not base64.
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

/** Number of bytes that a base64 text encodes. */
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
