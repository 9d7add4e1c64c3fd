/** A temporary folder is removed however the process ends that has made it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const module = new URL('temporary-folder.mjs', import.meta.url).href;

/** Runs a program that makes a folder with a file. @returns whether the folder was there, and is there after its end */
async function folderOf(then: string, signal?: NodeJS.Signals): Promise<[boolean, boolean]> {
  const program = `
    import { writeFileSync } from 'node:fs';
    const { temporaryFolder } = await import(${JSON.stringify(module)});
    const folder = await temporaryFolder('ends');
    writeFileSync(folder + '/file', 'text');
    console.log(folder);
    process.stdin.once('data', () => { ${then} }).resume();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const folder = line.toString().trim();
  const was = existsSync(folder);
  const ended = once(child, 'exit');
  if (signal === undefined) child.stdin.write('go');
  else child.kill(signal);
  await ended;
  return [was, existsSync(folder)];
}

test.each(['process.exit(0)', 'process.stdin.destroy()', 'throw new Error("wrong")'])(
  'after %s',
  async (then) => {
    expect(await folderOf(then)).toEqual([true, false]);
  },
);

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('after %s', async (signal) => {
  expect(await folderOf('', signal)).toEqual([true, false]);
});
