/** Vite plugin: compiles Svelte files as the real build does, but each version of a file only once. */
import { compile, compileModule, VERSION } from 'svelte/compiler';
import type { Plugin } from 'vite';
import type { BuildCache } from './build-cache.ts';

interface Compiled {
  readonly js: string;
  readonly css: string;
}

const isStyle = /\.svelte(\.ts)?\.css$/;

export function sveltePlugin(root: string, cache: BuildCache): Plugin {
  const styles = new Map<string, string>();
  return {
    name: 'cloche:cached-svelte',
    // Filters keep the bundler from asking about each of the other modules, which takes longer than all the answers.
    resolveId: { filter: { id: isStyle }, handler: (id) => (styles.has(id) ? id : undefined) },
    load: { filter: { id: isStyle }, handler: (id) => styles.get(id) },
    transform: {
      filter: { id: /\.svelte(\.ts)?$/ },
      async handler(code, id) {
        const filename = id.slice(root.length + 1);
        const text = await cache.get([VERSION, filename, code], () =>
          JSON.stringify(compiled(filename, code)),
        );
        const { js, css } = JSON.parse(text) as Compiled;
        if (css === '') return { code: js, map: null };
        styles.set(`${id}.css`, css);
        return { code: `${js}\nimport ${JSON.stringify(`${id}.css`)};\n`, map: null };
      },
    },
  };
}

function compiled(filename: string, code: string): Compiled {
  if (filename.endsWith('.ts'))
    return { js: compileModule(code, { filename, generate: 'client' }).js.code, css: '' };
  const { js, css } = compile(code, { filename, generate: 'client', runes: true, css: 'external' });
  return { js: js.code, css: css?.code ?? '' };
}
