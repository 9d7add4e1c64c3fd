/** Vite plugin: what the page needs to find and install packages; fetched when a folder first declares one. */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import type { Plugin } from 'vite';
import { resolverPath } from '../../workers/python/archive-paths.ts';
import { readJson } from '../read-files.mjs';
import { hashed, hashedUrl, sha256 } from './digest.ts';
import { filesPlugin, type SiteFiles } from './files-plugin.ts';
import { packModules } from './pack-modules.ts';
import type { Made } from './product.ts';
import { pyodideFile } from './pyodide.ts';
import { pythonSources } from './python-sources.ts';
import { wheelMetadata } from './wheel-metadata.ts';

/** Wheels in this folder are part of the site: every tool file can use them, without a network. */
const wheelFolder = 'public/wheels';

interface LockFile {
  info: { abi_version: string; platform: string };
  packages: Record<string, Record<string, unknown>>;
}

export function packagesPlugin(root: string): Plugin {
  return filesPlugin('packages', () => makeParts(root));
}

async function makeParts(root: string): Promise<Made<SiteFiles>> {
  const [archive, lock, version, siteWheels] = await Promise.all([
    resolverArchive(root),
    readJson(pyodideFile(root, 'pyodide-lock.json')) as Promise<LockFile>,
    readJson(pyodideFile(root, 'package.json')) as Promise<{ version: string }>,
    readSiteWheels(join(root, wheelFolder)),
  ]);
  const distribution = named(
    'distribution.json',
    JSON.stringify({ packages: lock.packages }, (key, value: unknown) =>
      omitted.has(key) ? undefined : value,
    ),
  );
  const resolver = named('resolver.zip', archive.value);
  const { abi_version: abi, platform } = lock.info;
  // The platforms that names of wheels for this version of Pyodide may have.
  const platforms = [`pyemscripten_${abi}_wasm32`, `pyodide_${abi}_wasm32`, `${platform}_wasm32`];
  const exports = {
    resolver: hashed(resolver),
    distribution: hashed(distribution),
    platforms,
    pyodideVersion: version.version,
    siteWheels,
  };
  return {
    value: {
      files: new Map([resolver, distribution].map(({ url, content }) => [url, content])),
      exports,
    },
    sources: [...archive.sources, pyodideFile(root, 'package.json'), join(root, wheelFolder) + sep],
  };
}

/** The resolver, with the two packages that it uses, as one zip of compiled modules. */
async function resolverArchive(root: string): Promise<Made<Uint8Array>> {
  const folder = join(root, 'workers/python/resolver');
  const [own, vendored] = await Promise.all([
    pythonSources(folder),
    readFile(join(folder, 'vendor.zip')),
  ]);
  const modules = { ...vendoredSources(vendored), ...own };
  const packed = await packModules(root, modules, resolverPath);
  return { value: packed.value, sources: [folder + sep, ...packed.sources] };
}

/** The modules of the vendored packages, by path. */
function vendoredSources(archive: Uint8Array): Record<string, string> {
  const files = unzipSync(archive, { filter: ({ name }) => name.endsWith('.py') });
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, strFromU8(content)]),
  );
}

/** The fields of each package that are not needed to choose, find and verify it. */
const omitted = new Set(['imports', 'install_dir', 'tool', 'unvendored_tests']);

function named(file: string, content: Uint8Array | string): Parameters<typeof hashed>[0] {
  return { url: hashedUrl(file, content), content };
}

/** Reads the wheels that are part of the site, with what the resolver needs to know of each. */
async function readSiteWheels(folder: string): Promise<unknown[]> {
  const names = await readdir(folder).catch(() => []);
  const wheels = names.filter((name) => name.endsWith('.whl')).sort();
  return Promise.all(
    wheels.map(async (filename) => {
      const bytes = await readFile(join(folder, filename));
      const url = `wheels/${filename}`;
      return { filename, url, sha256: sha256(bytes, 'hex'), metadata: wheelMetadata(bytes, url) };
    }),
  );
}
