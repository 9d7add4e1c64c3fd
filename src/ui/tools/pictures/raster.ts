/** Reads the headers of raster images: what decoding them would cost, before a browser decodes them. */

import { counted } from '../../parts/format.ts';
import { NotDrawable, type Cost } from './cost.ts';

export interface Raster {
  readonly mediaType: string;
  /** Pixels of one frame. */
  readonly width: number;
  readonly height: number;
  /** How often the pixels are computed: frames of an animation, or groups of scans of a JPEG. */
  readonly frames: number;
}

/** Scans of a progressive JPEG that cost as much as one frame. */
const usualScans = 10;
/** Steps between two yields. */
const stride = 50_000;

/** Of one frame, even on request. */
const mostPixels = 50_000_000;
const mostFrames = 1_000;

/** Adds what decoding costs. @throws {NotDrawable} */
export function addRaster(cost: Cost, raster: Raster | null): Raster {
  if (raster === null) throw new NotDrawable('its data is not PNG, JPEG, GIF, WebP or BMP');
  const { width, height, frames } = raster;
  if (!(width * height <= mostPixels))
    throw new NotDrawable(
      `it has ${counted(width, 'pixel')} by ${counted(height, 'pixel')}; the limit is ${counted(mostPixels, 'pixel')}`,
    );
  if (frames > mostFrames)
    throw new NotDrawable(
      `it has ${counted(frames, 'frame')}; the limit is ${counted(mostFrames, 'frame')}`,
    );
  cost.add('pixels', width * height * frames);
  return raster;
}

/** Finds the format by the first bytes, as browsers do. @returns null if it is none of PNG, JPEG, GIF, WebP and BMP, or is cut */
export function* readRaster(bytes: Uint8Array): Generator<undefined, Raster | null> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return yield* png(view, bytes);
    if (startsWith(bytes, 0, 'GIF8')) return yield* gif(view, bytes);
    if (startsWith(bytes, 0, '\xff\xd8\xff')) return yield* jpeg(view, bytes);
    if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'))
      return yield* webp(view, bytes);
    if (startsWith(bytes, 0, 'BM')) return bmp(view);
    return null;
  } catch (error) {
    // A read past the end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let n = 0; n < text.length; n += 1) if (bytes[at + n] !== text.charCodeAt(n)) return false;
  return true;
}

type Reader = Generator<undefined, Raster | null>;

function* png(view: DataView, bytes: Uint8Array): Reader {
  if (!startsWith(bytes, 12, 'IHDR')) return null;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  let frames = 1;
  let steps = 0;
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (startsWith(bytes, at + 4, 'acTL')) frames = Math.max(frames, view.getUint32(at + 8));
    if ((steps += 1) % stride === 0) yield;
  }
  return { mediaType: 'image/png', width, height, frames };
}

/** A GIF has no count of its frames; each is an image descriptor, followed by blocks of data. */
function* gif(view: DataView, bytes: Uint8Array): Reader {
  let [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  let frames = 0;
  let steps = 0;
  let at = 13 + colorTable(view.getUint8(10));
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x21) at += 2;
    else if (block === 0x2c) {
      frames += 1;
      // Browsers enlarge the canvas for a first frame that exceeds it.
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at += 11 + colorTable(view.getUint8(at + 9));
    } else break;
    while (at < bytes.length) {
      const length = bytes[at] ?? 0;
      at += 1 + length;
      if ((steps += 1) % stride === 0) yield;
      if (length === 0) break;
    }
  }
  return frames === 0 ? null : { mediaType: 'image/gif', width, height, frames };
}

function colorTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);
}

/** Walks the segments. After the header of a scan, its data continues until the next marker. */
function* jpeg(view: DataView, bytes: Uint8Array): Reader {
  let [width, height, scans, steps] = [0, 0, 0, 0];
  let at = 2;
  while (at + 4 <= bytes.length) {
    if ((steps += 1) % stride === 0) yield;
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0 || (marker >= 0xd0 && marker <= 0xd7)) {
      const next = bytes.indexOf(0xff, at + 1);
      if (next < 0) break;
      at = next;
      continue;
    }
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) break;
    // Start of frame: C0 to CF, without the tables C4 and CC, and C8, which is reserved.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      height = Math.max(height, view.getUint16(at + 5));
      width = Math.max(width, view.getUint16(at + 7));
    }
    if (marker === 0xda) scans += 1;
    at += 2 + view.getUint16(at + 2);
  }
  if (width === 0 || height === 0) return null;
  return { mediaType: 'image/jpeg', width, height, frames: Math.ceil(scans / usualScans) || 1 };
}

function* webp(view: DataView, bytes: Uint8Array): Reader {
  let [width, height, frames, steps] = [0, 0, 0, 0];
  for (let at = 12; at + 8 <= bytes.length;) {
    const [length, data] = [view.getUint32(at + 4, true), at + 8];
    if (startsWith(bytes, at, 'VP8X')) {
      width = Math.max(width, 1 + uint24(view, data + 4));
      height = Math.max(height, 1 + uint24(view, data + 7));
    } else if (startsWith(bytes, at, 'VP8L')) {
      const bits = view.getUint32(data + 1, true);
      width = Math.max(width, 1 + (bits & 0x3fff));
      height = Math.max(height, 1 + ((bits >>> 14) & 0x3fff));
    } else if (startsWith(bytes, at, 'VP8 ')) {
      width = Math.max(width, view.getUint16(data + 6, true) & 0x3fff);
      height = Math.max(height, view.getUint16(data + 8, true) & 0x3fff);
    } else if (startsWith(bytes, at, 'ANMF')) {
      frames += 1;
      width = Math.max(width, 1 + uint24(view, data + 6));
      height = Math.max(height, 1 + uint24(view, data + 9));
    }
    at = data + length + (length & 1);
    if ((steps += 1) % stride === 0) yield;
  }
  if (width === 0 || height === 0) return null;
  return { mediaType: 'image/webp', width, height, frames: Math.max(1, frames) };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function bmp(view: DataView): Raster | null {
  const old = view.getUint32(14, true) === 12;
  const width = old ? view.getUint16(18, true) : Math.abs(view.getInt32(18, true));
  const height = old ? view.getUint16(20, true) : Math.abs(view.getInt32(22, true));
  if (width === 0 || height === 0) return null;
  return { mediaType: 'image/bmp', width, height, frames: 1 };
}
