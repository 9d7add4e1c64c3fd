/** Vite plugin: completes the Content-Security-Policy in index.html, and writes the styles of the first paint into it. */
import type { Plugin } from 'vite';
import { sha256 } from './digest.ts';
import type { FrameBoot } from './frame-boot.ts';
import { forgetInlined, inlineStyles, refuseInlined } from './inline-styles.ts';
import type { Product } from './product.ts';

export function pagePolicyPlugin(boot: Product<FrameBoot>): Plugin {
  let inlined = '';
  return {
    name: 'cloche:page-policy',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { path, server, bundle }) {
        // The gallery of components is no part of the product, and has no policy.
        if (path === '/gallery.html') return html;
        const made = bundle
          ? inlineStyles(withoutComments(html), bundle)
          : { page: html, styles: '', inlined: '' };
        const { page, styles } = made;
        inlined = made.inlined;
        const filled = Object.entries({
          FRAME_BOOT_HASH: (await boot.get()).hash,
          SCRIPT_HASH: sha256(onlyInlineScript(page), 'base64'),
          STYLE_HASH: sha256(styles, 'base64'),
        }).reduce((text, [name, hash]) => fill(text, `{{${name}}}`, hash), page);
        return server === undefined ? filled : relaxed(filled);
      },
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        if (inlined !== '') forgetInlined(inlined, bundle);
      },
    },
    writeBundle(_, bundle) {
      if (inlined !== '') refuseInlined(inlined, bundle);
    },
  };
}

function onlyInlineScript(page: string): string {
  const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)];
  const [script] = scripts;
  if (script?.[1] === undefined || scripts.length !== 1) {
    throw new Error(`expected one inline script, found ${scripts.length}.`);
  }
  return script[1];
}

/** Comments are for readers of the source; visitors need not load them. */
function withoutComments(page: string): string {
  return page.replace(/\s*<!--[^]*?-->/g, '');
}

function fill(page: string, placeholder: string, hash: string): string {
  if (page.split(placeholder).length !== 2) {
    throw new Error(`the policy must hold ${placeholder} exactly once.`);
  }
  return page.replace(placeholder, hash);
}

// Vite's client, in development only: it inserts <style> elements and hears of changes over a WebSocket. A hash would
// make 'unsafe-inline' void.
function relaxed(page: string): string {
  return page
    .replace(/style-src 'self' 'sha256-[^']+'/, "style-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", "connect-src 'self' ws:");
}
