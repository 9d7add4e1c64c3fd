/** Writes a Brotli and a gzip copy beside each file of a build that is worth it, for hosts that send such copies. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { projectFolder } from './dist.mjs';
import { filesBelow } from './read-files.mjs';

const compressible = [
  '.html',
  '.js',
  '.mjs',
  '.css',
  '.json',
  '.svg',
  '.txt',
  '.wasm',
  '.py',
  '.webmanifest',
  '.ts',
];
/** Smaller files are not worth a copy; bytes. */
const leastBytes = 1_000;
/** Larger files are compressed less well, since the best compression takes half a minute and saves a tenth; bytes. */
const largeBytes = 1_000_000;
/** Copies of unchanged files are kept between builds. */
const cache = join(projectFolder, 'node_modules/.cache/cloche/compressed');

/** Ends of the names of such copies. */
export const copyEnds = /** @type {const} */ (['.br', '.gz']);

/**
 * @param {string} folder of the build
 * @returns {Promise<number>} of files that have copies now
 */
export async function compressFiles(folder) {
  const files = (await filesBelow(folder))
    .filter((path) => compressible.includes(extname(path)))
    .map((path) => join(folder, path));
  // All end before a failure is reported, so that none writes into a folder that is being removed.
  const done = await Promise.allSettled(files.map(compress));
  for (const each of done) if (each.status === 'rejected') throw each.reason;
  return done.filter((each) => each.status === 'fulfilled' && each.value).length;
}

/**
 * @param {string} file
 * @returns {Promise<boolean>} whether the copies are smaller than the file
 */
async function compress(file) {
  const content = await readFile(file);
  if (content.byteLength < leastBytes) return false;
  const hash = createHash('sha256').update(content).digest('hex');
  const copies = await Promise.all(
    copyEnds.map((end) => readOrMake(join(cache, `${hash}${end}`), () => encode(content, end))),
  );
  // A host that prefers a copy must not send more than without it.
  if (copies.some((copy) => copy.byteLength >= content.byteLength)) return false;
  await Promise.all(
    copies.map((copy, index) => writeFile(`${file}${copyEnds[index] ?? ''}`, copy)),
  );
  return true;
}

/**
 * Reads a copy from the cache, or makes it and puts it there.
 * @param {string} file in the cache
 * @param {() => Promise<Uint8Array>} make
 * @returns {Promise<Uint8Array>}
 */
async function readOrMake(file, make) {
  try {
    return await readFile(file);
  } catch {
    const made = await make();
    await mkdir(dirname(file), { recursive: true });
    // Another build, or another file of the same content, may write the same copy.
    const temporary = `${file}-${randomUUID()}`;
    await writeFile(temporary, made);
    await rename(temporary, file);
    return made;
  }
}

/**
 * @param {Uint8Array} content
 * @param {typeof copyEnds[number]} end
 * @returns {Promise<Uint8Array>}
 */
function encode(content, end) {
  if (end === '.gz') return promisify(gzip)(content, { level: 9 });
  const quality = content.byteLength > largeBytes ? 9 : 11;
  return promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  });
}
