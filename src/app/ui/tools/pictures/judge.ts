/** Decides whether an image is drawn: unasked, on request, or not at all. It runs in slices, before a browser decodes the image. */

import { runPaced } from '../../../../runtime/async/pace.ts';
import { utf8Text } from '../../../../runtime/spec/bytes.ts';
import { byteSize } from '../../parts/format.ts';
import { classifyDrawable, essenceOf } from '../result/media.ts';
import { Cost, NotDrawable } from './cost.ts';
import { addRaster, readRaster } from './raster.ts';
import { measureSvg } from './svg-cost.ts';
import { parseSvg } from './svg-tree.ts';

export type Verdict =
  | {
      readonly draw: 'unasked' | 'on request';
      /** The media type of the bytes. */
      readonly mediaType: string;
      /** Share of the limits. */
      readonly cost: number;
      readonly animated: boolean;
      /** Completes "Not shown: ". */
      readonly reason: string;
    }
  | { readonly draw: 'never'; readonly reason: string };

const maxSvgBytes = 2_000_000;
const maxRasterBytes = 24_000_000;

/** Checked before the bytes are decoded. @returns why they are too many; empty if they are not */
export function tooLarge(mediaType: string, bytes: number): string {
  const max = classifyDrawable(mediaType) === 'svg' ? maxSvgBytes : maxRasterBytes;
  return bytes > max ? `it is ${byteSize(bytes)}; the limit is ${byteSize(max)}` : '';
}

/** @param mediaType what the image is said to be; without it, any raster image is accepted */
export async function judge(bytes: Uint8Array, mediaType: string | null = null): Promise<Verdict> {
  try {
    const large = tooLarge(mediaType ?? '', bytes.length);
    if (large !== '') throw new NotDrawable(large);
    if (mediaType !== null && classifyDrawable(mediaType) === 'svg')
      return verdict(await costOfSvg(bytes), 'image/svg+xml', { animated: false });
    const cost = new Cost();
    const { mediaType: found, frames } = addRaster(cost, await runPaced(readRaster(bytes)));
    // @mutant an image of another type than declared is not drawn => mediaType !== null && found !==
    //   essenceOf(mediaType) -> found === '' [src/app/ui/tools/pictures/raster.test.ts]
    if (mediaType !== null && found !== essenceOf(mediaType))
      throw new NotDrawable(`its data is ${found}, not ${essenceOf(mediaType).slice(0, 40)}`);
    return verdict(cost, found, { animated: frames > 1 });
  } catch (error) {
    if (error instanceof NotDrawable) return { draw: 'never', reason: error.message };
    throw error;
  }
}

function verdict(cost: Cost, mediaType: string, { animated }: { animated: boolean }): Verdict {
  const draw = cost.total <= 1 ? 'unasked' : 'on request';
  return { draw, mediaType, animated, cost: cost.total, reason: cost.reason() };
}

async function costOfSvg(bytes: Uint8Array): Promise<Cost> {
  const tree = await runPaced(parseSvg(textOf(bytes)));
  return runPaced(measureSvg(tree));
}

/** Browsers would read other encodings too; the text that is judged is the one that is drawn. */
function textOf(bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text === null || text.includes('\0')) throw new NotDrawable('it is not UTF-8 text');
  return text;
}
