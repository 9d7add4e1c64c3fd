/** Media in results: what the page can draw, and base64 text as a Blob. */

import { fromBase64 } from '../../../../runtime/spec/bytes.ts';
import type { ContentPart } from '../../../../runtime/spec/result.ts';

/** Pictures that browsers draw without running code. */
const rasterTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp'];

export type Drawable = 'raster' | 'svg' | 'no';

/** The way in which a part of this media type can be drawn. */
export function classifyDrawable(mediaType: string): Drawable {
  const type = essenceOf(mediaType);
  if (rasterTypes.includes(type)) return 'raster';
  return type === 'image/svg+xml' ? 'svg' : 'no';
}

/** Returns whether a part of a result can be drawn. */
export function isPicture(part: ContentPart): boolean {
  return part.type === 'image' && classifyDrawable(part.mediaType) !== 'no';
}

export function essenceOf(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

/** First bytes of audio files. The type comes from the data, whatever a tool calls it. */
const audioStarts: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^(?:ID3|\xff[\xfa\xfb\xf2\xf3])/, 'audio/mpeg'],
  [/^.{4}ftyp/s, 'audio/mp4'],
];

export function isAudio(mediaType: string): boolean {
  return essenceOf(mediaType).startsWith('audio/');
}

/** The type of audio in base64 text; null if it is of another kind. */
export function audioType(data: string): string | null {
  let start = '';
  try {
    start = atob(data.slice(0, 16));
  } catch {
    return null;
  }
  return audioStarts.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}

/** Length of a slice: a multiple of four, so that slices can be decoded separately; characters. */
const sliceChars = 1 << 20;

/**
 * Decodes base64 in slices, with pauses so that the page stays responsive. Rejects with the signal's reason if it
 * aborts, and with a TypeError if the text is not base64.
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
    const part = fromBase64(data.slice(at, at + sliceChars));
    if (part === null) throw new TypeError('The text is not base64.');
    parts.push(part);
  }
  return new Blob(parts, { type: mediaType });
}

/** Number of bytes that a base64 text encodes. */
export function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}
