/** Runs a command, shows its output and returns it. */
import { spawn, spawnSync } from 'node:child_process';
import { projectFolder } from './dist.mjs';

/**
 * @param {readonly string[]} command program and arguments; `node` stands for the running Node
 * @param {{quiet?: boolean, prefix?: string, env?: Record<string, string>, limit?: number, signal?: AbortSignal, cwd?: string}} [options] quiet: do not show the output; prefix: show it by whole lines, each behind this; limit: end it after this number of milliseconds; signal: ends it and all processes that it has started
 * @returns {Promise<{code: number, output: string}>} code 1 where it did not start or was killed
 */
export function run(
  [program = '', ...args],
  { quiet = false, prefix = '', env = {}, limit, signal, cwd = projectFolder } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(program === 'node' ? process.execPath : program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limit,
      // A group of processes can be ended as one.
      detached: signal !== undefined,
    });
    const end = () => void endGroup(child);
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end, { once: true });
    let output = '';
    const shown = { out: shownOn(process.stdout, prefix), err: shownOn(process.stderr, prefix) };
    /** @param {{write: (text: string) => void}} stream */
    const keep = (stream) => (/** @type {string} */ text) => {
      output += text;
      if (!quiet) stream.write(text);
    };
    child.stdout.setEncoding('utf8').on('data', keep(shown.out));
    child.stderr.setEncoding('utf8').on('data', keep(shown.err));
    child.once('error', (error) => {
      output += `${program} did not start: ${error.message}\n`;
      resolve({ code: 1, output });
    });
    child.once('close', (code, killedBy) => {
      signal?.removeEventListener('abort', end);
      // What the first process leaves behind when it is ended.
      if (signal?.aborted === true) kill(child, 'SIGKILL');
      if (killedBy !== null) keep(shown.err)(`${program} was ended by ${killedBy}.\n`);
      shown.out.end();
      shown.err.end();
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Builds the app if dist/ is missing or older than the sources. @param {number} [failure] the exit code if that fails */
export async function requireBuild(failure = 1) {
  const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
  if (code === 0) return;
  console.error('The app could not be built; see above.');
  process.exit(failure);
}

/**
 * A tool of this project's node_modules, as a command for `run`.
 * @param {string} path of its script below node_modules
 * @param {...string} args
 */
export function tool(path, ...args) {
  return ['node', `node_modules/${path}`, ...args];
}

/**
 * Asks a group of processes to end, and kills it if it does not.
 * @param {import('node:child_process').ChildProcess} child its first process
 */
async function endGroup(child) {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    if (!kill(child, signal)) return;
    await new Promise((wake) => setTimeout(wake, 5_000).unref());
  }
}

/**
 * Sends a signal to a process and all that it has started.
 * @param {import('node:child_process').ChildProcess} child
 * @param {'SIGTERM' | 'SIGKILL'} signal
 * @returns whether one of them was running
 */
function kill({ pid }, signal) {
  if (pid === undefined) return false;
  // Windows has no groups of processes.
  if (process.platform === 'win32')
    return spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']).status === 0;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/**
 * When commands run side by side, only whole lines are shown, each with the prefix of its command.
 * @param {{write: (text: string) => unknown}} stream
 * @param {string} prefix
 */
export function shownOn(stream, prefix) {
  let rest = '';
  return {
    /** @param {string} text */
    write(text) {
      if (prefix === '') {
        stream.write(text);
        return;
      }
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) stream.write(`${prefix}${line}\n`);
    },
    end() {
      if (rest !== '') stream.write(`${prefix}${rest}\n`);
      rest = '';
    },
  };
}
