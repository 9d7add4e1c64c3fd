/** npm run check [-- NAME… | -- --but NAME…]: everything that can be checked without a browser, with a summary at the end. */
import { eslint, performChecks, prettier, svelteCheck, typescript } from './check-tools.mjs';
import { tool } from './run.mjs';

/** @type {Record<string, readonly (readonly string[])[]>} each check is one or more commands; long ones first */
const checks = {
  // Two parts, one for each core: the page with its components, and the rest.
  'lint:page': [eslint('page', 'src/**/*.ts', '**/*.svelte', '--ignore-pattern=src/**/*.test.ts')],
  'lint:rest': [
    eslint(
      'rest',
      '.',
      '--ignore-pattern=**/*.svelte',
      '--ignore-pattern=src/**/*.ts',
      '--ignore-pattern=!src/**/*.test.ts',
    ),
  ],
  unit: [tool('vitest/vitest.mjs', 'run')],
  built: [
    ['node', 'scripts/build.mjs', '--if-stale'],
    tool('size-limit/bin.js'),
    ['node', 'scripts/check-sbom.mjs'],
    ['node', 'scripts/check-tool-worker.mjs'],
  ],
  // Checks all files of the page, not only its components.
  'types:page': [svelteCheck()],
  'types:rest': [
    typescript('tsconfig.node.json'),
    typescript('workers/tsconfig.scripts.json'),
    typescript('workers/tsconfig.tests.json'),
  ],
  imports: [
    tool(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      'src',
      'workers',
    ),
  ],
  format: [prettier('.')],
  unused: [tool('knip/bin/knip.js')],
  notices: [['node', 'scripts/notices.mjs']],
};

// No check starts a browser, but the check for unused code reads Playwright's configuration, which requires one.
const env = { CHROMIUM_PATH: process.execPath };

const given = process.argv.slice(2);
const inverted = given[0] === '--but';
const named = inverted ? given.slice(1) : given;
const unknown = named.filter((name) => !Object.keys(checks).some((check) => isOf(check, name)));
if (unknown.length > 0) {
  console.error(
    `No such check: ${unknown.join(', ')}. Available: ${Object.keys(checks).join(', ')}.`,
  );
  process.exit(1);
}

const queue = Object.entries(checks).filter(
  ([check]) => named.length === 0 || named.some((name) => isOf(check, name)) !== inverted,
);
const failed = await performChecks(queue, env);
console.log(`check: ${queue.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/**
 * `lint` names all checks that begin with `lint:`, and `types` those that begin with `types:`.
 * @param {string} check
 * @param {string} name
 */
function isOf(check, name) {
  return check === name || check.startsWith(`${name}:`);
}
