/** Vite plugin: the licence and the third-party notices travel with the build. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export function noticesPlugin(root: string): Plugin {
  return {
    name: 'cloche:notices',
    apply: 'build',
    async generateBundle() {
      for (const [file, fileName] of [
        ['LICENSE', 'license.txt'],
        ['THIRD-PARTY-NOTICES.txt', 'third-party-notices.txt'],
      ] as const) {
        this.emitFile({
          type: 'asset',
          fileName,
          source: await readFile(join(root, file), 'utf8'),
        });
      }
    },
  };
}
