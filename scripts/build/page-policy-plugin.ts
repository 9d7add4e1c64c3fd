/** Vite plugin: completes the Content-Security-Policy in index.html. */
import type { Plugin } from 'vite';
import type { FrameBoot } from './frame-boot.ts';
import type { Product } from './product.ts';

const placeholder = '{{FRAME_BOOT_HASH}}';

export function pagePolicyPlugin(boot: Product<FrameBoot>): Plugin {
  return {
    name: 'cloche:page-policy',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { server }) {
        if (html.split(placeholder).length !== 2) {
          throw new Error(`index.html: its policy must hold ${placeholder} exactly once.`);
        }
        const page = html.replace(placeholder, (await boot.get()).hash);
        return server === undefined ? page : relaxed(page);
      },
    },
  };
}

// Vite's client, in development only: it inserts <style> elements and hears of changes over a WebSocket.
function relaxed(page: string): string {
  return page
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", "connect-src 'self' ws:");
}
