/** Vite plugin: a page has the hashes of its scripts and styles. */
import type { Plugin } from 'vite';
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
          const isOfPage =
            file.fileName.startsWith('assets/') &&
            !(page === 'index.html' && file.fileName.startsWith(playgroundFiles));
          return file.fileName.endsWith('.css') && isOfPage
            ? [{ name: file.fileName, content: file.source }]
            : [];
        });
        html.source = addIntegrity(String(html.source), files);
      },
    },
  };
}
