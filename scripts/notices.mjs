/** The third-party notices, which the build writes. As a script, checks that every part has a licence. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { appPackages } from './app-packages.mjs';
import { vendored } from './bundled-parts.mjs';
import { projectFolder } from './dist.mjs';
import { readJson } from './read-files.mjs';

/** @typedef {{packages: Record<string, import("./app-packages.mjs").LockEntry>}} Lock */
/** @typedef {{name: string, version: string, licence: string, folder: string}} Package */

const licences = join(projectFolder, 'docs/licences');
const rule = '\n\n────────────────────────────────────────────────────────────────────────\n\n';

// Licence texts that these packages do not include.
/** @type {Record<string, (version: string) => Promise<string>>} */
const reported = {
  '@cfworker/json-schema': () => licence('cfworker-json-schema.txt'),
  // The package has no licence file, but is from the same repository as @ai-sdk/provider.
  '@ai-sdk/provider-utils': () =>
    readFile(join(projectFolder, 'node_modules/@ai-sdk/provider/LICENSE'), 'utf8'),
  pyodide: async (version) =>
    [
      `Pyodide is Python for the browser: CPython and the libraries linked into it, compiled to WebAssembly.`,
      `Its files are shipped as released, but for these: pyodide.js and pyodide.asm.mjs are joined with our own`,
      `script into one that a sealed worker accepts (scripts/build/pyodide.ts in Cloche's sources shows how),`,
      `python_stdlib.zip is packed again, in two files, with byte code for some of its modules and with time zones`,
      `(scripts/build/python-stdlib.ts),`,
      `and pyodide-lock.json has lost its list of packages.`,
      `Source code: https://github.com/pyodide/pyodide/tree/${version}`,
      '',
      await licence('MPL-2.0.txt'),
      rule.trim(),
      '',
      'CPython, as part of Pyodide',
      'Copyright (c) 2001 Python Software Foundation; All Rights Reserved',
      'Source code: https://github.com/python/cpython',
      '',
      await licence('Python.txt'),
    ].join('\n'),
};

/** Build tools that write small helpers into the bundle, such as those that load modules. */
const helpers = ['rolldown', 'vite'];

const timeZones = `Time zone database (workers/python/tzdata.zip)

The data is the IANA time zone database's, which is in the public domain: https://www.iana.org/time-zones`;

/** Packages of the compiler without a licence text, which are no part of the built app. Their package.json names MIT. */
const withoutText = ['is-reference', 'locate-character'];

/**
 * The licence of each part, with its text. Rejects if a part has none.
 * @returns {Promise<string>}
 */
export async function notices() {
  const packages = await productionPackages();
  const carried = await Promise.all(packages.map(notice));
  const parts = [
    ...carried,
    ...(await Promise.all(helpers.map(helperNotice))),
    timeZones,
    ...(await Promise.all(vendored.map(vendoredNotice))),
  ];
  const head =
    'Cloche is made with the work of others. Here is what it depends on, and under which licence;\n' +
    'not all of it is part of the built app.';
  return `${[head, ...parts].join(rule)}\n`;
}

// From the lock file, not from node_modules, because npm installs some packages only for this machine.
/** @returns {Promise<Package[]>} */
async function productionPackages() {
  const lock = /** @type {Lock} */ (await readJson(projectFolder, 'package-lock.json'));
  const own = await readJson(projectFolder, 'package.json');
  const { appDependencies } = /** @type {{appDependencies: readonly string[]}} */ (own);
  const app = appPackages(lock.packages, appDependencies);
  return Object.entries(lock.packages)
    .filter(([path, entry]) => app.has(path) && entry.optional !== true)
    .map(([path, { version = '', license = '' }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      folder: join(projectFolder, path),
    }))
    .filter(({ name }) => !name.startsWith('@types/'));
}

/**
 * Rejects if the package has no licence.
 * @param {Package} entry
 */
export async function notice({ name, version, licence: spdx, folder }) {
  const own = (await readdir(folder)).filter((entry) =>
    /^(licen[cs]e|notice|copying)/i.test(entry),
  );
  const texts = await Promise.all(own.sort().map((entry) => readFile(join(folder, entry), 'utf8')));
  const more = await reported[name]?.(version);
  if (more !== undefined) texts.push(more);
  if (texts.length === 0 && withoutText.includes(name) && spdx === 'MIT')
    texts.push(`It carries no licence text; its package.json says ${spdx}.`);
  if (texts.length === 0 || spdx === '')
    throw new Error(
      `${name} ${version} has no ${spdx === '' ? 'licence in its package.json' : 'licence text'}. ` +
        'Add its text to docs/licences and to scripts/notices.mjs, or do without the package.',
    );
  const body = texts.map((part) => part.replaceAll('\r\n', '\n').trim()).join('\n\n');
  return `${name} ${version} (${spdx})\n\n${body}`;
}

/** The notice of a build tool whose own functions are in the bundle. @param {string} name */
async function helperNotice(name) {
  const folder = join(projectFolder, 'node_modules', name);
  const { version } = /** @type {{version: string}} */ (await readJson(folder, 'package.json'));
  const [file = ''] = (await readdir(folder)).filter((entry) => /^licen[cs]e/i.test(entry));
  const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
  // The rest applies to other parts of the build tool.
  const own = /MIT License\n[^]*?SOFTWARE\.\n/.exec(text)?.[0];
  if (own === undefined) throw new Error(`The licence of ${name} has another form.`);
  return `${name} ${version} (MIT; its helpers in the bundle)\n\n${own.trim()}`;
}

/** @param {typeof vendored[number]} entry */
async function vendoredNotice({ name, version, spdx, by, text }) {
  const body = `${by}${(await licence(text)).trim()}`;
  return `${name} ${version} (${spdx}; workers/python/resolver/vendor.zip)\n\n${body}`;
}

/** @param {string} name */
function licence(name) {
  return readFile(join(licences, name), 'utf8');
}

if (process.argv[1] === import.meta.filename) {
  const { length } = (await notices()).split(rule);
  console.log(`${length - 1} parts have a licence.`);
}
