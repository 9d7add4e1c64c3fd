/** Vite plugin: the service worker as sw.js at the app's base, where its scope is the whole app. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundleClassic, type BuildSettings } from './classic-script.ts';
import { Product } from './product.ts';
import { productPlugin } from './product-plugin.ts';

const fileName = 'sw.js';

export function servicePlugin(settings: BuildSettings): Plugin {
  const script = new Product(() =>
    bundleClassic(join(settings.root, 'workers/service/service.ts'), settings),
  );
  return productPlugin('service', fileName, script);
}
