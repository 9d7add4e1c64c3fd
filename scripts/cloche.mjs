/** Runs the program `cloche` from its source, with the built app: `node scripts/cloche.mjs eval FOLDER …`. */
import { join } from 'node:path';
import { buildCli } from './build-cli.mjs';
import { distFolder, projectFolder } from './dist.mjs';
import { requireBuild } from './run.mjs';

await requireBuild(2);
process.env.CLOCHE_APP = distFolder;
const file = join(projectFolder, 'node_modules/.cache/cloche/cli.js');
await buildCli(file);
await import(file);
