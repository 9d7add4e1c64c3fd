/** `npm run package` without a build makes one, or fails and says so. The build is a fake: a real one takes minutes. */

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder } from './dist.mjs';

let place: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'cloche-pack-'));
  const isProgram = (path: string): boolean => !path.endsWith('.test.ts');
  await cp(join(projectFolder, 'scripts'), join(place, 'scripts'), {
    recursive: true,
    filter: isProgram,
  });
  await writeFile(join(place, 'package.json'), '{"type": "module"}');
  await symlink(join(projectFolder, 'node_modules'), join(place, 'node_modules'));
});
afterAll(() => rm(place, { recursive: true }));

interface Ended {
  readonly failed: boolean;
  readonly said: string;
  /** The files and folders of the project afterwards. */
  readonly names: readonly string[];
}

/** Packs with this program in place of `scripts/build.mjs`, which notes its options. */
async function pack(build: string): Promise<Ended> {
  const notes = "import { writeFileSync } from 'node:fs';\n";
  const noting = "writeFileSync('asked.txt', process.argv.slice(2).join(' '));\n";
  await writeFile(join(place, 'scripts/build.mjs'), notes + noting + build);
  const { CLOCHE_DIST: _, ...env } = process.env;
  const [failed, said] = await new Promise<[boolean, string]>((resolve) => {
    execFile(
      process.execPath,
      ['scripts/build-package.mjs'],
      { cwd: place, env },
      (error, out, err) => resolve([error !== null, out + err]),
    );
  });
  expect(await readFile(join(place, 'asked.txt'), 'utf8')).toBe('--if-stale');
  return { failed, said, names: await readdir(place) };
}

test.each([
  ['a build that fails', 'process.exit(1);', 'The app could not be built'],
  ['a build that makes nothing', '', 'cloche-client.js'],
])('after %s nothing is packed, and the cause is said', async (_, build, cause) => {
  const { failed, said, names } = await pack(build);
  expect(said).toContain(cause);
  expect(said).not.toContain('Wrote package/');
  expect(failed).toBe(true);
  // An unfinished package is removed too.
  expect(names.filter((name) => name.startsWith('package'))).toEqual(['package.json']);
});
