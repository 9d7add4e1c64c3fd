/** Vite plugin: marks the page with the id of its build and adds the list of the build's files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { filesBelow } from '../read-files.mjs';
import { listBuild, type BuiltFile } from './build-list.ts';
import { runtimeName } from './runtime-plugin.ts';
import { sbomName } from './sbom-plugin.ts';

const page = 'index.html';
// The service worker serves every build: browsers update it by themselves, and it is never stored. No page needs the list
// of packages, and changed build tools alone do not make a new build. Only pages of other sites load the runtime's module.
const unlisted = [page, 'sw.js', sbomName, runtimeName];

export function buildListPlugin(): Plugin {
  return {
    name: 'cloche:build-list',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const html = bundle[page];
        if (html?.type !== 'asset') throw new Error('The build made no index.html.');
        const made = Object.values(bundle)
          .filter(({ fileName }) => !unlisted.includes(fileName))
          .map((output) => ({
            name: output.fileName,
            content: output.type === 'chunk' ? output.code : output.source,
          }));
        const files = [...made, ...(await filesOf(this.environment.config.publicDir))];
        const built = listBuild(String(html.source), files, new Date().toISOString());
        html.source = built.page;
        this.emitFile({ type: 'asset', fileName: built.list.name, source: built.list.content });
      },
    },
  };
}

/** Files that are copied into the build unchanged. */
async function filesOf(folder: string): Promise<BuiltFile[]> {
  const names = await filesBelow(folder);
  return Promise.all(
    names.map(async (name) => ({ name, content: await readFile(join(folder, name)) })),
  );
}
