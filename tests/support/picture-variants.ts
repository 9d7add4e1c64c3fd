/** Pictures with damaged headers, and what the browser's decoders read from them: threat 46. */

import { crc32, deflateSync } from 'node:zlib';
import { addRaster, readRaster } from '../../src/app/ui/tools/pictures/raster.ts';
import { Cost } from '../../src/app/ui/tools/pictures/cost.ts';

export interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** Runs in a page: small and large pictures that the browser encodes, as base64. */
export async function encodedPictures(): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const [size, width, height] of [
    ['small', 16, 12],
    ['large', 160, 120],
  ] as const)
    for (const [type, quality] of [
      ['jpeg', 0.5],
      ['webp', 0.5],
      ['webp', 1],
    ] as const) {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      // Without transparency, lossy pictures are a single chunk.
      const context = canvas.getContext('2d', { alpha: false });
      if (context === null) throw new Error('There is no canvas.');
      context.fillStyle = '#08f';
      context.fillRect(1, 1, width - 4, height - 3);
      const url = canvas.toDataURL(`image/${type}`, quality);
      made[`${type} ${String(quality)} ${size}`] = url.slice(url.indexOf(',') + 1);
    }
  return await Promise.resolve(made);
}

/** Runs in a page: the size and frames that the decoders read from each picture; null if they refuse it. */
export async function decodedPictures(
  pictures: readonly (readonly [type: string, data: string])[],
): Promise<(Decoded | null)[]> {
  return Promise.all(
    pictures.map(async ([type, data]) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const image = new Image();
      const loaded = new Promise<boolean>((resolve) => {
        image.onload = () => {
          resolve(true);
        };
        image.onerror = () => {
          resolve(false);
        };
      });
      image.src = URL.createObjectURL(new Blob([bytes], { type }));
      const size = (await loaded)
        ? { width: image.naturalWidth, height: image.naturalHeight }
        : null;
      URL.revokeObjectURL(image.src);
      let frames = 1;
      // Older versions of Firefox have no such decoder.
      if (typeof ImageDecoder === 'function' && type !== 'image/bmp')
        for (const format of type === 'image/png' ? ['image/apng', type] : [type])
          try {
            const decoder = new ImageDecoder({ data: bytes, type: format, preferAnimation: true });
            await Promise.all([decoder.completed, decoder.tracks.ready]);
            frames = Math.max(frames, decoder.tracks.selectedTrack?.frameCount ?? 1);
            decoder.close();
          } catch {
            // The decoder refuses the picture.
          }
      return size && { ...size, frames };
    }),
  );
}

const be = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
const le = (value: number): Buffer => be(value).reverse();
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

function pngChunk(type: string, ...data: Buffer[]): Buffer {
  const content = Buffer.concat([latin1(type), ...data]);
  return Buffer.concat([be(content.length - 4), content, be(crc32(content))]);
}

function png(width: number, height: number, frames = 0): Buffer {
  const pixels = deflateSync(Buffer.alloc(height * (1 + width * 4), 99));
  const control = (n: number): Buffer =>
    pngChunk('fcTL', be(n), be(width), be(height), be(0), be(0), latin1('\0\x01\0\x0a\0\0'));
  const animation = Array.from({ length: Math.max(0, frames - 1) }, (_, n) => [
    control(2 * n + 1),
    pngChunk('fdAT', be(2 * n + 2), pixels),
  ]);
  return Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', be(width), be(height), latin1('\x08\x06\0\0\0')),
    ...(frames === 0 ? [] : [pngChunk('acTL', be(frames), be(0)), control(0)]),
    pngChunk('IDAT', pixels),
    ...animation.flat(),
    pngChunk('IEND'),
  ]);
}

function gif(size: number, frames: number): Buffer {
  const side = le(size).subarray(0, 2);
  const frame = Buffer.concat([
    latin1('!\xf9\x04\0\x0a\0\0\0,\0\0\0\0'),
    side,
    side,
    latin1('\0\x02\x02D\x01\0'),
  ]);
  const loop = latin1('!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0');
  return Buffer.concat([
    latin1('GIF89a'),
    side,
    side,
    latin1('\x80\0\0\0\0\0\xff\xff\xff'),
    loop,
    ...Array.from({ length: frames }, () => frame),
    latin1(';'),
  ]);
}

function riff(type: string, ...data: Buffer[]): Buffer {
  const content = Buffer.concat(data);
  const rest = Buffer.alloc(content.length % 2);
  return Buffer.concat([latin1(type), le(content.length), content, rest]);
}

/** @param still a lossy WebP of this size, in which the picture comes last */
function animatedWebp(still: Buffer, width: number, height: number, frames: number): Buffer {
  const size = Buffer.concat([le(width - 1).subarray(0, 3), le(height - 1).subarray(0, 3)]);
  const place = Buffer.alloc(6);
  const frame = riff(
    'ANMF',
    place,
    size,
    latin1('\x0a\0\0\0'),
    still.subarray(still.indexOf('VP8 ')),
  );
  return riff(
    'RIFF',
    latin1('WEBP'),
    riff('VP8X', latin1('\x02\0\0\0'), size),
    riff('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  );
}

function bmp(width: number, height: number): Buffer {
  // Nothing in them looks like the beginning of a part.
  const pixels = Buffer.alloc(width * height * 4, 1);
  return Buffer.concat([
    latin1('BM'),
    le(54 + pixels.length),
    le(0),
    le(54),
    le(40),
    le(width),
    le(height),
    latin1('\x01\0\x20\0'),
    ...Array.from({ length: 6 }, () => le(0)),
    pixels,
  ]);
}

type Pair = readonly [small: Buffer, large: Buffer];

/** Pairs of a small and a large picture of each format. */
export function pairsOf(encoded: Readonly<Record<string, string>>): Record<string, Pair[]> {
  const from = (name: string): Pair => [
    Buffer.from(encoded[`${name} small`] ?? '', 'base64'),
    Buffer.from(encoded[`${name} large`] ?? '', 'base64'),
  ];
  const [small, large] = from('webp 0.5');
  return {
    'image/png': [
      [png(16, 12), png(160, 120)],
      [png(16, 12, 2), png(160, 120, 9)],
    ],
    'image/jpeg': [from('jpeg 0.5')],
    'image/gif': [[gif(16, 2), gif(160, 9)]],
    'image/webp': [
      from('webp 0.5'),
      from('webp 1'),
      [animatedWebp(small, 16, 12, 2), animatedWebp(large, 160, 120, 9)],
    ],
    'image/bmp': [[bmp(16, 12), bmp(160, 120)]],
  };
}

/** Bytes that some decoders skip, and others read. */
const odd = [
  '\xff\x01',
  '\xff',
  '\xff\xff',
  '\xff\0',
  '\xff\xd0',
  '\xff\xd8',
  '\xff\xd9',
  '\xff\x02',
  '\xff\xdc\0\x04\0\x99',
  '\xff\xc8\0\x03.',
  '\xff\xf0\0\x03.',
  '\0',
  '\0\0',
  ';',
  '!\xfe\0',
  '!\xf9\0',
  '!\xf9\x02..\0',
  '!\xff\x02..\0',
  '!\x01\x03...\0',
  ',',
  '\0\0\0\0IEND\xae\x42\x60\x82',
  '\0\0\0\0tEXt....',
  '\0\0\0\x08acTL\0\0\0\x09\0\0\0\0....',
  'ALPH\0\0\0\0',
  'XXXX\x01\0\0\0.',
].map(latin1);

/** Positions at which the parts of a picture are likely to begin. */
function seams(bytes: Buffer): number[] {
  const found = [...bytes.toString('latin1').matchAll(/\xff[\xc0-\xfe]|[!,;]|[A-Za-z]{4}|VP8 /g)];
  return found.flatMap(({ index }) => [index, index - 4, index + 2, index + 8]);
}

/** A generator of numbers from 0 to `below`, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Damaged copies of the small picture, many with parts of the large one. */
function variantsOf([small, large]: Pair, count: number, seed: number): Buffer[] {
  const below = numbers(seed);
  const place = (bytes: Buffer): number => {
    const at = seams(bytes);
    const chosen = below(4) === 0 ? below(bytes.length) : (at[below(at.length)] ?? 0);
    return Math.min(Math.max(chosen, 2), bytes.length);
  };
  const damaged = (bytes: Buffer): Buffer => {
    const at = place(bytes);
    const before = bytes.subarray(0, at);
    const after = bytes.subarray(at);
    const from = place(large);
    const part = large.subarray(
      from,
      Math.min(large.length, from + 1 + below(below(2) === 0 ? 40 : 400)),
    );
    switch (below(6)) {
      case 0:
        return Buffer.concat([before, odd[below(odd.length)] ?? part, after]);
      case 1:
        return Buffer.concat([before, part, after]);
      case 2:
        return Buffer.concat([before, odd[below(odd.length)] ?? part, part, after]);
      case 3:
        return Buffer.concat([before, after.subarray(1 + below(8))]);
      case 4:
        return Buffer.concat([before, Buffer.of(below(256)), after.subarray(1)]);
      default:
        return Buffer.concat([before, Buffer.of(below(4)), after.subarray(1)]);
    }
  };
  // The whole large picture, hidden behind a few odd bytes of the small one.
  const hidden = odd.flatMap((bytes) =>
    [2, 8, 13, 20].map((at) => Buffer.concat([small.subarray(0, at), bytes, large.subarray(at)])),
  );
  return [
    ...hidden,
    ...Array.from({ length: count }, () => {
      let bytes: Buffer = damaged(small);
      for (let more = below(3); more > 0; more -= 1) bytes = damaged(bytes);
      return bytes;
    }),
  ];
}

/** The header as Cloche reads it before it decodes a picture; null if the picture is not drawn. */
function readHeaders(bytes: Buffer): Decoded | null {
  const steps = readRaster(new Uint8Array(bytes));
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    try {
      return addRaster(new Cost(), step.value);
    } catch {
      return null;
    }
  }
}

export interface Comparison {
  /** Pictures that the browser reads larger than Cloche: base64 after their type. */
  readonly larger: readonly string[];
  /** Number of pictures that the browser decodes and Cloche does not draw. */
  readonly refused: number;
}

/**
 * Compares how Cloche and a browser read damaged pictures of each format.
 * @param decode calls {@link decodedPictures} in a page
 * @throws {Error} if they read a well-formed picture differently
 */
export async function compared(
  decode: (pictures: readonly (readonly [string, string])[]) => Promise<(Decoded | null)[]>,
  pairs: Readonly<Record<string, readonly Pair[]>>,
  count: number,
): Promise<Comparison> {
  const larger: string[] = [];
  let refused = 0;
  for (const [type, ofType] of Object.entries(pairs))
    for (const [n, pair] of ofType.entries()) {
      const variants = variantsOf(pair, count, n + 1);
      const all = [...pair, ...variants];
      const found = await decode(all.map((bytes) => [type, bytes.toString('base64')] as const));
      for (const [at, bytes] of all.entries()) {
        const read = readHeaders(bytes);
        const real = found[at] ?? null;
        const what = `${type} ${bytes.toString('base64')}`;
        if (at < pair.length && (read === null || real === null || area(read) !== area(real)))
          throw new Error(`read ${JSON.stringify(read)}, decoded ${JSON.stringify(real)}: ${what}`);
        if (real === null) continue;
        if (read === null) refused += 1;
        else if (area(real) > area(read)) larger.push(what);
      }
    }
  return { larger, refused };
}

function area({ width, height, frames }: Decoded): number {
  return width * height * frames;
}
