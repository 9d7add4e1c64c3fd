/** Vite plugin: the service worker as sw.js at the app's base, where its scope is the whole app. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundleClassic, type BuildSettings } from './classic-script.ts';
import { reloadAfter, serveFile } from './dev-server.ts';
import { Product } from './product.ts';

const fileName = 'sw.js';

export function servicePlugin(settings: BuildSettings): Plugin {
  const script = new Product(() =>
    bundleClassic(join(settings.root, 'workers/service/service.ts'), settings),
  );
  return {
    name: 'cloche:service',
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
