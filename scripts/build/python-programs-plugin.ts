/** Vite plugin: programs for ordinary Python (cloche_test.py, cloche_mcp.py), beside index.html. */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { programNames, pythonProgram } from '../python-programs.mjs';
import { hashed } from './digest.ts';
import { filesPlugin, type SiteFiles } from './files-plugin.ts';

const sources = ['workers/python/py/', 'workers/python/', 'src/runtime/spec/schemas/'];

export function pythonProgramsPlugin(root: string): Plugin {
  return filesPlugin('python-programs', async () => ({
    value: await makePrograms(root),
    sources: sources.map((source) => join(root, source)),
  }));
}

async function makePrograms(root: string): Promise<SiteFiles> {
  const made = await Promise.all(
    programNames.map(async (name) => ({
      name,
      url: `${name}.py`,
      content: await pythonProgram(root, name),
    })),
  );
  return {
    files: new Map(made.map(({ url, content }) => [url, content])),
    exports: {
      programs: Object.fromEntries(
        made.map(({ name, url, content }) => [name, hashed({ url, content })]),
      ),
    },
  };
}
