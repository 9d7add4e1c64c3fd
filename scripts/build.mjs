/** npm run build [-- --if-stale]: builds the app into dist/, or only if dist/ is missing or older than the sources. */
import { build } from 'vite';
import { distIsFresh, projectFolder, replaceDist } from './dist.mjs';

if (process.argv.includes('--if-stale') && (await distIsFresh())) {
  console.log('dist/ is up to date.');
} else {
  await replaceDist(async (folder) => {
    await build({
      root: projectFolder,
      build: { outDir: folder, emptyOutDir: true },
      logLevel: 'warn',
    });
  });
  console.log('Built the app into dist/.');
}
