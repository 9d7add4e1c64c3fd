/** Packs Python's memory without its empty pages, which are about half of it, so that it is fast to store and to read. */

/** Page size in bytes. The length of an image is a multiple of four, so that pages can be scanned word by word. */
const pageBytes = 4096;
/** "CLSI", and the version of the format. */
const magic = 0x434c5349;
const version = 1;
const headWords = 4;

/**
 * Packs an image. Format: `magic, version, bytes of the image, count of runs`, then start and end of each run, then the
 * bytes of the runs. Numbers have 32 bits, little-endian.
 */
export function packImage(image: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const runs = filledRuns(image);
  const head = new Uint32Array(headWords + 2 * runs.length);
  head.set([magic, version, image.byteLength, runs.length, ...runs.flat()]);
  return [new Uint8Array(head.buffer), ...runs.map(([from, to]) => image.subarray(from, to))];
}

/** Pages side by side of an image that are not empty: a view of the packed image. */
export interface Run {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** The runs of an image, in order. */
export type Runs = readonly Run[];

/**
 * Reads a packed image, without unpacking it: unpacked, it would be copied twice.
 * @throws {Error} if the data is not a packed image, or the image is larger than `maxBytes`
 */
export function readImage(
  packed: ArrayBuffer,
  maxBytes: number,
): { readonly byteLength: number; readonly runs: Runs } {
  const words = new Uint32Array(packed, 0, Math.floor(packed.byteLength / 4));
  const [first, second, bytes = 0, count = 0] = words;
  if (first !== magic || second !== version) throw new Error('not a snapshot of this format');
  if (bytes > maxBytes) throw new Error('the snapshot is larger than the heap limit');
  if (headWords + 2 * count > words.length) throw new Error('the snapshot is truncated');
  const runs: Run[] = [];
  let at = 4 * (headWords + 2 * count);
  for (let run = 0; run < count; run += 1) {
    const from = words[headWords + 2 * run] ?? 0;
    const to = words[headWords + 2 * run + 1] ?? 0;
    const length = to - from;
    if (length < 0 || to > bytes || at + length > packed.byteLength)
      throw new Error('the snapshot is truncated');
    runs.push({ from, bytes: new Uint8Array(packed, at, length) });
    at += length;
  }
  return { byteLength: bytes, runs };
}

/**
 * The array of a snapshot that Pyodide is given, with nothing but the snapshot's head: Pyodide reads no more of it. The rest
 * takes no memory.
 */
export function onlyHead({
  byteLength,
  runs,
}: ReturnType<typeof readImage>): Uint8Array<ArrayBuffer> {
  const image = new Uint8Array(byteLength);
  const [head] = runs;
  if (head?.from !== 0) return image;
  const [, headBytes = 0] = new Uint32Array(head.bytes.slice(0, 2 * 4).buffer);
  for (const { from, bytes } of runs) {
    if (from < headBytes) image.set(bytes.subarray(0, headBytes - from), from);
  }
  return image;
}

/**
 * Writes the last part of an image into a heap. Pages that are empty in both are not written, so that they take no memory.
 * @param part where in the image the part begins, and its length, which reaches up to the end of the image
 * @param runs the runs of the whole image
 */
export function writeImage(
  heap: Int8Array,
  { byteOffset, byteLength }: Pick<Uint8Array, 'byteOffset' | 'byteLength'>,
  runs: Runs,
): void {
  let written = 0;
  for (const { from, bytes } of runs) {
    const rest = bytes.subarray(Math.max(0, byteOffset - from));
    if (rest.byteLength === 0) continue;
    const at = Math.max(0, from - byteOffset);
    clear(heap, written, at);
    heap.set(rest, at);
    written = at + rest.byteLength;
  }
  clear(heap, written, byteLength);
}

/** Fills pages with zeros, unless they are empty. Both offsets are multiples of four. */
function clear(heap: Int8Array, start: number, end: number): void {
  const words = new Uint32Array(heap.buffer, heap.byteOffset, heap.byteLength / 4);
  for (let from = start; from < end; from += pageBytes) {
    const to = Math.min(from + pageBytes, end);
    if (!isEmpty(words, from / 4, to / 4)) heap.fill(0, from, to);
  }
}

/** Start and end of each run of non-empty pages, in order. */
function filledRuns(image: Uint8Array<ArrayBuffer>): [from: number, to: number][] {
  const words = new Uint32Array(image.buffer, image.byteOffset, image.byteLength / 4);
  const runs: [number, number][] = [];
  for (let from = 0; from < image.byteLength; from += pageBytes) {
    const to = Math.min(from + pageBytes, image.byteLength);
    if (isEmpty(words, from / 4, to / 4)) continue;
    const last = runs.at(-1);
    if (last?.[1] === from) last[1] = to;
    else runs.push([from, to]);
  }
  return runs;
}

function isEmpty(words: Uint32Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (words[at] !== 0) return false;
  return true;
}
