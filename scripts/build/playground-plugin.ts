/**
 * Vite plugin: playground.html, the page in the frame of a playground, and the types of the element. That page is built
 * separately, so that it does not change how the app's page is split into chunks.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';

export const playgroundPage = 'playground.html';
/** Start of the names of the frame's scripts and styles, which index.html never loads. */
export const playgroundFiles = 'assets/playground-';

const typesName = 'cloche-playground.d.ts';

/** @param page the build of the frame's page, without its input and output */
export function playgroundPlugin(root: string, page: () => InlineConfig): Plugin {
  return {
    name: 'cloche:playground',
    async generateBundle(_, bundle) {
      const types = await readFile(join(root, 'src/embed/element/playground-types.d.ts'), 'utf8');
      this.emitFile({ type: 'asset', fileName: typesName, source: types });
      for (const { name, content } of await pageFiles(page()))
        if (bundle[name] === undefined)
          this.emitFile({ type: 'asset', fileName: name, source: content });
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
