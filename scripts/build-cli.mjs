/** Builds the program `cloche` as one file. `node scripts/build-cli.mjs FILE` writes it there. */
import { chmod, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'vite';
import { projectFolder } from './dist.mjs';

/** @param {string} file to write */
export async function buildCli(file) {
  /** @type {unknown} */
  const parsed = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
  const { version } = /** @type {{version: string}} */ (parsed);
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
