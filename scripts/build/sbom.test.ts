/** The bill of materials: what it says of a bundle, and whether its table of Pyodide's parts is true. */

import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';
import { loadPyodide } from 'pyodide';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { pyodideParts } from '../bundled-parts.mjs';
import { sbomPlugins } from './sbom-plugin.ts';
import { billOfMaterials, type LockFile } from './sbom.ts';
import { pyodideFile } from './pyodide.ts';

interface Bill {
  components: { 'bom-ref': string; scope: string; purl?: string; components?: object[] }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const lock: LockFile = {
  name: 'app',
  version: '1.0.0',
  packages: {
    '': { version: '1.0.0', license: 'MIT' },
    'node_modules/used': { version: '1.1.0', license: 'ISC', integrity: 'sha512-/w==' },
    'node_modules/used/node_modules/@a/deep': { version: '2.0.0', license: 'MIT' },
    'node_modules/@a/deep': { version: '2.0.0', license: '(MIT OR ISC)' },
    'node_modules/tool': { version: '3.0.0' },
  },
};
const modules = ['/x/node_modules/used/index.js', '/x/node_modules/used/node_modules/@a/deep/b.js'];
const timeZones = new Uint8Array();

function scopes(text: string): Record<string, string> {
  const { components } = JSON.parse(text) as Bill;
  return Object.fromEntries(components.map((each) => [each['bom-ref'], each.scope]));
}

test('packages in a bundle are required, and all others excluded', () => {
  const text = billOfMaterials(lock, ['used', '@a/deep'], modules, timeZones);
  expect(scopes(text)).toEqual({
    'used@1.1.0': 'required',
    'node_modules/used/node_modules/@a/deep@2.0.0': 'required',
    '@a/deep@2.0.0': 'excluded',
    'tool@3.0.0': 'excluded',
    'resolvelib@0.9.0': 'required',
    'packaging@23.0': 'required',
    'IANA time zone database': 'required',
  });
  expect((JSON.parse(text) as Bill).components[0]).toEqual({
    type: 'library',
    'bom-ref': 'used@1.1.0',
    name: 'used',
    version: '1.1.0',
    licenses: [{ license: { id: 'ISC' } }],
    scope: 'required',
    purl: 'pkg:npm/used@1.1.0',
    hashes: [{ alg: 'SHA-512', content: 'ff' }],
  });
});

test('the text does not depend on the day or on the order of the bundles', () => {
  expect(billOfMaterials(lock, ['used', '@a/deep'], [...modules].reverse(), timeZones)).toBe(
    billOfMaterials(lock, ['used', '@a/deep'], modules, timeZones),
  );
});

test('a bundled package that is not in the lock file is refused', () => {
  expect(() =>
    billOfMaterials(lock, ['used', '@a/deep'], ['/x/node_modules/other/a.js'], timeZones),
  ).toThrow('other');
});

test('a real build notes what it bundles, its assets too, and not what it leaves out', async () => {
  const entry = '\0entry';
  const { note, write } = sbomPlugins(root);
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      note(),
      write,
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? entry : undefined),
        load: (id) =>
          id === entry
            ? `import { openDB } from 'idb';
               import { strToU8 } from 'fflate';
               import '@fontsource-variable/geist';
               console.log(openDB);`
            : undefined,
      },
    ],
    build: { write: false, assetsInlineLimit: 0, rolldownOptions: { input: 'entry' } },
  })) as Rolldown.RolldownOutput;
  const bill = built.output.find(({ fileName }) => fileName === 'sbom.cdx.json');
  const text = bill?.type === 'asset' ? String(bill.source) : '';
  const required = Object.entries(scopes(text))
    .filter(([, scope]) => scope === 'required')
    .map(([name]) => name.replace(/@[\d.]+$/, ''));
  expect(required).toEqual([
    '@fontsource-variable/geist',
    'idb',
    'resolvelib',
    'packaging',
    'IANA time zone database',
  ]);
});

test('the versions of Pyodide’s parts are those in its files', { timeout: 60_000 }, async () => {
  const python = await loadPyodide();
  const versions = python.runPython(`
import json, platform, sqlite3, sys, zlib, _decimal, _zstd
from xml.parsers import expat
json.dumps({
    "CPython": platform.python_version(),
    "Emscripten": ".".join(map(str, sys._emscripten_info.emscripten_version)),
    "zlib": zlib.ZLIB_RUNTIME_VERSION,
    "Zstandard": _zstd.zstd_version,
    "SQLite": sqlite3.sqlite_version,
    "Expat": expat.EXPAT_VERSION.removeprefix("expat_"),
    "mpdecimal": _decimal.__libmpdec_version__,
})`) as string;
  const wasm = await readFile(pyodideFile(root, 'pyodide.asm.wasm'), 'latin1');
  const bzip2 = /(\d+\.\d+\.\d+), \d+-\w+-\d{4}\0/.exec(wasm)?.[1];
  const listed = pyodideParts.flatMap(({ name, version }) =>
    version === undefined ? [] : [[name, version]],
  );
  expect(Object.fromEntries(listed)).toEqual({
    ...(JSON.parse(versions) as Record<string, string>),
    bzip2,
  });
});
