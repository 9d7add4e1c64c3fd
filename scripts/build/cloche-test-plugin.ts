/** Vite plugin: cloche_test.py, which runs saved tests under ordinary Python, beside index.html. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { clocheTest } from '../cloche-test.mjs';
import { reloadAfter, serveFile } from './dev-server.ts';
import { hashed } from './digest.ts';
import { Product } from './product.ts';

const moduleId = 'virtual:cloche/test-runner';
const fileName = 'cloche_test.py';

export function clocheTestPlugin(root: string): Plugin {
  const sources = [
    'workers/python/py/',
    'workers/python/cloche_test_head.py',
    'src/runtime/spec/schemas/',
  ];
  const text = new Product(async () => ({
    value: await clocheTest(root),
    sources: sources.map((source) => join(root, source)),
  }));
  return {
    name: 'cloche:test-runner',
    resolveId(id) {
      return id === moduleId ? `\0${id}` : undefined;
    },
    async load(id) {
      if (id !== `\0${moduleId}`) return undefined;
      const runner = hashed({ url: fileName, content: await text.get() });
      return `export const runner = ${JSON.stringify(runner)};\n`;
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: await text.get() });
    },
    configureServer(server) {
      serveFile(server, async (path) => (path === fileName ? text.get() : undefined));
    },
    hotUpdate({ file }) {
      return reloadAfter(this.environment, file, [[text, `\0${moduleId}`]]);
    },
  };
}
