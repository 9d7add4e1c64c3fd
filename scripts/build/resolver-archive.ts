/** The package resolver, with the two packages that it uses, as one zip of compiled modules. */
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { resolverPath } from '../../workers/python/resolver-path.ts';
import { packModules } from './pack-modules.ts';
import type { Made } from './product.ts';
import { pythonSources } from './python-sources.ts';

export async function resolverArchive(root: string): Promise<Made<Uint8Array>> {
  const folder = join(root, 'workers/python/resolver');
  const [own, vendored] = await Promise.all([
    pythonSources(folder),
    readFile(join(folder, 'vendor.zip')),
  ]);
  const modules = { ...vendoredSources(vendored), ...own };
  const packed = await packModules(root, modules, resolverPath);
  return { value: packed.value, sources: [folder + sep, ...packed.sources] };
}

function vendoredSources(archive: Uint8Array): Record<string, string> {
  const files = unzipSync(archive, { filter: ({ name }) => name.endsWith('.py') });
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, strFromU8(content)]),
  );
}
