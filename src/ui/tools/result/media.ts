/** Which media types the page shows itself, and what their files are called. */

import type { ContentPart } from '../../../spec/result.ts';

/** Pictures that browsers draw without running anything. */
const rasterTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
];

export type Drawable = 'raster' | 'svg' | 'no';

/** How a part of this media type may be drawn. */
export function drawable(mediaType: string): Drawable {
  const type = essence(mediaType);
  if (rasterTypes.includes(type)) return 'raster';
  return type === 'image/svg+xml' ? 'svg' : 'no';
}

/** Whether a part of a result is drawn. */
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

/** The ending of a file of this media type, without the dot. */
export function extensionOf(mediaType: string): string {
  const type = essence(mediaType);
  const known = Object.hasOwn(extensions, type) ? extensions[type] : undefined;
  return known ?? /^image\/([a-z]{3,4})$/.exec(type)?.[1] ?? 'bin';
}

function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}
