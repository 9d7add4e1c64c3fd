/** Runs the command for evaluations without a window, as a user types it. */

import { spawn } from 'node:child_process';
import { projectFolder } from '../../scripts/dist.mjs';
import { testKey } from './session-page.ts';

export interface Ended {
  readonly code: number;
  /** Text of both output streams. */
  readonly output: string;
}

/** @param command for a shell, in the project's folder */
export async function runCommand(command: string): Promise<Ended> {
  const shell = spawn('sh', ['-c', command], {
    cwd: projectFolder,
    env: { ...process.env, CLOCHE_MODEL_KEY: testKey },
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number>((resolve) =>
    shell.on('close', (ended) => resolve(ended ?? -1)),
  );
  return { code, output };
}

/** @param options for the shell, after the options of the model */
export function runEval(folder: string, url: string, options: string): Promise<Ended> {
  return runCommand(
    `npm run eval -- '${folder}' --model Mine/small --base-url ${url}/v1 ${options}`,
  );
}
