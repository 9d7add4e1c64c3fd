/**
 * Reads the structure of raster images. Everything that is not on a list here is malformed, even if decoders tolerate
 * it: they differ, and might decode a header that this code skips.
 */

/** Measurements so far. Values larger than those of a decoder are safe. */
export interface Measured {
  width: number;
  height: number;
  /** Frames of an animation, or groups of scans of a JPEG. */
  frames: number;
}

/** @throws {Malformed}, or {RangeError} where the image is cut */
export type ReadHeader = (bytes: Uint8Array, found: Measured) => Generator<undefined, void>;

export class Malformed extends Error {}

function need(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new Malformed(fault);
}

/** Steps between two yields. */
const stride = 50_000;
/** Scans of a progressive JPEG that cost as much as one frame. */
const usualScans = 10;

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function enlarge(found: Measured, width: number, height: number): void {
  found.width = Math.max(found.width, width);
  found.height = Math.max(found.height, height);
}

/** Bit depths by colour type. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

export function* readPng(bytes: Uint8Array, found: Measured): Generator<undefined, void> {
  const view = viewOf(bytes);
  const announced = { frames: 0 };
  const seen = { header: false, data: false, frames: 0 };
  let steps = 0;
  for (let at = 8; ;) {
    if ((steps += 1) % stride === 0) yield;
    const length = view.getUint32(at);
    const type = textAt(bytes, at + 4, 4);
    const data = at + 8;
    need(seen.header === (type !== 'IHDR'), 'it does not begin with its only header');
    if (type === 'IHDR') {
      need(length === 13, 'its header has the wrong length');
      enlarge(found, view.getUint32(data), view.getUint32(data + 4));
      const [depth = 0, colour = 0, ...methods] = bytes.subarray(data + 8, data + 13);
      need(depths[colour]?.includes(depth) === true, 'its colours are of an unknown kind');
      need(
        methods.length === 3 && methods.every((one, n) => one <= (n === 2 ? 1 : 0)),
        'it uses an unknown method',
      );
      seen.header = true;
    }
    need(data + length + 4 <= bytes.length, 'a chunk is cut off');
    switch (type) {
      case 'IHDR':
      case 'PLTE':
        break;
      case 'IDAT':
        seen.data = true;
        break;
      case 'IEND':
        need(length === 0 && seen.data, 'it has no data');
        need(seen.frames === announced.frames, 'it does not have as many frames as it declares');
        return;
      case 'acTL':
        need(
          length === 8 && announced.frames === 0 && !seen.data,
          'its animation is not well-formed',
        );
        announced.frames = view.getUint32(data);
        found.frames = Math.max(found.frames, announced.frames);
        need(announced.frames > 0, 'its animation has no frames');
        break;
      case 'fcTL': {
        const width = view.getUint32(data + 4);
        const height = view.getUint32(data + 8);
        const right = width + view.getUint32(data + 12);
        const bottom = height + view.getUint32(data + 16);
        need(length === 26 && announced.frames > 0, 'its animation is not well-formed');
        need(
          width > 0 && height > 0 && right <= found.width && bottom <= found.height,
          'a frame reaches outside the picture',
        );
        seen.frames += 1;
        found.frames = Math.max(found.frames, seen.frames);
        break;
      }
      case 'fdAT':
        need(length > 4 && seen.frames > 0 && seen.data, 'its animation is not well-formed');
        break;
      default:
        // Decoders skip unknown chunks by their length, unless the chunks are critical.
        need(
          /^[a-z][A-Za-z][A-Z][A-Za-z]$/.test(type) && !/^(actl|fctl|fdat)$/i.test(type),
          'it has an unknown chunk',
        );
    }
    at = data + length + 4;
  }
}

/** Each frame of a GIF is an image descriptor, followed by blocks of data; there is no count of them. */
export function* readGif(bytes: Uint8Array, found: Measured): Generator<undefined, void> {
  const view = viewOf(bytes);
  enlarge(found, view.getUint16(6, true), view.getUint16(8, true));
  need(found.width > 0 && found.height > 0, 'its size is 0');
  let frames = 0;
  let steps = 0;
  let at = 13 + colorTable(view.getUint8(10));
  for (;;) {
    const block = view.getUint8(at);
    if (block === 0x3b) break;
    if (block === 0x21) {
      needExtension(bytes, at);
      at += 2;
    } else {
      need(block === 0x2c, 'it has a block of an unknown kind');
      frames += 1;
      found.frames = frames;
      const width = view.getUint16(at + 5, true);
      const height = view.getUint16(at + 7, true);
      need(width > 0 && height > 0, 'a frame has no pixels');
      // Browsers enlarge the canvas if the first frame exceeds it.
      enlarge(found, view.getUint16(at + 1, true) + width, view.getUint16(at + 3, true) + height);
      at += 10 + colorTable(view.getUint8(at + 9));
      const codeSize = view.getUint8(at);
      need(codeSize >= 1 && codeSize <= 8, 'a frame is encoded in an unknown way');
      at += 1;
    }
    for (let length = -1; length !== 0; at += 1 + length) {
      if ((steps += 1) % stride === 0) yield;
      length = view.getUint8(at);
    }
  }
  need(frames > 0, 'it has no frames');
}

/** Blocks of an extension must have their usual length: some decoders ignore the length that a block states. */
function needExtension(bytes: Uint8Array, at: number): void {
  const [label = 0, length = 0] = bytes.subarray(at + 1, at + 3);
  const end = at + 3 + length;
  const isAllowed = (): boolean => {
    switch (label) {
      case 0xf9:
        return length === 4 && bytes[end] === 0;
      case 0x01:
        return length === 12;
      case 0xfe:
        return true;
      case 0xff:
        return (
          length === 11 &&
          (!isLoop(bytes, at + 3) ||
            (bytes[end] === 3 && bytes[end + 1] === 1 && bytes[end + 4] === 0))
        );
      default:
        return false;
    }
  };
  need(isAllowed(), 'it has an extension of an unknown kind');
}

function isLoop(bytes: Uint8Array, at: number): boolean {
  return /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(textAt(bytes, at, 11));
}

function colorTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);
}

/** Segments with a length: tables, application data, comments. */
const jpegSegments = [0xc4, 0xdb, 0xdd, 0xfe, ...Array.from({ length: 16 }, (_, n) => 0xe0 + n)];
/** Baseline, extended and progressive, with Huffman codes. */
const jpegFrames = [0xc0, 0xc1, 0xc2];
const startOfScan = 0xda;
const endOfImage = 0xd9;

/** Walks the segments. After the header of a scan, its data continues until the next marker. */
export function* readJpeg(bytes: Uint8Array, found: Measured): Generator<undefined, void> {
  const view = viewOf(bytes);
  let scans = 0;
  let steps = 0;
  let components = 0;
  for (let at = 2; ;) {
    if ((steps += 1) % stride === 0) yield;
    need(view.getUint8(at) === 0xff, 'it has data between its segments');
    const marker = view.getUint8(at + 1);
    if (marker === endOfImage) {
      need(scans > 0, 'it has no data');
      return;
    }
    if (marker === 0xff) {
      // Bytes of this value may precede a marker.
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    need(length >= 2 && end <= bytes.length, 'a segment is cut off');
    if (jpegFrames.includes(marker)) {
      enlarge(found, view.getUint16(at + 7), view.getUint16(at + 5));
      need(components === 0, 'it has several headers');
      components = view.getUint8(at + 9);
      need(
        [1, 3, 4].includes(components) && length === 8 + 3 * components,
        'its header is not well-formed',
      );
      need(
        view.getUint8(at + 4) === 8 && view.getUint16(at + 5) > 0,
        'its header is not well-formed',
      );
      for (let n = 0; n < components; n += 1) {
        const sampling = view.getUint8(at + 11 + 3 * n);
        need(
          [1, 2, 3, 4].includes(sampling >> 4) && [1, 2, 3, 4].includes(sampling & 15),
          'its header is not well-formed',
        );
      }
      at = end;
    } else if (marker === startOfScan) {
      const scanned = view.getUint8(at + 4);
      need(
        scanned >= 1 && scanned <= components && length === 6 + 2 * scanned,
        'a scan is not well-formed',
      );
      scans += 1;
      found.frames = Math.ceil(scans / usualScans);
      at = yield* endOfScan(bytes, end);
      // Browsers show the part of an image before the cut.
      if (at === bytes.length) return;
    } else {
      need(
        jpegSegments.includes(marker),
        `it has the marker ${marker.toString(16).toUpperCase().padStart(2, '0')}`,
      );
      at = end;
    }
  }
}

/** @returns the offset of the next marker other than data and restart markers */
function* endOfScan(bytes: Uint8Array, start: number): Generator<undefined, number> {
  let steps = 0;
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at)) {
    if ((steps += 1) % stride === 0) yield;
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2;
    else if (next === 0xff) at += 1;
    else return at;
  }
  return bytes.length;
}

interface Chunk {
  readonly type: string;
  readonly data: number;
  readonly end: number;
}

/** A chunk of a RIFF file. */
function chunkAt(bytes: Uint8Array, at: number, max: number): Chunk & { readonly next: number } {
  const length = viewOf(bytes).getUint32(at + 4, true);
  const data = at + 8;
  const end = at + 8 + length;
  need(end <= max, 'a chunk is cut off');
  return { type: textAt(bytes, at, 4), data, end, next: end + (length & 1) };
}

export function* readWebp(bytes: Uint8Array, found: Measured): Generator<undefined, void> {
  const view = viewOf(bytes);
  need(textAt(bytes, 8, 4) === 'WEBP', 'it is a RIFF file of another kind');
  const end = 8 + view.getUint32(4, true);
  const first = chunkAt(bytes, 12, Math.max(end, bytes.length));
  if (first.type === 'VP8X')
    enlarge(found, 1 + uint24(view, first.data + 4), 1 + uint24(view, first.data + 7));
  else enlarge(found, ...webpSize(bytes, first));
  need(end <= bytes.length && first.end <= end, 'it is cut off');
  if (first.type !== 'VP8X') {
    need(first.next >= end, 'it has data after its picture');
    return;
  }
  const flags = view.getUint8(first.data);
  need(first.end - first.data === 10 && (flags & 0xc1) === 0, 'its header is not well-formed');
  const animated = (flags & 2) !== 0;
  let frames = 0;
  let steps = 0;
  let looped = false;
  for (let at = first.next; at < end;) {
    if ((steps += 1) % stride === 0) yield;
    const chunk = chunkAt(bytes, at, end);
    at = chunk.next;
    switch (chunk.type) {
      case 'ICCP':
      case 'EXIF':
      case 'XMP ':
        break;
      case 'ANIM':
        need(animated && !looped && frames === 0, 'its animation is not well-formed');
        looped = true;
        break;
      case 'ANMF':
        frames += 1;
        found.frames = frames;
        need(looped, 'its animation is not well-formed');
        readWebpFrame(bytes, chunk, found);
        break;
      case 'ALPH':
        need(!animated && frames === 0, 'it has an unknown chunk');
        break;
      default: {
        const [width, height] = webpSize(bytes, chunk);
        frames += 1;
        need(!animated && frames === 1, 'it has several pictures');
        need(width === found.width && height === found.height, 'its size is not as declared');
      }
    }
  }
  need(frames > 0, 'it has no picture');
}

function readWebpFrame(bytes: Uint8Array, { data, end }: Chunk, found: Measured): void {
  const view = viewOf(bytes);
  const width = 1 + uint24(view, data + 6);
  const height = 1 + uint24(view, data + 9);
  const right = 2 * uint24(view, data) + width;
  const bottom = 2 * uint24(view, data + 3) + height;
  need(right <= found.width && bottom <= found.height, 'a frame reaches outside the picture');
  let chunk = chunkAt(bytes, data + 16, end);
  if (chunk.type === 'ALPH') chunk = chunkAt(bytes, chunk.next, end);
  const [innerWidth, innerHeight] = webpSize(bytes, chunk);
  need(innerWidth === width && innerHeight === height, 'a frame has the wrong size');
  need(chunk.next >= end, 'a frame has data after its picture');
}

/** The size of a lossy or lossless picture. */
function webpSize(bytes: Uint8Array, { type, data }: Chunk): [width: number, height: number] {
  const view = viewOf(bytes);
  if (type === 'VP8L') {
    const bits = view.getUint32(data + 1, true);
    need(view.getUint8(data) === 0x2f && bits >>> 29 === 0, 'its picture is not well-formed');
    return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
  }
  need(type === 'VP8 ', 'it has an unknown chunk');
  const isKeyFrame =
    (view.getUint8(data) & 1) === 0 && textAt(bytes, data + 3, 3) === '\x9d\x01\x2a';
  const width = view.getUint16(data + 6, true) & 0x3fff;
  const height = view.getUint16(data + 8, true) & 0x3fff;
  need(isKeyFrame && width > 0 && height > 0, 'its picture is not well-formed');
  return [width, height];
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Bits of a pixel by compression: none, run lengths of 8 and of 4 bits, bit fields. */
const bmpDepths: readonly (readonly number[])[] = [[1, 4, 8, 16, 24, 32], [8], [4], [16, 32]];

// eslint-disable-next-line require-yield -- Readers of the other formats pause.
export function* readBmp(bytes: Uint8Array, found: Measured): Generator<undefined, void> {
  const view = viewOf(bytes);
  const header = view.getUint32(14, true);
  const old = header === 12;
  const width = old ? view.getUint16(18, true) : view.getInt32(18, true);
  const height = old ? view.getUint16(20, true) : view.getInt32(22, true);
  enlarge(found, Math.abs(width), Math.abs(height));
  need(
    [12, 40, 52, 56, 108, 124].includes(header) && width > 0,
    'its header is of an unknown kind',
  );
  const planes = view.getUint16(old ? 22 : 26, true);
  const depth = view.getUint16(old ? 24 : 28, true);
  const compression = old ? 0 : view.getUint32(30, true);
  need(
    planes === 1 && bmpDepths[compression]?.includes(depth) === true,
    'its colours are of an unknown kind',
  );
  need(height > 0 || compression === 0 || compression === 3, 'it is upside down and compressed');
  need(view.getUint32(10, true) <= bytes.length, 'it is cut off');
}
