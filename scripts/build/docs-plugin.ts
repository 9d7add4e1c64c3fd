/** Vite plugin: the documentation as web pages, in `docs/` beside index.html. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { docsSite } from './docs-site.ts';
import { reloadAfter, serveFile } from './dev-server.ts';
import { Product } from './product.ts';

const folder = 'docs/';

export function docsPlugin(root: string): Plugin {
  const site = new Product(async () => ({
    value: await docsSite(root),
    sources: [join(root, 'docs/'), join(root, 'src/app/ui/styles/tokens.css')],
  }));
  return {
    name: 'cloche:docs',
    async generateBundle() {
      for (const { name, content } of await site.get())
        this.emitFile({ type: 'asset', fileName: folder + name, source: content });
    },
    configureServer(server) {
      serveFile(server, async (path) => {
        if (!path.startsWith(folder)) return undefined;
        const name = path.slice(folder.length) || 'index.html';
        return (await site.get()).find((file) => file.name === name)?.content;
      });
    },
    hotUpdate({ file }) {
      return reloadAfter(this.environment, file, [[site, undefined]]);
    },
  };
}
