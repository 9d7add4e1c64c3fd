/** npm run release: builds the app, and writes release/: the site as .tar.gz and .zip, the npm package, and their hashes. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zipSync } from 'fflate';
import { distFolder, projectFolder } from './dist.mjs';
import { filesBelow, readJson } from './read-files.mjs';
import { requireBuild, run } from './run.mjs';

const target = join(projectFolder, 'release');
/** The archives depend on the build only. The earliest time that a zip can name; milliseconds since the epoch. */
const noTime = Date.UTC(1980, 0, 1, 12);

await requireBuild();
const own = await readJson(projectFolder, 'package.json');
const { version } = /** @type {{version: string}} */ (own);
await rm(target, { recursive: true, force: true });
await mkdir(target);

const top = `cloche-${version}`;
const files = await siteFiles();
const zip = zipSync(Object.fromEntries(files), { level: 9, mtime: noTime });
await writeFile(join(target, `${top}-site.zip`), zip);
await writeFile(join(target, `${top}-site.tar.gz`), gzipSync(tarOf(files), { level: 9, mtime: 0 }));
const packed = await run(['npm', 'pack', '--silent', '--pack-destination', target]);
if (packed.code !== 0) process.exit(packed.code);

const names = (await readdir(target)).sort();
const sums = await Promise.all(
  names.map(async (name) => {
    const content = await readFile(join(target, name));
    return `${createHash('sha256').update(content).digest('hex')}  ${name}\n`;
  }),
);
await writeFile(join(target, 'SHA256SUMS'), sums.join(''));
console.log(`Wrote release/: ${[...names, 'SHA256SUMS'].join(', ')}.`);

/** @returns {Promise<[name: string, content: Uint8Array][]>} by name */
async function siteFiles() {
  const paths = await filesBelow(distFolder);
  return Promise.all(
    paths.map(async (path) => [`${top}/${path}`, await readFile(join(distFolder, path))]),
  );
}

/**
 * The files as a tar archive (ustar).
 * @param {readonly (readonly [name: string, content: Uint8Array])[]} all
 */
function tarOf(all) {
  const blocks = all.flatMap(([name, content]) => [
    tarHead(name, content.byteLength),
    content,
    new Uint8Array((512 - (content.byteLength % 512)) % 512),
  ]);
  return Buffer.concat([...blocks, new Uint8Array(1024)]);
}

/**
 * @param {string} name
 * @param {number} bytes
 */
function tarHead(name, bytes) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tar archive.`);
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write('0000644\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  head.write('00000000000\0', 136);
  head.write('        ', 148);
  head.write('0ustar\0', 156);
  head.write('00', 263);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}
