/** Vite plugin: a page has the hashes of its scripts and styles. */
import type { Plugin, Rolldown } from 'vite';
import { addIntegrity, checkStyles } from './integrity.ts';
import { playgroundFiles } from './playground-plugin.ts';

/** @param page name of the build's page */
export function integrityPlugin(page = 'index.html'): Plugin {
  return {
    name: 'cloche:integrity',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      return id === '\0vite/preload-helper.js' ? { code: checkStyles(code), map: null } : undefined;
    },
    // After the plugins that change chunks.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const html = bundle[page];
        if (html?.type !== 'asset') throw new Error(`The build made no ${page}.`);
        const files = Object.values(bundle).flatMap((file) => {
          if (file.type === 'chunk') return [{ name: file.fileName, content: file.code }];
          const isOfOther = page === 'index.html' && file.fileName.startsWith(playgroundFiles);
          return file.fileName.endsWith('.css') && !isOfOther
            ? [{ name: file.fileName, content: file.source }]
            : [];
        });
        const early = page === 'index.html' ? chunksOf('/src/sandbox/assets.ts', bundle) : [];
        html.source = addIntegrity(String(html.source), files, early);
      },
    },
  };
}

/** The chunk of a module that is imported later, and the chunks that it imports at once, except the first script's. */
function chunksOf(module: string, bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
  if (chunk === undefined) throw new Error(`${module} has no chunk of its own.`);
  const entry = chunks.find(({ isEntry }) => isEntry);
  const first = new Set([entry?.fileName, ...(entry?.imports ?? [])]);
  return [chunk.fileName, ...chunk.imports].filter((name) => !first.has(name));
}
