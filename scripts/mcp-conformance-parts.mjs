/** The official parts of MCP, in tests/conformance: they need a newer Node, and are installed there on first use. */
import { join } from 'node:path';
import { projectFolder } from './dist.mjs';
import { readJson } from './read-files.mjs';
import { run } from './run.mjs';

export const conformanceFolder = join(projectFolder, 'tests/conformance');
/** The Node that the parts need. */
export const newerNode = join(conformanceFolder, 'node_modules/node/bin/node');

/** @throws {Error} if they cannot be installed */
export async function installOfficialParts() {
  if (await areInstalled()) return;
  console.log('Installing the official parts of MCP into tests/conformance …');
  const install = ['npm', 'install', '--no-package-lock', '--no-audit', '--no-fund'];
  let { code } = await run([...install, '--ignore-scripts'], { cwd: conformanceFolder });
  // Scripts of packages do not run, except for the one that fetches Node for this machine.
  const script = 'installArchSpecificPackage.js';
  const nodeFolder = join(conformanceFolder, 'node_modules/node');
  if (code === 0) ({ code } = await run(['node', script], { cwd: nodeFolder }));
  if (code !== 0) throw new Error('The official parts of MCP could not be installed; see above.');
}

/** Whether every part is installed, in the version that package.json names. */
async function areInstalled() {
  const { dependencies } = await packageIn(conformanceFolder);
  const found = await Promise.all(
    Object.entries(dependencies).map(async ([name, version]) => {
      const part = await packageIn(join(conformanceFolder, 'node_modules', name)).catch(() => null);
      return part?.version === version;
    }),
  );
  return found.every(Boolean);
}

/**
 * @param {string} folder
 * @returns {Promise<{version: string, dependencies: Record<string, string>}>}
 */
async function packageIn(folder) {
  const parsed = await readJson(folder, 'package.json');
  return /** @type {{version: string, dependencies: Record<string, string>}} */ (parsed);
}
