/** Vite plugin: files of the site that are built on their own, with a virtual module that describes them. */
import type { Plugin } from 'vite';
import { reloadAfter, serveFile } from './dev-server.ts';
import { Product, type Made } from './product.ts';

export interface SiteFiles {
  /** The content of each file, by its path below the app's base. */
  files: ReadonlyMap<string, Uint8Array | string>;
  /** The exports of `virtual:cloche/NAME`. */
  exports: Record<string, unknown>;
}

export function filesPlugin(name: string, make: () => Promise<Made<SiteFiles>>): Plugin {
  const product = new Product(make);
  const moduleId = `virtual:cloche/${name}`;
  const resolved = `\0${moduleId}`;
  return {
    name: `cloche:${name}`,
    resolveId(id) {
      return id === moduleId ? resolved : undefined;
    },
    async load(id) {
      return id === resolved ? exportsText((await product.get()).exports) : undefined;
    },
    async generateBundle() {
      for (const [fileName, source] of (await product.get()).files)
        this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer(server) {
      serveFile(server, async (path) => (await product.get()).files.get(path));
    },
    hotUpdate({ file }) {
      return reloadAfter(this.environment, file, [[product, resolved]]);
    },
  };
}

/** Returns the text of a module that exports these values. */
export function exportsText(values: object): string {
  return Object.entries(values)
    .map(([name, value]: [string, unknown]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}
