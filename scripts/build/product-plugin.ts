/** Vite plugin: one file beside index.html that is built on its own, also in the development server. */
import type { Plugin } from 'vite';
import { reloadAfter, serveFile } from './dev-server.ts';
import { Product, type Made } from './product.ts';

export function productPlugin(
  name: string,
  fileName: string,
  make: () => Promise<Made<string>>,
): Plugin {
  const product = new Product(make);
  return {
    name: `cloche:${name}`,
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: await product.get() });
    },
    configureServer(server) {
      serveFile(server, async (path) => (path === fileName ? product.get() : undefined));
    },
    hotUpdate({ file }) {
      // `undefined`: the product is no module that Vite would have to load again.
      return reloadAfter(this.environment, file, [[product, undefined]]);
    },
  };
}
