/** Vite plugin: the licence and the third-party notices travel with the build. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { notices } from '../notices.mjs';

export function noticesPlugin(root: string): Plugin {
  return {
    name: 'cloche:notices',
    apply: 'build',
    async generateBundle() {
      const licence = await readFile(join(root, 'LICENSE'), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'license.txt', source: licence });
      const source = await notices();
      this.emitFile({ type: 'asset', fileName: 'third-party-notices.txt', source });
    },
  };
}
