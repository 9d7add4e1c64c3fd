/** Performs checks, and has the commands of the tools that check sources, each with a cache that makes its second run fast. */
import { run, tool } from './run.mjs';

const cache = 'node_modules/.cache/cloche';

/**
 * Performs checks, two at a time, since most of them keep one core busy, and shows what failed.
 * @param {readonly (readonly [name: string, commands: readonly (readonly string[])[]])[]} checks long ones first
 * @param {Record<string, string>} [env]
 * @returns {Promise<number>} how many have failed
 */
export async function performChecks(checks, env = {}) {
  const waiting = checks.values();
  let failed = 0;
  const inTurn = async () => {
    for (const [name, commands] of waiting) {
      const start = performance.now();
      /** @type {string[]} */
      const reports = [];
      for (const command of commands) {
        const { code, output } = await run(command, { quiet: true, env });
        if (code !== 0) reports.push(output.trimEnd());
      }
      console.log(`${reports.length === 0 ? '✓' : '✗'} ${name} (${secondsSince(start)} s)`);
      if (reports.length === 0) continue;
      failed += 1;
      console.log(reports.join('\n').replace(/^/gm, '    '));
    }
  };
  await Promise.all([inTurn(), inTurn()]);
  return failed;
}

/** @param {number} start */
export function secondsSince(start) {
  return ((performance.now() - start) / 1000).toFixed(1);
}

/** @param {...string} files */
export function prettier(...files) {
  return tool(
    'prettier/bin/prettier.cjs',
    '--check',
    '--log-level=warn',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${cache}/prettier`,
    ...files,
  );
}

/**
 * ESLint reuses a file’s cached result even if types in other files have changed, so continuous integration starts
 * without a cache.
 * @param {string} name of its cache
 * @param {...string} words files and options
 */
export function eslint(name, ...words) {
  return tool(
    'eslint/bin/eslint.js',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${cache}/eslint-${name}`,
    ...words,
  );
}

/**
 * Runs TypeScript 7, which is native code and takes a quarter of the processor time. ESLint and svelte-check need TypeScript 6.
 * @param {string} project
 */
export function typescript(project) {
  return tool(
    'typescript-native/bin/tsc',
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `${cache}/${project.replace('/', '-')}.tsbuildinfo`,
  );
}

export function svelteCheck() {
  return tool(...svelteCheckWords('tsconfig.page.json'));
}

/** Checks components in a third of the time, because it keeps what it compiled in the folder .svelte-check. */
export function quickSvelteCheck() {
  return tool(...svelteCheckWords('tsconfig.quick.json'), '--incremental');
}

/**
 * @param {string} project
 * @returns {[string, ...string[]]}
 */
function svelteCheckWords(project) {
  return [
    'svelte-check/bin/svelte-check',
    `--tsconfig=${project}`,
    '--fail-on-warnings',
    '--output=human',
  ];
}
