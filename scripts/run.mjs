/** Runs a command, shows its output, and keeps it for whoever asked. */
import { spawn } from 'node:child_process';
import { projectFolder } from './dist.mjs';

/**
 * @param {readonly string[]} command program and arguments; `node` is this very Node
 * @param {{quiet?: boolean, env?: Record<string, string>, limit?: number}} [options] quiet: do not show the output; limit: end it after so many milliseconds
 * @returns {Promise<{code: number, output: string}>} code 1 where it did not start or was killed
 */
export function run([program = '', ...args], { quiet = false, env = {}, limit } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program === 'node' ? process.execPath : program, args, {
      cwd: projectFolder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limit,
    });
    let output = '';
    /** @param {NodeJS.WriteStream} shown */
    const keep = (shown) => (/** @type {string} */ text) => {
      output += text;
      if (!quiet) shown.write(text);
    };
    child.stdout.setEncoding('utf8').on('data', keep(process.stdout));
    child.stderr.setEncoding('utf8').on('data', keep(process.stderr));
    child.once('error', (error) => {
      output += `${program} did not start: ${error.message}\n`;
      resolve({ code: 1, output });
    });
    child.once('close', (code, signal) => {
      if (signal !== null) keep(process.stderr)(`${program} was ended by ${signal}.\n`);
      resolve({ code: code ?? 1, output });
    });
  });
}

/**
 * A tool of this project's node_modules, as `run` wants it.
 * @param {string} path of its script below node_modules
 * @param {...string} args
 */
export function tool(path, ...args) {
  return ['node', `node_modules/${path}`, ...args];
}
