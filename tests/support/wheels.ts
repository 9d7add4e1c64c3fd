/** Real wheels, made from Debian's pure-Python packages, because tests cannot rely on a package index. */

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { unpackDebianPackages } from './debian-packages.ts';
import { makeWheel } from './make-wheel.ts';
import { wheelMetadata } from './wheel-metadata.ts';

const sumsName = 'SHA256SUMS';

interface Recipe {
  readonly project: string;
  /** Modules and packages at the top. */
  readonly contents: readonly string[];
  /** What upstream requires, where Debian's metadata does not say it. */
  readonly requires?: readonly string[];
  /** What Debian has changed, as upstream has it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Path → a text in it, and what stands there instead. */
  readonly replaced?: Readonly<Record<string, readonly [string, string]>>;
}

const recipes: Readonly<Record<string, Recipe>> = {
  'python3-requests': {
    project: 'requests',
    contents: ['requests'],
    requires: [
      'charset-normalizer (<4,>=2)',
      'idna (<4,>=2.5)',
      'urllib3 (<3,>=1.21.1)',
      'certifi (>=2017.4.17)',
    ],
    // As in 2.28.2; else it warns of Debian's charset-normalizer each time that it is imported.
    replaced: {
      'requests/__init__.py': [
        'assert (2, 0, 0) <= (major, minor, patch) < (3, 0, 0)',
        'assert (2, 0, 0) <= (major, minor, patch) < (4, 0, 0)',
      ],
    },
  },
  // Debian takes six from its own package instead of from a copy.
  'python3-urllib3': { project: 'urllib3', contents: ['urllib3'], requires: ['six (>=1.16)'] },
  'python3-six': { project: 'six', contents: ['six.py'] },
  'python3-idna': { project: 'idna', contents: ['idna'] },
  'python3-certifi': {
    project: 'certifi',
    contents: ['certifi'],
    // Debian's names the certificates of the machine.
    files: {
      'certifi/core.py': `import os


def where() -> str:
    return os.path.join(os.path.dirname(__file__), "cacert.pem")


def contents() -> str:
    with open(where(), encoding="ascii") as data:
        return data.read()
`,
    },
  },
  'python3-charset-normalizer': {
    project: 'charset-normalizer',
    contents: ['charset_normalizer'],
  },
  'python3-packaging': { project: 'packaging', contents: ['packaging'] },
  'python3-prettytable': { project: 'prettytable', contents: ['prettytable'] },
  'python3-wcwidth': { project: 'wcwidth', contents: ['wcwidth'] },
};

/**
 * requests with all that it needs, packaging, and prettytable with wcwidth. The first call on a machine fetches them.
 * @returns file name → wheel
 */
export async function debianWheels(): Promise<Map<string, Uint8Array>> {
  const folder = join(cacheFolder(), `wheels-${await edition()}`);
  return (await readWheels(folder)) ?? (await fill(folder));
}

/** Outlives a clone and a restart of the machine. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: named = '' } = process.env;
  return join(named === '' ? join(homedir(), '.cache') : named, 'cloche');
}

/** @returns undefined where they are not there, or are damaged */
async function readWheels(folder: string): Promise<Map<string, Uint8Array> | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  const wheels = new Map<string, Uint8Array>();
  for (const name of names.filter((each) => each.endsWith('.whl')).sort())
    wheels.set(name, new Uint8Array(await readFile(join(folder, name))));
  const sums = await readFile(join(folder, sumsName), 'utf8').catch(() => undefined);
  return wheels.size > 0 && sums === checksums(wheels) ? wheels : undefined;
}

function checksums(wheels: ReadonlyMap<string, Uint8Array>): string {
  const lines = [...wheels].map(([name, content]) => `${sha256(content)}  ${name}\n`);
  return lines.sort().join('');
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Other recipes come into another folder. */
async function edition(): Promise<string> {
  const parts = ['wheels.ts', 'make-wheel.ts', 'wheel-metadata.ts', 'debian-packages.ts'];
  const texts = parts.map((part) => readFile(new URL(part, import.meta.url), 'utf8'));
  return sha256((await Promise.all(texts)).join('\0')).slice(0, 16);
}

async function fill(folder: string): Promise<Map<string, Uint8Array>> {
  await mkdir(dirname(folder), { recursive: true });
  // Beside the folder: what is renamed stays on its disk.
  const work = await mkdtemp(`${folder}-`);
  try {
    const tree = await unpackDebianPackages(Object.keys(recipes), work);
    const modules = join(tree, 'usr/lib/python3/dist-packages');
    const made = join(work, 'wheels');
    await mkdir(made);
    const wheels = new Map<string, Uint8Array>();
    for (const recipe of Object.values(recipes)) {
      const [name, wheel] = await fromModules(modules, recipe);
      wheels.set(name, wheel);
      await writeFile(join(made, name), wheel);
    }
    await writeFile(join(made, sumsName), checksums(wheels));
    // In one step, for tests that run at the same time.
    await rename(made, folder).catch(async () => {
      // Another test was quicker, or what is there is damaged.
      if (await readWheels(folder)) return;
      await rm(folder, { recursive: true, force: true });
      await rename(made, folder);
    });
    return wheels;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fromModules(
  modules: string,
  { project, contents, requires = [], files = {}, replaced = {} }: Recipe,
): Promise<[string, Uint8Array]> {
  const { metadata, version } = await wheelMetadata(modules, project, requires);
  const found: Record<string, Uint8Array | string> = {};
  const entries = await readdir(modules, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(modules.length + 1);
    const [top = ''] = path.split('/');
    if (!entry.isFile() || !contents.includes(top) || /\.(pyc|so)$/.test(path)) continue;
    found[path] = await readFile(join(modules, path));
  }
  for (const [path, [from, to]] of Object.entries(replaced)) {
    const text = await readFile(join(modules, path), 'utf8');
    found[path] = text.replace(from, to);
  }
  return makeWheel({ name: project, version, metadata, files: sorted({ ...found, ...files }) });
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
