/** Vite plugin: index.html has the hashes of the page's scripts and styles. */
import type { Plugin } from 'vite';
import { addIntegrity, checkStyles } from './integrity.ts';

export function integrityPlugin(): Plugin {
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
        const html = bundle['index.html'];
        if (html?.type !== 'asset') throw new Error('The build made no index.html.');
        const files = Object.values(bundle).flatMap((file) => {
          if (file.type === 'chunk') return [{ name: file.fileName, content: file.code }];
          return file.fileName.endsWith('.css')
            ? [{ name: file.fileName, content: file.source }]
            : [];
        });
        html.source = addIntegrity(String(html.source), files);
      },
    },
  };
}
