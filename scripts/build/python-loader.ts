/** The Python loader as a zip of compiled modules. */
import { join, sep } from 'node:path';
import { loaderPath } from '../../workers/python/loader-path.ts';
import { packModules } from './pack-modules.ts';
import type { Made } from './product.ts';
import { pythonSources } from './python-sources.ts';

export async function pythonLoader(root: string): Promise<Made<Uint8Array>> {
  const folder = join(root, 'workers/python/py');
  const modules = Object.entries(await pythonSources(folder)).filter(
    // Runs tests under ordinary Python: see scripts/cloche-test.mjs.
    ([path]) => !path.startsWith('cloche/testing/'),
  );
  const packed = await packModules(root, Object.fromEntries(modules), loaderPath);
  return { value: packed.value, sources: [folder + sep, ...packed.sources] };
}
