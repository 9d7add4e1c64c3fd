/** The Python side of Cloche as a zip of modules that are compiled already, which start in a third of the time. */
import { join, sep } from 'node:path';
import { loaderPath } from '../../workers/python/loader-path.ts';
import { packPython, pythonSources } from './pack-python.ts';
import type { Made } from './product.ts';

export async function pythonLoader(root: string): Promise<Made<Uint8Array>> {
  const folder = join(root, 'workers/python/py');
  const { value, sources } = await packPython(root, await pythonSources(folder), loaderPath);
  return { value, sources: [folder + sep, ...sources] };
}
