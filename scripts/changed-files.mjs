/** Lists what differs from the last commit, and the quick checks for it. */
import { run } from './run.mjs';

/**
 * Changed and new files that still exist.
 * @returns {Promise<string[]>} paths from the project's folder
 */
export async function changedFiles() {
  const changed = await gitPaths(
    'diff',
    '--name-only',
    '--diff-filter=d',
    '--relative',
    '-z',
    'HEAD',
  );
  const fresh = await gitPaths('ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set([...changed, ...fresh])].sort();
}

/**
 * @typedef {object} QuickChecks
 * @property {string[]} format
 * @property {string[]} lint
 * @property {string[]} projects of TypeScript
 * @property {boolean} components whether their types are to be checked
 * @property {string[]} related sources whose unit tests are to be run
 */

/**
 * Chooses the checks for changed files.
 * @param {readonly string[]} files
 * @returns {QuickChecks}
 */
export function quickChecks(files) {
  const script = files.filter((file) => /\.([cm]?[jt]s|svelte)$/.test(file));
  const typed = script.filter((file) => !file.endsWith('.svelte'));
  return {
    format: [...files],
    lint: script,
    projects: Object.entries(projects)
      .filter(([, isIn]) => typed.some((file) => isIn.test(file)))
      .map(([project]) => project),
    components: script.length > typed.length,
    related: script.filter((file) => /^(src|workers|scripts)\//.test(file)),
  };
}

/** The files of each TypeScript project, including the imports of tests. */
const projects = {
  'tsconfig.page.json': /^src\/(?!.*\.test\.ts$)/,
  'tsconfig.node.json': /^(src|scripts|bench|tests)\/|^[^/]+$/,
  'workers/tsconfig.scripts.json':
    /^(workers|src\/(runtime\/(spec|protocol)|agent\/providers))\/(?!.*\.test\.ts$)/,
  'workers/tsconfig.tests.json': /^(workers|src\/(runtime\/(spec|protocol)|agent\/providers))\//,
};

/** @param {...string} words of git; paths end with a NUL */
async function gitPaths(...words) {
  const { code, output } = await run(['git', ...words], { quiet: true });
  if (code !== 0) throw new Error(`Finding changed files needs git. ${output.trimEnd()}`);
  return output.split('\0').filter((path) => path !== '');
}
