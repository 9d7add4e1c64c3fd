/** The resolver of packages, with the libraries that it stands on, as a zip of compiled modules. */
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { unzipSync } from 'fflate';
import { resolverPath } from '../../workers/python/resolver-path.ts';
import { packPython, pythonSources } from './pack-python.ts';
import type { Made } from './product.ts';

export async function resolverArchive(root: string): Promise<Made<Uint8Array>> {
  const folder = join(root, 'workers/python/resolver');
  const own = await pythonSources(join(folder, 'cloche_resolver'));
  const ours = Object.entries(own).map(([path, text]) => [`cloche_resolver/${path}`, text]);
  const texts: Record<string, string> = {
    ...(await vendored(join(folder, 'vendor.zip'))),
    ...(Object.fromEntries(ours) as Record<string, string>),
  };
  const { value, sources } = await packPython(root, texts, resolverPath);
  return { value, sources: [folder + sep, ...sources] };
}

async function vendored(archive: string): Promise<Record<string, string>> {
  const isModule = ({ name }: { name: string }): boolean => name.endsWith('.py');
  const files = Object.entries(unzipSync(await readFile(archive), { filter: isModule }));
  return Object.fromEntries(files.map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
}
