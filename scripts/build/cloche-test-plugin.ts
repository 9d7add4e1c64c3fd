/** Vite plugin: cloche_test.py, which runs saved tests under ordinary Python, beside index.html. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { clocheTest } from '../cloche-test.mjs';
import { serveFile } from './dev-server.ts';
import { Product } from './product.ts';

const fileName = 'cloche_test.py';

export function clocheTestPlugin(root: string): Plugin {
  const sources = ['workers/python/py', 'workers/python/cloche_test_head.py', 'src/spec/schemas'];
  const text = new Product(async () => ({
    value: await clocheTest(root),
    sources: sources.map((source) => join(root, source)),
  }));
  return {
    name: 'cloche:test-runner',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: await text.get() });
    },
    configureServer(server) {
      serveFile(server, async (path) => (path === fileName ? text.get() : undefined));
    },
  };
}
