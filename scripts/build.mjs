/** npm run build [-- --if-stale]: builds the app into dist/, or only if dist/ is missing or older than the sources. */
import { build } from 'vite';
import { buildPackage } from './build-package.mjs';
import { compressFiles } from './compress-files.mjs';
import { distIsFresh, projectFolder, replaceDist } from './dist.mjs';

if (process.argv.includes('--if-stale') && (await distIsFresh())) {
  console.log('dist/ is up to date.');
} else {
  try {
    await replaceDist(async (outDir) => {
      await build({
        root: projectFolder,
        build: { outDir, emptyOutDir: true },
        logLevel: 'warn',
      });
      await compressFiles(outDir);
    });
    console.log('Built the app into dist/.');
    // Builds into other folders run beside this one.
    if ((process.env.CLOCHE_DIST ?? '') === '') await buildPackage();
  } catch (error) {
    // Vite reports the error and its place; its stack says nothing about our sources.
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
