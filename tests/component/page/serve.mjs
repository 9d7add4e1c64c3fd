/** Builds the test page if its sources have changed, and serves it. The caller sets PORT. */
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint, projectFolder } from '../../../scripts/dist.mjs';
import { serveFolder } from '../../../scripts/static-server.mjs';

const folder = join(projectFolder, 'node_modules/.cache/cloche/component-page');
const stampFile = `${folder}.json`;
const sources = [
  ...[
    'index.html',
    'package-lock.json',
    'svelte.config.js',
    'tsconfig.base.json',
    'scripts/build',
    'src',
    'workers/models',
    'workers/network',
  ],
  ...['tests/component/page', 'tests/component/tools', 'public', 'tools-samples'],
];

const stamp = await fingerprint(sources, /\.test\.ts$/);
const built = existsSync(folder) ? await readFile(stampFile, 'utf8').catch(() => '') : '';
if (built !== stamp) {
  const { build } = await import('vite');
  // A failed build has no stamp.
  await rm(stampFile, { force: true });
  await build({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    build: { outDir: folder, emptyOutDir: true },
    logLevel: 'warn',
  });
  await writeFile(stampFile, stamp);
}
const { url } = await serveFolder({ folder, port: Number(process.env.PORT) });
console.log(`The test page is ready at ${url}`);
