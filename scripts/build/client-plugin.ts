/** Vite plugin: the client of the API as the module cloche-client.js, which pages can import from the app's address. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundleModule, type BuildSettings } from './classic-script.ts';
import { reloadAfter, serveFile } from './dev-server.ts';
import { Product } from './product.ts';

const fileName = 'cloche-client.js';

export function clientPlugin(settings: BuildSettings): Plugin {
  const script = new Product(() =>
    bundleModule(join(settings.root, 'src/client/index.ts'), settings),
  );
  return {
    name: 'cloche:client',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: await script.get() });
    },
    configureServer(server) {
      serveFile(server, async (path) => (path === fileName ? script.get() : undefined));
    },
    hotUpdate({ file }) {
      return reloadAfter(this.environment, file, [[script, undefined]]);
    },
  };
}
