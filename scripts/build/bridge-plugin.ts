/** Vite plugin: bridge.html, the page through which other origins reach the API, with its script and styles inside. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundleClassic, type BuildSettings } from './classic-script.ts';
import { sha256 } from './digest.ts';
import { productPlugin } from './product-plugin.ts';

const fileName = 'bridge.html';

const styles =
  ':root{color-scheme:light dark}body{display:grid;min-height:100vh;margin:0;place-items:center;font:1rem/1.5 system-ui,sans-serif}main{max-width:26rem;padding:1.5rem}h1{font-size:1.25rem;line-height:1.3}p{overflow-wrap:anywhere}';

export function bridgePlugin(settings: BuildSettings): Plugin {
  const folder = join(settings.root, 'src/embed/bridge');
  return productPlugin('bridge', fileName, async () => {
    const script = await bundleClassic(join(folder, 'bridge.ts'), settings);
    const template = await readFile(join(folder, fileName), 'utf8');
    // The text of a script element must not end it.
    const code = script.value.trim().replaceAll('</script', '<\\/script');
    const value = Object.entries({
      SCRIPT_HASH: sha256(code, 'base64'),
      STYLE_HASH: sha256(styles, 'base64'),
      STYLE: styles,
      SCRIPT: code,
    }).reduce((text, [name, part]) => filled(text, name, part), template);
    return { value, sources: [...script.sources, join(folder, fileName)] };
  });
}

function filled(text: string, name: string, part: string): string {
  const place = `{{${name}}}`;
  if (!text.includes(place)) throw new Error(`src/embed/bridge/${fileName} has no ${place}.`);
  return text.replace(place, () => part);
}
