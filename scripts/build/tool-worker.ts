/** The script of the tool worker: prelude, Pyodide and our worker, in this order, in one classic script. */
import { join } from 'node:path';
import { bundleClassic, type BuildSettings } from './classic-script.ts';
import type { Made } from './product.ts';
import { pyodideFile, pyodideScript } from './pyodide.ts';

/** The prelude goes first because Pyodide looks at its surroundings as soon as it is evaluated. */
export async function toolWorker(settings: BuildSettings): Promise<Made<string>> {
  const folder = join(settings.root, 'workers/python');
  const prelude = await bundleClassic(join(folder, 'prelude.ts'), settings);
  const worker = await bundleClassic(join(folder, 'worker.ts'), settings);
  const script = [prelude.value, await pyodideScript(settings.root), worker.value].join('\n;');
  return {
    value: asAscii(script),
    sources: [...prelude.sources, ...worker.sources, pyodideFile(settings.root, 'package.json')],
  };
}

/** Escapes what is not ASCII. A single “…” would make browsers store the script with two bytes per character: 2.6 MB instead of 1.3. */
function asAscii(script: string): string {
  return script.replace(/[\u0080-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
