import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder, refuseForeign } from './dist.mjs';

const build = ['assets/app.js', 'index.html', 'sw.js', 'third-party-notices.txt'];

async function folderWith(files: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-dist-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), '');
  }
  return folder;
}

test('an earlier build, an empty folder and a missing one may be replaced', async () => {
  await expect(refuseForeign(await folderWith(build))).resolves.toBeUndefined();
  await expect(refuseForeign(await folderWith([]))).resolves.toBeUndefined();
  await expect(refuseForeign('/does/not/exist')).resolves.toBeUndefined();
});

test('a folder with anything else is refused', async () => {
  // Other programs may add and remove files beside the project.
  for (const shared of [projectFolder, dirname(projectFolder)])
    await expect(refuseForeign(shared)).rejects.toThrow('not an earlier build');
  for (const files of [['notes.txt'], [...build, 'package.json'], [...build, '.git/HEAD']]) {
    const folder = await folderWith(files);
    const before = await readdir(folder);
    await expect(refuseForeign(folder)).rejects.toThrow('not an earlier build');
    expect(await readdir(folder)).toEqual(before);
  }
});
