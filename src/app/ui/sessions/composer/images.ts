/** Pictures that the user attaches, scaled down to what models accept. */

import { toBase64 } from '../../../../runtime/spec/bytes.ts';
import { ToolError } from '../../../../runtime/spec/error.ts';
import type { ModelInfo, UserPart } from '../../../../runtime/spec/model.ts';
import { byteSize } from '../../parts/format.ts';
import { judge, tooLarge } from '../../tools/pictures/judge.ts';

export type ImagePart = UserPart & { readonly type: 'image' };

/** Limit of the longer edge; pixels. */
const maxEdge = 2_048;
const maxBytes = 5_000_000;
/** Media types that every provider accepts. */
const sent = ['image/png', 'image/jpeg', 'image/webp'];

/**
 * Scales a picture down to what models accept.
 * @throws {ToolError} `bad-input` if it is not a picture, or stays too large
 */
export async function takeImage(file: Blob): Promise<ImagePart> {
  const mediaType = await judgedType(file);
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) throw unsupportedError();
  const { width, height } = fitSize(picture.width, picture.height);
  const asItIs = width === picture.width && sent.includes(mediaType) && file.size <= maxBytes;
  const blob = asItIs
    ? file.slice(0, file.size, mediaType)
    : await drawOnCanvas(picture, width, height, mediaType);
  picture.close();
  if (blob.size > maxBytes)
    throw new ToolError(
      'bad-input',
      `The image is too large (${byteSize(blob.size)}). Models accept at most ${byteSize(maxBytes)}.`,
    );
  return { type: 'image', mediaType: blob.type, data: await encodeBase64(blob) };
}

/**
 * Returns the media type by the file's first bytes, before it is decoded: a small file can stand
 * for gigabytes of pixels. Types that are otherwise drawn only on request are accepted, since the
 * user has chosen the file.
 * @throws {ToolError} `bad-input`
 */
async function judgedType(file: Blob): Promise<string> {
  const large = tooLarge('', file.size);
  const verdict =
    large === ''
      ? await judge(new Uint8Array(await file.arrayBuffer()))
      : ({ draw: 'never', reason: large } as const);
  // @mutant an attached image is judged before it is decoded => never
  //   [src/app/ui/sessions/composer/take-image.test.ts]
  if (verdict.draw === 'never') throw unsupportedError(`: ${verdict.reason}`);
  return verdict.mediaType;
}

function unsupportedError(why = ''): ToolError {
  return new ToolError(
    'bad-input',
    `This image cannot be attached${why}.`,
    'Use a PNG, JPEG, GIF, WebP or BMP image.',
  );
}

/** Returns the size with the same proportions whose longer edge is at most {@link maxEdge}. */
export function fitSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, maxEdge / Math.max(width, height, 1));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

async function drawOnCanvas(
  picture: ImageBitmap,
  width: number,
  height: number,
  type: string,
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
  const lossless = type === 'image/jpeg' ? null : await encoded(canvas, 'image/png');
  if (lossless !== null && lossless.size <= maxBytes) return lossless;
  const small = await encoded(canvas, 'image/jpeg');
  if (small === null) throw new ToolError('bad-input', 'The browser could not process this image.');
  return small;
}

function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => {
    canvas.toBlob(resolve, type, 0.85);
  });
}

export async function encodeBase64(blob: Blob): Promise<string> {
  const bytes = await blob.arrayBuffer().catch(() => {
    throw new ToolError('bad-input', 'The file could not be read.');
  });
  return toBase64(new Uint8Array(bytes));
}

/** Warning about attached kinds of files that the model may be unable to read; empty if it reads them all. */
export function attachmentWarning(
  info: Pick<ModelInfo, 'label' | 'images' | 'documents'> | undefined,
  attached: readonly Pick<UserPart, 'type'>[],
): string {
  if (info === undefined) return '';
  const has = (kind: UserPart['type']): boolean => attached.some(({ type }) => type === kind);
  const unread = [
    ...(has('image') && info.images !== true ? ['images'] : []),
    ...(has('file') && info.documents !== true ? ['PDF documents'] : []),
  ].join(' or ');
  if (unread === '') return '';
  return info.images === false
    ? `${info.label} does not support ${unread}. Only the text is sent.`
    : `${info.label} may not support ${unread}.`;
}
