/** Vite plugin: the runtime as the module cloche-runtime.js, for other pages and for the npm package. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundleModule, type BuildSettings } from './classic-script.ts';
import { packagesPlugin } from './packages-plugin.ts';
import { productPlugin } from './product-plugin.ts';
import { sandboxPlugin, type SandboxProducts } from './sandbox-plugin.ts';

export const runtimeName = 'cloche-runtime.js';

export function runtimePlugin(settings: BuildSettings, products: SandboxProducts): Plugin {
  const parts = [sandboxPlugin(products), packagesPlugin(settings.root)];
  const plugins = [...settings.plugins, ...parts.map(withoutFiles)];
  return productPlugin('runtime', runtimeName, () =>
    bundleModule(join(settings.root, 'src/runtime/index.ts'), { ...settings, plugins }),
  );
}

/** The build of the page emits the files. */
function withoutFiles(plugin: Plugin): Plugin {
  return { ...plugin, generateBundle: () => undefined };
}
