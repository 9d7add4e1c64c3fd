/**
 * Serves the test page, on PORT. Builds it first if its sources have changed; with `--watch`, builds it again after each
 * change, and answers when that is done; with `--build`, only builds it.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint, projectFolder } from '../../../scripts/dist.mjs';
import { serveFolder } from '../../../scripts/static-server.mjs';

const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
const cache = join(projectFolder, 'node_modules/.cache/cloche');
const sources = [
  'gallery.html',
  'index.html',
  'package-lock.json',
  'svelte.config.js',
  'tsconfig.base.json',
  'scripts/build',
  'src',
  'workers/models',
  'workers/network',
  'tests/component/page',
  'tests/component/tools',
  'tests/gallery',
  'tests/support/ui-samples.ts',
  'public',
  'tools-samples',
];

const site = process.argv.includes('--watch') ? await watched() : await builtOnce();
if (!process.argv.includes('--build')) {
  const { url } = await serveFolder({ ...site, port: Number(process.env.PORT ?? 5174) });
  console.log(`The test page is ready at ${url}`);
}

async function builtOnce() {
  const folder = join(cache, 'component-page');
  const stampFile = `${folder}.json`;
  const stamp = await fingerprint(sources, /\.test\.ts$/);
  const built = existsSync(folder) ? await readFile(stampFile, 'utf8').catch(() => '') : '';
  if (built === stamp) return { folder };
  const { build } = await import('vite');
  // A failed build has no stamp.
  await rm(stampFile, { force: true });
  for (const mode of ['production', 'gallery']) {
    const options = { outDir: folder, emptyOutDir: mode !== 'gallery' };
    await build({ configFile, mode, build: options, logLevel: 'warn' });
  }
  await writeFile(stampFile, stamp);
  return { folder };
}

async function watched() {
  const folder = join(cache, 'component-page-watched');
  await mkdir(folder, { recursive: true });
  const { build } = await import('vite');
  const watcher = await build({
    configFile,
    build: { outDir: folder, emptyOutDir: true, watch: {} },
    logLevel: 'warn',
  });
  if (!('on' in watcher)) throw new Error('Vite does not watch the sources.');
  let isOver = () => {};
  /** @type {Promise<void> | null} null: what was built last is served */
  let building = null;
  /** @type {Error | null} */
  let fault = null;
  const begin = () => {
    building ??= new Promise((resolve) => (isOver = resolve));
  };
  begin();
  watcher.on('event', (event) => {
    if (event.code === 'START') {
      fault = null;
      begin();
    } else if (event.code === 'BUNDLE_END') void event.result.close();
    else if (event.code === 'ERROR') {
      fault = event.error;
      console.error(event.error);
    }
    if (event.code === 'END' || event.code === 'ERROR') {
      isOver();
      building = null;
    }
  });
  const ready = async () => {
    await building;
    if (fault !== null) throw fault;
  };
  await ready();
  return { folder, ready };
}
