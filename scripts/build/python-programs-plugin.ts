/** Vite plugin: programs for ordinary Python (cloche_test.py, cloche_mcp.py), beside index.html. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { programNames, pythonProgram } from '../python-programs.mjs';
import { reloadAfter, serveFile } from './dev-server.ts';
import { hashed } from './digest.ts';
import { Product } from './product.ts';

const moduleId = 'virtual:cloche/python-programs';

export function pythonProgramsPlugin(root: string): Plugin {
  const sources = ['workers/python/py/', 'workers/python/', 'src/runtime/spec/schemas/'];
  const programs = programNames.map((name) => ({
    name,
    fileName: `${name}.py`,
    text: new Product(async () => ({
      value: await pythonProgram(root, name),
      sources: sources.map((source) => join(root, source)),
    })),
  }));
  return {
    name: 'cloche:python-programs',
    resolveId(id) {
      return id === moduleId ? `\0${id}` : undefined;
    },
    async load(id) {
      if (id !== `\0${moduleId}`) return undefined;
      const files = await Promise.all(
        programs.map(async ({ name, fileName, text }) => {
          const file = hashed({ url: fileName, content: await text.get() });
          return [name, file] as const;
        }),
      );
      return `export const programs = ${JSON.stringify(Object.fromEntries(files))};\n`;
    },
    async generateBundle() {
      for (const { fileName, text } of programs)
        this.emitFile({ type: 'asset', fileName, source: await text.get() });
    },
    configureServer(server) {
      serveFile(server, async (path) =>
        programs.find(({ fileName }) => fileName === path)?.text.get(),
      );
    },
    hotUpdate({ file }) {
      return reloadAfter(
        this.environment,
        file,
        programs.map(({ text }) => [text, `\0${moduleId}`]),
      );
    },
  };
}
