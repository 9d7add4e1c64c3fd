/** What is installed: exact versions with known contents, and none of their scripts run. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Entry {
  resolved?: string;
  integrity?: string;
  link?: boolean;
}

async function read(name: string): Promise<string> {
  return readFile(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');
}

test('npm runs no script of a package', async () => {
  expect((await read('.npmrc')).split('\n')).toContain('ignore-scripts=true');
});

test('package.json names exact versions', async () => {
  const { dependencies, devDependencies } = JSON.parse(await read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const ranges = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(ranges).toEqual([]);
});

test('every package in the lock file has a hash and comes from the registry', async () => {
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, Entry>;
  };
  const unverified = Object.entries(packages).filter(
    ([path, { resolved = 'https://registry.npmjs.org/', integrity = '', link = false }]) =>
      path !== '' &&
      (link ||
        !resolved.startsWith('https://registry.npmjs.org/') ||
        !/^sha512-[\w+/]{86}==$/.test(integrity)),
  );
  expect(unverified).toEqual([]);
});
