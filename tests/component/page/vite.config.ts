/** Builds the page of the component tests: the real page, with a fake instead of the sandbox's frame. In mode `gallery`, builds the gallery. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { sha256 } from '../../../scripts/build/digest.ts';
import { pagePolicyPlugin } from '../../../scripts/build/page-policy-plugin.ts';
import { Product } from '../../../scripts/build/product.ts';
import { samplesPlugin } from '../../../scripts/build/samples-plugin.ts';
import { validatorProducts, validatorsPlugin } from '../../../scripts/build/validators-plugin.ts';
import { BuildCache } from './build-cache.ts';
import { sveltePlugin } from './svelte-plugin.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const cache = new BuildCache(join(root, 'node_modules/.cache/cloche/component'));
const boot = { source: '', hash: sha256('', 'base64') };
/** Modules of the app that others here take the place of. */
const replaced: readonly (readonly [importer: RegExp, id: string, file: string])[] = [
  [/\/src\/runtime\/sandbox\//, './frame.ts', 'frame.ts'],
  [/\/src\/app\/connect\/api\.ts$/, '../offline/service-worker.ts', 'service-worker.ts'],
];
const met = new Set<(typeof replaced)[number]>();
const distribution = 'distribution.json';

/** What the real build makes of Python's files, of packages and of the frame's script: the fake needs none of them. */
const stubs: Readonly<Record<string, string>> = {
  'virtual:cloche/frame-boot': `export const source = '', hash = ${JSON.stringify(boot.hash)};`,
  'virtual:cloche/sandbox-assets': 'export const sandboxAssets = [];',
  'virtual:cloche/python-programs':
    "export const programs = { cloche_test: { url: 'cloche_test.py', integrity: '' }, cloche_mcp: { url: 'cloche_mcp.py', integrity: '' } };",
  'virtual:cloche/file-fetcher': "export const source = '';",
  'virtual:cloche/packages': `export const resolver = { url: 'index.html', integrity: '' }, distribution = { url: '${distribution}', integrity: '' }, platforms = [], pyodideVersion = '0', siteWheels = [];`,
};

const sandbox: Plugin = {
  name: 'cloche:fake-sandbox',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^virtual:cloche|^\.\.?\// },
    handler(id, importer = '') {
      if (id in stubs) return `\0${id}`;
      const found = replaced.find(([by, name]) => name === id && by.test(importer));
      if (found === undefined) return undefined;
      met.add(found);
      return fileURLToPath(new URL(found[2], import.meta.url));
    },
  },
  load: { filter: { id: /^\0virtual:cloche/ }, handler: (id) => stubs[id.slice(1)] },
};

/** The gallery needs none of the modules that are replaced. */
const replacesAll: Plugin = {
  name: 'cloche:replaces-all',
  generateBundle() {
    const missing = replaced.filter((one) => !met.has(one));
    if (missing.length > 0)
      this.error(`Nothing imports ${missing.map(([, id]) => id).join(', ')}.`);
    this.emitFile({ type: 'asset', fileName: distribution, source: '{"packages":{}}' });
  },
};

export default defineConfig(async ({ mode }) => {
  const validators = await keptValidators();
  return {
    root,
    base: './',
    mode: 'development',
    plugins: [
      sandbox,
      mode !== 'gallery' && replacesAll,
      sveltePlugin(root, cache),
      validatorsPlugin(validators),
      samplesPlugin(root),
      pagePolicyPlugin(product(() => Promise.resolve(boot))),
    ],
    worker: { format: 'es' as const, plugins: () => [validatorsPlugin(validators)] },
    build: {
      target: 'es2022',
      minify: false,
      cssMinify: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        input: join(root, mode === 'gallery' ? 'gallery.html' : 'index.html'),
        checks: { bundlerTimings: false },
      },
    },
  };
});

/** Compiling them takes longer than all the rest. */
async function keptValidators(): Promise<ReturnType<typeof validatorProducts>> {
  const inputs = [await readFile(join(root, 'package-lock.json'), 'utf8')];
  for (const folder of ['src/runtime/spec/schemas', 'scripts/build'])
    for (const name of await readdir(join(root, folder)))
      if (/valid|schema|classic-script/.test(join(folder, name)))
        inputs.push(name, await readFile(join(root, folder, name), 'utf8'));
  return new Map(
    Array.from(validatorProducts(root), ([name, made]) => [
      name,
      product(() => cache.get([name, ...inputs], () => made.get())),
    ]),
  );
}

function product<T>(make: () => Promise<T>): Product<T> {
  return new Product(async () => ({ value: await make(), sources: [] }));
}
