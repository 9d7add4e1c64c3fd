/**
 * Reads the headers of raster images: what decoding them would cost, before a browser decodes them. Generators read in
 * slices, so that `judge.ts` can pause between them.
 */

import { countText } from '../../../../runtime/spec/count-text.ts';
import { NotDrawable, type Cost } from './cost.ts';
import {
  Malformed,
  readBmp,
  readGif,
  readJpeg,
  readPng,
  readWebp,
  type Measured,
  type ReadHeader,
} from './raster-formats.ts';

export interface Raster {
  readonly mediaType: string;
  /** Pixels of one frame. */
  readonly width: number;
  readonly height: number;
  /** Number of times that the pixels are computed: frames of an animation, or groups of scans of a JPEG. */
  readonly frames: number;
  /** The reason why decoders could read the image differently; null if there is none. */
  readonly fault: string | null;
}

/** Limit of pixels of one frame, even on request. */
const maxPixels = 50_000_000;
const maxFrames = 1_000;

/** Adds what decoding costs. @throws {NotDrawable} */
export function addRaster(cost: Cost, raster: Raster | null): Raster {
  if (raster === null) throw new NotDrawable(unknown);
  const { width, height, frames, fault } = raster;
  // The comparison is negated, so that NaN does not pass.
  if (!(width * height <= maxPixels))
    throw new NotDrawable(
      `it is ${countText(width, 'pixel')} by ${countText(height, 'pixel')}; the limit is ${countText(maxPixels, 'pixel')}`,
    );
  if (frames > maxFrames)
    throw new NotDrawable(
      `it has ${countText(frames, 'frame')}; the limit is ${countText(maxFrames, 'frame')}`,
    );
  if (fault !== null)
    throw new NotDrawable(`${unknown} in a form that all programs read in the same way: ${fault}`);
  cost.add('pixels', width * height * frames);
  return raster;
}

const unknown = 'its data is not PNG, JPEG, GIF, WebP or BMP';

const formats: readonly (readonly [mediaType: string, starts: string, read: ReadHeader])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n', readPng],
  ['image/gif', 'GIF87a', readGif],
  ['image/gif', 'GIF89a', readGif],
  ['image/jpeg', '\xff\xd8\xff', readJpeg],
  ['image/webp', 'RIFF', readWebp],
  ['image/bmp', 'BM', readBmp],
];

/** Finds the format by the first bytes, as browsers do. @returns null if it is none of PNG, JPEG, GIF, WebP and BMP, or has no size */
export function* readRaster(bytes: Uint8Array): Generator<undefined, Raster | null> {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  const [mediaType, , read] = formats.find(([, starts]) => start.startsWith(starts)) ?? [];
  if (mediaType === undefined || read === undefined) return null;
  const found: Measured = { width: 0, height: 0, frames: 1 };
  let fault: string | null = null;
  try {
    yield* read(bytes, found);
  } catch (error) {
    // A RangeError means that a read went past the end.
    if (error instanceof Malformed) fault = error.message;
    else if (error instanceof RangeError) fault = 'it is cut off';
    else throw error;
  }
  return found.width === 0 || found.height === 0 ? null : { mediaType, ...found, fault };
}
