/** Runs the program `cloche` from its source, with the built app: `node scripts/cloche.mjs eval FOLDER …`. */
import { join } from 'node:path';
import { buildCli } from './build-cli.mjs';
import { distFolder, projectFolder } from './dist.mjs';
import { run } from './run.mjs';

const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
if (code !== 0) {
  console.error('The app could not be built; see above.');
  process.exit(2);
}
process.env.CLOCHE_APP = distFolder;
const file = join(projectFolder, 'node_modules/.cache/cloche/cli.js');
await buildCli(file);
await import(file);
