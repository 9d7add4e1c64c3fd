/** Bundles a module with its imports into one classic script, which a test or a benchmark adds to a page. */

import { build } from 'vite';
import { projectFolder } from './dist.mjs';

/**
 * @param {string} input path of the module
 * @returns {Promise<string>}
 */
export async function bundleScript(input) {
  const built = await build({
    root: projectFolder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      rolldownOptions: { input, output: { format: 'iife', codeSplitting: false } },
    },
  });
  if (Array.isArray(built) || !('output' in built)) throw new Error('There is no bundle.');
  return built.output[0].code;
}
