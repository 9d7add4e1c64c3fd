/** Runs the program `cloche` as a user types it, with the built app. */

import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildCli } from '../../scripts/build-cli.mjs';
import { findBrowser } from '../../scripts/browser.mjs';
import { distFolder } from '../../scripts/dist.mjs';
import { testKey } from './session-page.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  /** Text of both output streams. */
  readonly output: string;
}

export interface CommandLine {
  /** The program, for Node, and its environment. */
  readonly file: string;
  readonly env: Record<string, string>;
  /** Starts the program. @param words what follows `npx cloche`, for a shell @param more variables of its environment */
  start(words: string, more?: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams;
  run(words: string): Promise<Ended>;
}

/** The command lines of processes that name a folder, such as the cache of the program: those of its browser. */
export async function processesOf(folder: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
  return stdout.split('\n').filter((line) => line.includes(folder));
}

/** @param place a folder for the program and its cache */
export async function commandLine(place: string): Promise<CommandLine> {
  const file = join(place, 'cli.js');
  await buildCli(file);
  const env = {
    ...process.env,
    CLOCHE_APP: distFolder,
    CLOCHE_BROWSER: findBrowser() ?? '',
    CLOCHE_MODEL_KEY: testKey,
    XDG_CACHE_HOME: join(place, 'cache'),
  };
  const start: CommandLine['start'] = (words, more) =>
    spawn('sh', ['-c', `exec '${process.execPath}' '${file}' ${words}`], {
      env: { ...env, ...more },
    });
  return {
    file,
    env,
    start,
    async run(words) {
      const child = start(words);
      let stdout = '';
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        output += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
      const code = await new Promise<number>((resolve) =>
        child.on('close', (ended) => resolve(ended ?? -1)),
      );
      return { code, stdout, output };
    },
  };
}
