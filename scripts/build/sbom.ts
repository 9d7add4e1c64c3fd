/** A bill of materials (CycloneDX 1.5) without dates or random numbers: the same sources give the same text. */
import { appPackages } from '../app-packages.mjs';
import { pyodideParts, vendored } from '../bundled-parts.mjs';
import { sha256 } from './digest.ts';

export interface LockFile {
  readonly name: string;
  readonly version: string;
  readonly packages: Readonly<Record<string, LockEntry>>;
}

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  /** `sha512-` and base64. */
  readonly integrity?: string;
  readonly optional?: boolean;
}

interface Component {
  readonly type: 'application' | 'library' | 'data';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  /** `required`: its code or data is in the build. `excluded`: it took part in making or testing the build. */
  readonly scope?: 'required' | 'excluded';
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly object[];
  readonly purl?: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly components?: readonly Component[];
}

/** Modules that a tool writes into the bundle: part of their text is the package's. */
const written: readonly (readonly [module: string, package_: string])[] = [
  ['\0vite/', 'vite'],
  ['\0rolldown/', 'rolldown'],
  ['\0virtual:cloche/validators', 'ajv'],
  ['\0virtual:cloche/page-validators', 'ajv'],
  // Pyodide's files are in the build as they are, and as part of the tool worker's script.
  ['\0virtual:cloche/sandbox-assets', 'pyodide'],
];

/**
 * @param appDependencies names of packages that the app is made of; all others are tools
 * @param modules ids of all modules and assets in the bundles
 * @param timeZones the archive of time zones
 */
export function billOfMaterials(
  lock: LockFile,
  appDependencies: readonly string[],
  modules: Iterable<string>,
  timeZones: Uint8Array,
): string {
  const bundled = bundledPackages(modules);
  const unknown = [...bundled].filter((path) => lock.packages[path] === undefined);
  if (unknown.length > 0) throw new Error(`package-lock.json lacks ${unknown.join(', ')}.`);
  const app = appPackages(lock.packages, appDependencies);
  const own = component('application', lock.name, lock.version, lock.packages['']?.license);
  const packages = Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) =>
      npmComponent(path, entry, { isBundled: bundled.has(path), isTool: !app.has(path) }),
    );
  const others: Component[] = [
    ...vendored.map(({ name, version, spdx }) => ({
      ...component('library', name, version, spdx),
      scope: 'required' as const,
      purl: `pkg:pypi/${name}@${version}`,
    })),
    {
      ...component('data', 'IANA time zone database'),
      scope: 'required',
      hashes: [{ alg: 'SHA-256', content: sha256(timeZones, 'hex') }],
    },
  ];
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: own },
    components: [...packages, ...others],
  };
  return `${JSON.stringify(bill, null, 1)}\n`;
}

/** Paths in package-lock.json. */
function bundledPackages(modules: Iterable<string>): Set<string> {
  const paths = new Set<string>();
  for (const id of modules) {
    const [path] = /\bnode_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
    if (path !== undefined) paths.add(path);
    for (const [module, name] of written)
      if (id.startsWith(module)) paths.add(`node_modules/${name}`);
  }
  return paths;
}

/** The entry for a package of npm. A bundled one is a part of the product; a tool is used only to develop it. */
function npmComponent(
  path: string,
  entry: LockEntry,
  { isBundled, isTool }: { isBundled: boolean; isTool: boolean },
): Component {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const { version = '', license, integrity = '' } = entry;
  const inPath = path.split('node_modules/').length > 2;
  return {
    ...component('library', name, version, license),
    // Two places may hold the same version.
    ...(inPath ? { 'bom-ref': `${path}@${version}` } : {}),
    scope: isBundled ? 'required' : 'excluded',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [
      {
        alg: 'SHA-512',
        content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
      },
    ],
    ...(isTool ? { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] } : {}),
    ...(name === 'pyodide'
      ? {
          components: pyodideParts.map((part) =>
            component('library', part.name, part.version, part.spdx),
          ),
        }
      : {}),
  };
}

/** The entry for a package, with what all kinds have. */
function component(
  type: Component['type'],
  name: string,
  version?: string,
  spdx?: string,
): Component {
  return {
    type,
    'bom-ref': version === undefined ? name : `${name}@${version}`,
    name,
    ...(version === undefined ? {} : { version }),
    ...(spdx === undefined ? {} : { licenses: [licence(spdx)] }),
  };
}

/** Returns a licence as CycloneDX writes it: one identifier, or an expression of several. */
function licence(spdx: string): object {
  return /[ (]/.test(spdx) ? { expression: spdx } : { license: { id: spdx } };
}
