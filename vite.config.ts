/** How the page is built, served in development and unit-tested. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { BuildOptions, PluginOption, UserConfig } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { buildListPlugin } from './scripts/build/build-list-plugin.ts';
import { bridgePlugin } from './scripts/build/bridge-plugin.ts';
import { bundleClassic, bundleModule } from './scripts/build/classic-script.ts';
import { docsPlugin } from './scripts/build/docs-plugin.ts';
import { integrityPlugin } from './scripts/build/integrity-plugin.ts';
import { noticesPlugin } from './scripts/build/notices-plugin.ts';
import { playgroundPage, playgroundPlugin } from './scripts/build/playground-plugin.ts';
import { productPlugin } from './scripts/build/product-plugin.ts';
import { pythonProgramsPlugin } from './scripts/build/python-programs-plugin.ts';
import { packagesPlugin } from './scripts/build/packages-plugin.ts';
import { parseSlicesPlugin } from './scripts/build/parse-slices-plugin.ts';
import { pagePolicyPlugin } from './scripts/build/page-policy-plugin.ts';
import { runtimePlugin } from './scripts/build/runtime-plugin.ts';
import { sandboxPlugin, sandboxProducts } from './scripts/build/sandbox-plugin.ts';
import { sbomPlugins } from './scripts/build/sbom-plugin.ts';
import { samplesPlugin } from './scripts/build/samples-plugin.ts';
import { isolatedTests, testFolders } from './scripts/isolated-tests.ts';
import { validatorProducts, validatorsPlugin } from './scripts/build/validators-plugin.ts';

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '');

/** Small modules that several parts of the page share, and that the first paint does not need. */
const smallShared: Readonly<Record<string, readonly string[]>> = {
  'agent/evals': ['eval-record'],
  'agent/extensions': ['shortcut'],
  'agent/providers': ['model-asker', 'tool-conversions'],
  'agent/runner': ['run-record', 'run-tasks', 'work-time'],
  'agent/saved-tests': ['judged-outcome'],
  'app/api': ['http-form'],
  'app/api/mcp': ['results'],
  'app/ui/parts': ['color-python', 'observed-later', 'published-words', 'save-file'],
  'runtime/async': ['pace', 'worker-client'],
  'runtime/call': ['intercepted-call'],
  'runtime/folder': [
    'block-reader',
    'file-handles',
    'file-names',
    'folder-observer',
    'served-source',
    'source',
    'tool-files',
  ],
  'runtime/grants': [
    'powers',
    'program-question-counts',
    'questions',
    'request-refusal',
    'request-parts',
    'secret-parts',
  ],
  'runtime/packages': ['wheel-content'],
  'runtime/protocol': ['ask', 'models', 'sent-messages'],
  'runtime/registry': ['provider-names'],
  'runtime/scan': ['check-tool', 'meta-rules', 'schema-faults', 'settle-inspection'],
  'runtime/spec': [
    'bytes',
    'escapes',
    'evaluation',
    'exact-json',
    'json',
    'json-reader',
    'json-tokens',
    'model-error',
    'plain-tool',
    'schema-references',
    'schema-walk',
    'secret-mask',
    'tool',
    'wheel',
  ],
  'runtime/workspace': ['changes'],
};
/** Further such modules of the app's page: all of them are loaded before a tool runs. */
const pageShared: Readonly<Record<string, readonly string[]>> = {
  'agent/storage': ['run-store'],
  'agent/turn': ['compactors'],
  'runtime/async': ['channel', 'defer', 'take-lock'],
  'runtime/folder': ['folder-problems', 'list-folder', 'read-folder', 'reread-folder'],
  'runtime/grants': ['allowed-sites', 'folder-policy'],
  'runtime/registry': ['mcp-names', 'provider-definitions', 'tool-extras'],
  'runtime/sandbox': ['interpreter-allocator'],
  'runtime/scan': ['read-tests'],
  'runtime/spec': ['folder', 'model', 'setting'],
  'runtime/workspace': ['runs-by-itself'],
};
/** Modules that change a file: each part of the page that needs one soon needs the others. */
const editing: Readonly<Record<string, readonly string[]>> = {
  'app/connect': ['editing'],
  'app/ui/editor': ['add-example', 'change-spec', 'fix-problem', 'write-edit'],
  'runtime/open-folder': ['folder-editing'],
  'runtime/scan/fixes': ['fix-for', 'schema-of', 'spec-change', 'spec-source'],
};
/** Modules that sessions, plans and evaluations share. */
const agentShared: Readonly<Record<string, readonly string[]>> = {
  'agent/evals': ['eval-report', 'figures', 'version-words', 'versions'],
  'agent/programs': ['program-limits'],
  'agent/providers': ['base-url', 'model-facts'],
  'agent/runner': ['plan-needs', 'plan-problems', 'read-json-or-yaml', 'task-order'],
  'agent/session': ['session-head', 'session-state', 'usage'],
  'agent/session/recording': ['playback-position'],
  'agent/turn': ['built-in-tools', 'kept-selections', 'live-state', 'prompt', 'tool-answer'],
  'runtime/spec': ['nearest-names', 'recording'],
};
/** Further such modules of a playground, whose page loads nothing of the app before Python is wanted. */
const playgroundShared: Readonly<Record<string, readonly string[]>> = {
  'runtime/async': ['coalesce'],
  'runtime/call': ['results'],
  'runtime/folder': ['path-rules'],
  'runtime/hooks': ['observe'],
  'runtime/open-folder': ['folder-interpreters'],
  'runtime/packages': ['declared'],
  'runtime/spec': ['composed-name', 'error'],
};

function filesOf(modules: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const files = Object.entries(modules).flatMap(([folder, names]) =>
    names.map((name) => join(root, 'src', folder, `${name}.ts`)),
  );
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`The table of chunks names missing files: ${missing.join(', ')}`);
  return files;
}

const agentFiles = filesOf(agentShared);
const editingFiles = filesOf(editing);
const comlink = /[\\/]node_modules[\\/]comlink[\\/]/;
const pythonColors = /[\\/](?:parts[\\/]python-colors\.ts|node_modules[\\/]@lezer[\\/])/;
const markdownFiles =
  /[\\/](?:ui[\\/]markdown[\\/](?:markdown|safe-html)\.ts|marked\.esm\.js|purify\.es\.mjs)$/;

export default defineConfig(({ command, mode }) => {
  const validators = validatorProducts(root);
  const sbom = sbomPlugins(root);
  const settings = {
    root,
    mode,
    minify: command === 'build',
    plugins: [validatorsPlugin(validators), sbom.note()],
  };
  const products = sandboxProducts(settings);
  /** What both pages are built with. */
  const pagePlugins = (): PluginOption[] => [
    svelte(),
    validatorsPlugin(validators),
    sandboxPlugin(products),
    samplesPlugin(root),
    pythonProgramsPlugin(root),
    packagesPlugin(root),
    parseSlicesPlugin(),
    pagePolicyPlugin(products.boot),
    sbom.note(),
  ];
  const pageBuild = (shared: readonly string[]): BuildOptions => ({
    target: 'es2022',
    // The oldest browsers that Cloche supports: their colours need no second form.
    cssTarget: ['chrome150', 'firefox140', 'safari18'],
    sourcemap: false,
    // The page's policy has no place for data: scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        // In one file: index.html holds a hash of every file, and loads them all later.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'shared', test: (id) => shared.includes(id) || comlink.test(id) },
            { name: 'agent', test: (id) => agentFiles.includes(id) },
            { name: 'editing', test: (id) => editingFiles.includes(id) },
            { name: 'markdown', test: markdownFiles },
            { name: 'python-colors', test: pythonColors },
          ],
        },
      },
    },
  });
  const worker: UserConfig['worker'] = {
    format: 'es',
    plugins: () => [validatorsPlugin(validators), sbom.note()],
  };
  // Relative, so that one build works under every base path.
  const base = './';
  return {
    root,
    base,
    // No fallback to index.html: an unknown address is a 404.
    appType: 'mpa',
    plugins: [
      ...pagePlugins(),
      docsPlugin(root),
      // At the app's base, so that its scope is the whole app.
      productPlugin('service', 'sw.js', () =>
        bundleClassic(join(root, 'workers/service/service.ts'), settings),
      ),
      bridgePlugin(settings),
      productPlugin('client', 'cloche-client.js', () =>
        bundleModule(join(root, 'src/embed/client/index.ts'), settings),
      ),
      runtimePlugin(settings, products),
      productPlugin('element', 'cloche-playground.js', () =>
        bundleClassic(join(root, 'src/embed/element/cloche-playground.ts'), settings),
      ),
      playgroundPlugin(root, () => ({
        root,
        mode,
        base,
        build: pageBuild(filesOf(smallShared).concat(filesOf(playgroundShared))),
        worker,
        plugins: [...pagePlugins(), integrityPlugin(playgroundPage)],
      })),
      noticesPlugin(root),
      sbom.write,
      integrityPlugin(),
      buildListPlugin(),
    ],
    worker,
    build: pageBuild(filesOf(smallShared).concat(filesOf(pageShared))),
    server: { watch: { ignored: ['**/dist/**', '**/.dist-*/**', '**/test-results/**'] } },
    test: {
      pool: 'threads',
      // Vitest's own choice leaves one core to itself, which does little.
      maxWorkers: availableParallelism(),
      // A suite without tests is a mistake, not a success.
      passWithNoTests: false,
      mockReset: true,
      // Property tests take seconds on a busy machine.
      testTimeout: 60_000,
      projects: mode === 'test' ? unitProjects() : [],
    },
  };
});

function unitProjects(): TestProjectInlineConfiguration[] {
  const include = testFolders.map((folder) => `${folder}/**/*.test.ts`);
  const isolated = isolatedTests(root);
  return [
    {
      extends: true,
      test: {
        name: 'shared',
        include,
        exclude: isolated,
        isolate: false,
        setupFiles: ['scripts/kept-globals.ts'],
      },
    },
    { extends: true, test: { name: 'isolated', include: isolated } },
  ];
}
