/** Builds the program `cloche` as one file. `node scripts/build-cli.mjs FILE` writes it there. */
import { chmod } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { build } from 'vite';
import { projectFolder } from './dist.mjs';
import { readJson } from './read-files.mjs';

/** @param {string} file to write */
export async function buildCli(file) {
  const own = await readJson(projectFolder, 'package.json');
  const { version } = /** @type {{version: string}} */ (own);
  await build({
    root: projectFolder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define: { __VERSION__: JSON.stringify(version) },
    build: {
      ssr: 'src/cli/main.ts',
      target: 'node20',
      outDir: dirname(file),
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        output: { entryFileNames: basename(file), banner: '#!/usr/bin/env node' },
      },
    },
  });
  await chmod(file, 0o755);
}

if (process.argv[1] === import.meta.filename) await buildCli(String(process.argv[2]));
