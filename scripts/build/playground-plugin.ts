/**
 * Vite plugin: `cloche-playground.js`, the element for other people's pages, with its types, and playground.html, the page in
 * its frame. That page is a build of its own, so that the app's page is not cut into other pieces for it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';
import { bundleClassic, type BuildSettings } from './classic-script.ts';
import { reloadAfter, serveFile } from './dev-server.ts';
import { Product } from './product.ts';

export const playgroundPage = 'playground.html';
/** Start of the names of the frame's scripts and styles, which index.html never loads. */
export const playgroundFiles = 'assets/playground-';

const scriptName = 'cloche-playground.js';
const typesName = 'cloche-playground.d.ts';

/** @param page the build of the frame's page, without its input and output */
export function playgroundPlugin(settings: BuildSettings, page: () => InlineConfig): Plugin {
  const { root } = settings;
  const script = new Product(() =>
    bundleClassic(join(root, 'src/embed/element/cloche-playground.ts'), settings),
  );
  return {
    name: 'cloche:playground',
    async generateBundle(_, bundle) {
      const types = await readFile(join(root, 'src/embed/element/playground-types.d.ts'), 'utf8');
      this.emitFile({ type: 'asset', fileName: scriptName, source: await script.get() });
      this.emitFile({ type: 'asset', fileName: typesName, source: types });
      for (const { name, content } of await pageFiles(page()))
        if (bundle[name] === undefined)
          this.emitFile({ type: 'asset', fileName: name, source: content });
    },
    configureServer(server) {
      serveFile(server, async (path) => (path === scriptName ? script.get() : undefined));
    },
    hotUpdate({ file }) {
      return reloadAfter(this.environment, file, [[script, undefined]]);
    },
  };
}

/** Builds the frame's page. Returns its files. */
async function pageFiles(
  config: InlineConfig,
): Promise<{ name: string; content: string | Uint8Array }[]> {
  const css = `${playgroundFiles}[name]-[hash][extname]`;
  const { output = {}, ...options } = config.build?.rolldownOptions ?? {};
  if (Array.isArray(output)) throw new Error(`${playgroundPage}: expected one output.`);
  const built = await build({
    ...config,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ...config.build,
      write: false,
      rolldownOptions: {
        ...options,
        input: playgroundPage,
        output: {
          ...output,
          entryFileNames: `${playgroundFiles}[name]-[hash].js`,
          chunkFileNames: `${playgroundFiles}[name]-[hash].js`,
          assetFileNames: ({ names }) =>
            names.some((name) => name.endsWith('.css')) ? css : 'assets/[name]-[hash][extname]',
        },
      },
    },
  });
  if (Array.isArray(built) || !('output' in built))
    throw new Error(`${playgroundPage}: expected one build.`);
  return built.output.map((file) => ({
    name: file.fileName,
    content: file.type === 'chunk' ? file.code : file.source,
  }));
}
