/** Vite plugins: sbom.cdx.json, which lists what the build contains and what it was made with. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { readJson } from '../read-files.mjs';
import { billOfMaterials, type LockFile } from './sbom.ts';

export const sbomName = 'sbom.cdx.json';

export interface SbomPlugins {
  /** Notes what a bundle contains. Belongs into every build whose scripts are part of the app. */
  note: () => Plugin;
  /** Belongs into the page's build, which ends last. */
  write: Plugin;
}

export function sbomPlugins(root: string): SbomPlugins {
  const modules = new Set<string>();
  return {
    note: () => ({
      name: 'cloche:bundled-modules',
      apply: 'build',
      generateBundle(_options, bundle) {
        for (const file of Object.values(bundle))
          for (const id of file.type === 'chunk' ? file.moduleIds : file.originalFileNames)
            modules.add(id);
      },
    }),
    write: {
      name: 'cloche:sbom',
      apply: 'build',
      generateBundle: {
        order: 'post',
        async handler() {
          const [lock, own, timeZones] = await Promise.all([
            readJson(root, 'package-lock.json') as Promise<LockFile>,
            readJson(root, 'package.json') as Promise<{ appDependencies: string[] }>,
            readFile(join(root, 'workers/python/tzdata.zip')),
          ]);
          this.emitFile({
            type: 'asset',
            fileName: sbomName,
            source: billOfMaterials(lock, own.appDependencies, modules, timeZones),
          });
        },
      },
    },
  };
}
