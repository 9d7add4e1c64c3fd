/** npm run package: writes package/, what `npm pack` packs: the client and the playground, with types. Needs a build in dist/. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distFolder, projectFolder } from './dist.mjs';

const target = join(projectFolder, 'package');

/** Files of the build, and their names in the package. */
const copied = /** @type {const} */ ([
  ['cloche-client.js', 'client.js'],
  ['cloche-playground.js', 'playground.js'],
  ['cloche-playground.d.ts', 'playground.d.ts'],
]);

/** Writes the package's files. @returns {Promise<void>} */
export async function buildPackage() {
  // Beside the target, so that it can be renamed.
  const made = `${target}-${process.pid}`;
  await rm(made, { recursive: true, force: true });
  await mkdir(made);
  try {
    for (const [from, to] of copied)
      if (existsSync(join(distFolder, from)))
        await copyFile(join(distFolder, from), join(made, to));
    await declarations(made);
    await rm(target, { recursive: true, force: true });
    await rename(made, target);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** @param {string} made */
async function declarations(made) {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-types-'));
  try {
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        join(projectFolder, 'node_modules/typescript/bin/tsc'),
        ...['--project', join(projectFolder, 'tsconfig.client.json'), '--outDir', folder],
      ],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`The client's types could not be written:\n${stdout}`);
    await cp(join(folder, 'client'), join(made, 'client'), { recursive: true });
    // Programs with another module resolution find .js, not .ts.
    for (const name of await readdir(join(made, 'client'))) {
      const file = join(made, 'client', name);
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  await buildPackage();
  console.log('Wrote package/: `npm pack` makes the archive.');
}
