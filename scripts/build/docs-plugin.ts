/** Vite plugin: the documentation as web pages, in `docs/` beside index.html. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { docsSite } from './docs-site.ts';
import { filesPlugin } from './files-plugin.ts';

export function docsPlugin(root: string): Plugin {
  return filesPlugin('docs', async () => {
    const pages = await docsSite(root);
    const files = new Map(pages.map(({ name, content }) => [`docs/${name}`, content]));
    const sources = [join(root, 'docs/'), join(root, 'src/app/ui/styles/tokens.css')];
    return { value: { files, exports: {} }, sources };
  });
}
