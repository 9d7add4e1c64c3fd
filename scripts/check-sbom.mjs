/** Checks the bill of materials in dist/: every dependency is in it as a part of the app, and every part has its notice. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { distFolder, projectFolder } from './dist.mjs';
import { readJson } from './read-files.mjs';

/** @typedef {{name: string, version?: string, scope: string, properties?: object[]}} Component */

const { appDependencies, devDependencies } =
  /** @type {{appDependencies: readonly string[], devDependencies: Record<string, string>}} */ (
    await readJson(projectFolder, 'package.json')
  );
const { components } = /** @type {{components: Component[]}} */ (
  await readJson(distFolder, 'sbom.cdx.json')
);
const notices = await readFile(join(distFolder, 'third-party-notices.txt'), 'utf8');
const bundled = components.filter(({ scope }) => scope === 'required');

const faults = [
  ...appDependencies
    .filter((name) => !bundled.some((b) => b.name === name && b.version === devDependencies[name]))
    .map((name) => `${name} is in package.json's appDependencies, and no part of the built app.`),
  ...bundled
    // Components with properties are build tools, of which the bundle has only a helper function.
    .filter(({ version, properties }) => version !== undefined && properties === undefined)
    .filter(({ name, version }) => !notices.includes(`\n\n${name} ${version ?? ''} (`))
    .map(({ name }) => `${name} is part of the built app, and not in third-party-notices.txt.`),
];
for (const fault of faults) console.error(fault);
console.log(`${bundled.length} parts of the app are listed in sbom.cdx.json.`);
process.exit(faults.length > 0 ? 1 : 0);
