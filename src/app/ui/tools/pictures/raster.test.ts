/** Headers of raster images that are drawn, and that are not. */

import { expect, test } from 'vitest';
import { judge } from './judge.ts';

async function outcome(text: string, mediaType: string): Promise<string> {
  const verdict = await judge(Uint8Array.from(Buffer.from(text, 'latin1')), mediaType);
  return verdict.draw === 'unasked' ? 'unasked' : `${verdict.draw}: ${verdict.reason}`;
}

const be = (value: number): string =>
  String.fromCharCode(value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255);
const le = (value: number): string => Array.from(be(value)).reverse().join('');
const chunk = (type: string, data = ''): string => `${be(data.length)}${type}${data}....`;
const frameControl = (width: number, height: number): string =>
  chunk('fcTL', `${be(0)}${be(width)}${be(height)}${be(0).repeat(2)}\0\x01\0\x0a\0\0`);
const png = (width: number, height: number, frames = 0): string =>
  `\x89PNG\r\n\x1a\n${[
    chunk('IHDR', `${be(width)}${be(height)}\x08\x06\0\0\0`),
    ...(frames === 0 ? [] : [chunk('acTL', be(frames) + be(0))]),
    frames === 0 ? '' : frameControl(width, height),
    chunk('IDAT', 'data'),
    ...(frames === 0
      ? []
      : Array<string>(frames - 1).fill(frameControl(width, height) + chunk('fdAT', 'datadata'))),
    chunk('IEND'),
  ].join('')}`;
const gif = (width: number, frames: number): string =>
  `GIF89a${le(width).slice(0, 2).repeat(2)}\x80\0\0......${`!\xf9\x04....\0,\0\0\0\0${le(width).slice(0, 2).repeat(2)}\0\x02\x02D\x01\0`.repeat(frames)};`;
const jpegHeader = (width: number): string =>
  `\xff\xc2\0\x0b\x08${be(width).slice(2).repeat(2)}\x01\x01\x11\0`;
const scan = '\xff\xda\0\x08\x01\x01\0\0\x3f\0data\xff\0';
const jpeg = (width: number, scans: number): string =>
  `\xff\xd8\xff\xe0\0\x04..${jpegHeader(width)}${scan.repeat(scans)}\xff\xd9`;
const riff = (type: string, data: string): string =>
  `${type}${le(data.length)}${data}${data.length % 2 === 0 ? '' : '\0'}`;
const webpPicture = (width: number): string =>
  riff('VP8 ', `\0\0\0\x9d\x01\x2a${le(width).slice(0, 2).repeat(2)}data`);
const size24 = (width: number): string =>
  le(width - 1)
    .slice(0, 3)
    .repeat(2);
const webpFrame = (width: number): string =>
  riff('ANMF', `\0\0\0\0\0\0${size24(width)}....${webpPicture(width)}`);
const webpOf = (...chunks: string[]): string => riff('RIFF', `WEBP${chunks.join('')}`);
const webp = (width: number, frames: number): string =>
  frames === 0
    ? webpOf(webpPicture(width))
    : webpOf(
        riff('VP8X', `\x02\0\0\0${size24(width)}`),
        riff('ANIM', '......'),
        webpFrame(width).repeat(frames),
      );
const bmp = (width: number): string =>
  `BM........\x36\0\0\0${le(40)}${le(width)}${le(-width)}\x01\0\x20\0${le(0).repeat(6)}`;

test.for([
  ['a PNG in which a chunk ends before the header', png(9, 9).replace('IHDR', 'IHDX')],
  [
    'a PNG with two headers',
    png(9, 9).replace(
      chunk('IEND'),
      chunk('IHDR', `${be(99)}${be(99)}\x08\x06\0\0\0`) + chunk('IEND'),
    ),
  ],
  ['a PNG with a critical chunk that is unknown', png(9, 9).replace('IDAT', 'IDAX')],
  ['a PNG of which the last chunk is missing', png(9, 9).replace(chunk('IEND'), '')],
  ['a PNG with more frames than it says', png(9, 9, 3).replace(be(3) + be(0), be(2) + be(0))],
  ['a PNG with frames that it does not announce', png(9, 9, 3).replace('acTL', 'acTl')],
  [
    'a PNG with a frame beyond its edge',
    png(9, 9, 2).replaceAll(be(9) + be(9) + be(0), be(9) + be(10) + be(0)),
  ],
  ['a PNG with unknown colours', png(9, 9).replace('\x08\x06', '\x07\x06')],
  [
    'a PNG whose animation follows its data',
    png(9, 9).replace(chunk('IEND'), chunk('acTL', be(1) + be(0)) + chunk('IEND')),
  ],
  [
    'a PNG whose chunk is longer than the file',
    png(9, 9).replace(`${be(4)}IDAT`, `${be(400)}IDAT`),
  ],
  ['a JPEG with a marker without length', jpeg(9, 1).replace('\xff\xe0', '\xff\x01\xff\xe0')],
  ['a JPEG with a restart before its data', jpeg(9, 1).replace('\xff\xe0', '\xff\xd0\xff\xe0')],
  ['a JPEG with a second start', jpeg(9, 1).replace('\xff\xe0', '\xff\xd8\xff\xe0')],
  ['a JPEG with two headers', jpeg(9, 1).replace(scan, jpegHeader(99) + scan)],
  ['a JPEG with data between segments', jpeg(9, 1).replace('\xff\xc2', '.\xff\xc2')],
  ['a JPEG with arithmetic codes', jpeg(9, 1).replace('\xff\xc2', '\xff\xca')],
  ['a JPEG with a marker of no meaning', jpeg(9, 1).replace('\xff\xe0', '\xff\x02')],
  [
    'a JPEG whose height follows its data',
    jpeg(9, 1).replace('\xff\xd9', '\xff\xdc\0\x04\0\x63\xff\xd9'),
  ],
  [
    'a JPEG whose header has another length',
    jpeg(9, 1).replace('\xff\xc2\0\x0b', '\xff\xc2\0\x0a'),
  ],
  ['a JPEG with a marker without length in its data', jpeg(9, 2).replace('data', 'da\xff\x01ta')],
  ['a JPEG without data', jpeg(9, 0)],
  ['a GIF with bytes between its blocks', gif(9, 2).replaceAll('\0,', '\0\0,')],
  ['a GIF with an unknown extension', gif(9, 2).replace('!\xf9', '!\xce')],
  [
    'a GIF whose extension is shorter than it is read',
    gif(9, 2).replace('!\xf9\x04....', '!\xf9\x02..'),
  ],
  [
    'a GIF whose extension is longer than it is read',
    gif(9, 2).replace('!\xf9\x04....', '!\xf9\x05.....'),
  ],
  [
    'a GIF whose extension has two blocks',
    gif(9, 2).replace('!\xf9\x04....', '!\xf9\x04....\x01.'),
  ],
  [
    'a GIF with an application extension of another length',
    gif(9, 2).replace('!\xf9\x04....', '!\xff\x02..'),
  ],
  [
    'a GIF with a loop of another length',
    gif(9, 2).replace('!\xf9\x04....', '!\xff\x0bNETSCAPE2.0\x01\x01'),
  ],
  ['a GIF with a short plain text', gif(9, 2).replace('!\xf9\x04....', '!\x01\x03...')],
  ['a GIF without a last byte', gif(9, 2).slice(0, -1)],
  ['a GIF of an unknown version', gif(9, 2).replace('89a', '88a')],
  ['a GIF whose frame has no pixels', gif(9, 2).replace(',\0\0\0\0\t\0', ',\0\0\0\0\0\0')],
  [
    'a WebP whose picture is larger than it says',
    webpOf(riff('VP8X', `\0\0\0\0${size24(9)}`), webpPicture(99)),
  ],
  [
    'a WebP whose frame is larger than it says',
    webp(9, 2).replaceAll(webpPicture(9), webpPicture(99)),
  ],
  ['a WebP with frames that it does not announce', webp(9, 2).replace('\x02\0\0\0', '\0\0\0\0')],
  [
    'a WebP with two pictures',
    webpOf(riff('VP8X', `\0\0\0\0${size24(9)}`), webpPicture(9).repeat(2)),
  ],
  ['a WebP with a second picture behind it', webpOf(webpPicture(9), webpPicture(99))],
  ['a WebP with an unknown chunk', webp(9, 2).replace('ANIM', 'ANIN')],
  [
    'a WebP with a frame beyond its edge',
    webp(9, 2).replace('ANMF\x26\0\0\0\0', 'ANMF\x26\0\0\0\x01'),
  ],
  ['a WebP that is longer than its file', webp(9, 2).slice(0, -2)],
  ['a WebP with reserved flags', webp(9, 2).replace('\x02\0\0\0', '\x03\0\0\0')],
  ['a WebP of which the picture is no key frame', webp(9, 0).replace('\0\0\0\x9d', '\x01\0\0\x9d')],
  ['a BMP with a header of an unknown length', bmp(9).replace(le(40), le(64))],
  ['a BMP of two planes', bmp(9).replace('\x01\0\x20', '\x02\0\x20')],
  ['a BMP with unknown colours', bmp(9).replace('\x01\0\x20', '\x01\0\x21')],
  ['a BMP that holds a PNG', bmp(9).replace('\x01\0\x20\0\0', '\x01\0\x20\0\x05')],
  ['a BMP of negative width', bmp(9).replace(le(9), le(-9))],
] as const)('%s is not drawn', async ([name, text]) => {
  const [, format = ''] = /^a (\w+)/.exec(name) ?? [];
  expect(await outcome(text, `image/${format.toLowerCase()}`)).toMatch(/^never: its data is not/);
});

test.for([
  ['a PNG', png(800, 600), 'image/png', /^unasked$/],
  [
    'a PNG of 30,000 × 30,000',
    png(30_000, 30_000),
    'image/png',
    /^never: it is 30,000 pixels by 30,000 pixels; the limit is 50,000,000/,
  ],
  [
    'a PNG of 6,000 × 6,000',
    png(6_000, 6_000),
    'image/png',
    /^on request: it has more than 25,000,000 pixels/,
  ],
  ['an animated PNG', png(100, 100, 50), 'image/png', /^unasked$/],
  [
    'a long animated PNG',
    png(100, 100, 10_000),
    'image/png',
    /^never: it has 10,000 frames; the limit is 1,000/,
  ],
  ['a GIF', gif(100, 20), 'image/gif', /^unasked$/],
  ['a GIF of 10,000 frames', gif(10, 10_000), 'image/gif', /^never: it has 10,000 frames/],
  [
    'a large animation',
    gif(2_000, 300),
    'image/gif',
    /^never: it has more than 200,000,000 pixels in all frames/,
  ],
  ['a JPEG', jpeg(4_000, 10), 'image/jpeg', /^unasked$/],
  ['a JPEG of many scans', jpeg(4_000, 5_000), 'image/jpeg', /^never: it has more than/],
  ['a WebP', webp(100, 3), 'image/webp', /^unasked$/],
  ['a large WebP', webp(16_000, 0), 'image/webp', /^never: it is 16,000 pixels by/],
  ['a BMP', bmp(100), 'image/bmp', /^unasked$/],
  ['a large BMP', bmp(30_000), 'image/bmp', /^never: it is 30,000/],
  [
    'an SVG that is called a PNG',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'image/png',
    /^never: its data is not PNG/,
  ],
  [
    'a GIF that is called a PNG',
    gif(9, 1),
    'image/png',
    /^never: its data is image\/gif, not image\/png/,
  ],
  ['a PNG that is called an SVG', png(9, 9), 'image/svg+xml', /^never: it is not UTF-8/],
  ['a header that is cut', png(9, 9).slice(0, 20), 'image/png', /^never: its data is not PNG/],
] as const)('%s', async ([, text, mediaType, reason]) => {
  expect(await outcome(text, mediaType)).toMatch(reason);
});
