/** npm run package: writes package/, what `npm pack` packs: the client, the playground, the runtime with its assets, the mock of a tool, with types, and the program `cloche` with the app. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { buildCli } from './build-cli.mjs';
import { distFolder, projectFolder } from './dist.mjs';
import { filesBelow } from './read-files.mjs';
import { requireBuild } from './run.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

const target = join(projectFolder, 'package');

/** Files of the build, and their names in the package. */
const copied = /** @type {const} */ ([
  ['cloche-client.js', 'client.js'],
  ['cloche-playground.js', 'playground.js'],
  ['cloche-playground.d.ts', 'playground.d.ts'],
  ['cloche-runtime.js', 'runtime.js'],
  // The assets contain Pyodide and CPython.
  ['third-party-notices.txt', 'third-party-notices.txt'],
]);

/** Writes the package's files, from the build in dist/. @returns {Promise<void>} */
export async function buildPackage() {
  // Beside the target, so that it can be renamed.
  const made = `${target}-${process.pid}`;
  await rm(made, { recursive: true, force: true });
  await mkdir(made);
  try {
    for (const [from, to] of copied) await copyFile(join(distFolder, from), join(made, to));
    await copyAssets(made);
    await copyApp(made);
    await buildCli(join(made, 'cli.js'));
    await buildTesting(made);
    await declarations(made);
    await rm(target, { recursive: true, force: true });
    await rename(made, target);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** Copies the files that the runtime fetches, which its script names. @param {string} made */
async function copyAssets(made) {
  const script = await readFile(join(made, 'runtime.js'), 'utf8');
  const names = script.match(/\b(assets|wheels)\/[\w.+-]+/g) ?? [];
  for (const name of new Set(names)) {
    await mkdir(join(made, name, '..'), { recursive: true });
    await copyFile(join(distFolder, name), join(made, name));
  }
}

/**
 * Copies the app, without compressed files, and without those that the package has at the same path for the runtime.
 * @param {string} made
 */
async function copyApp(made) {
  for (const name of await filesBelow(distFolder)) {
    if (/\.(br|gz)$/.test(name) || existsSync(join(made, name))) continue;
    await mkdir(join(made, 'app', name, '..'), { recursive: true });
    await copyFile(join(distFolder, name), join(made, 'app', name));
  }
}

/** @param {string} made */
async function declarations(made) {
  const folder = await temporaryFolder('types');
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      join(projectFolder, 'node_modules/typescript/bin/tsc'),
      '--project',
      join(projectFolder, 'tsconfig.client.json'),
      '--outDir',
      folder,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The client's types could not be written:\n${stdout}`);
  for (const name of await findDeclarations(folder)) {
    await mkdir(join(made, name, '..'), { recursive: true });
    await copyFile(join(folder, name), join(made, name));
  }
  // Programs with another module resolution find .js, not .ts.
  for (const name of await readdir(made, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(made, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/((?:from |import\()'\.{1,2}\/[\w/-]+)\.ts'/g, "$1.js'"));
  }
}

/**
 * The declarations that the entries reach: those of the runtime's implementation are of no use to a page.
 * @param {string} folder @returns {Promise<ReadonlySet<string>>}
 */
async function findDeclarations(folder) {
  const found = new Set([
    'embed/client/index.d.ts',
    'runtime/call/mock-tool.d.ts',
    'runtime/index.d.ts',
  ]);
  for (const name of found) {
    const text = await readFile(join(folder, name), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from |import\()'(\.{1,2}\/[\w./-]+)\.ts'/g))
      found.add(join(name, '..', `${path}.d.ts`));
  }
  return found;
}

/** Builds the mock of a tool as one file, `testing.js`. @param {string} folder */
async function buildTesting(folder) {
  await build({
    root: projectFolder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      lib: {
        entry: 'src/runtime/call/mock-tool.ts',
        formats: ['es'],
        fileName: () => 'testing.js',
      },
      target: 'es2022',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
    },
  });
}

if (process.argv[1] === import.meta.filename) {
  await requireBuild();
  await buildPackage();
  console.log('Wrote package/: `npm pack` makes the archive.');
}
