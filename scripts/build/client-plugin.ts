/** Vite plugin: the client of the API as the module cloche-client.js, which pages can import from the app's address. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundleModule, type BuildSettings } from './classic-script.ts';
import { Product } from './product.ts';
import { productPlugin } from './product-plugin.ts';

const fileName = 'cloche-client.js';

export function clientPlugin(settings: BuildSettings): Plugin {
  const script = new Product(() =>
    bundleModule(join(settings.root, 'src/embed/client/index.ts'), settings),
  );
  return productPlugin('client', fileName, script);
}
