import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { servedDisk } from '../runtime/workspace/served-disk.ts';
import { serveApp, type AppSite } from './app-site.ts';
import { folderHash } from './mcp/stored-lists.ts';
import { partsOf, ServedFolder } from './served-folder.ts';

let place: string;
let folder: ServedFolder;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'cloche-served-'));
  await mkdir(join(place, 'tools/sub'), { recursive: true });
  await mkdir(join(place, 'app'));
  await writeFile(join(place, 'app/index.html'), '<html><head><script>1</script></head></html>');
  await writeFile(join(place, 'secret.txt'), 'secret');
  await writeFile(join(place, 'tools/a.py'), 'a = 1\n');
  await writeFile(join(place, 'tools/sub/b.py'), 'b = 2\n');
  await symlink(join(place, 'secret.txt'), join(place, 'tools/link.txt'));
  await symlink(place, join(place, 'tools/out'));
  folder = await ServedFolder.at(join(place, 'tools'));
});
afterEach(() => rm(place, { recursive: true }));

test('names that Windows reads in another way are refused there', () => {
  for (const path of ['C:', 'a.txt:more', 'b/NUL', 'aux.txt', 'COM1', 'a.', 'a ', 'a*'])
    expect(() => partsOf(path, 'win32'), path).toThrow('not a valid file name on Windows');
  for (const path of ['a.txt', 'console.py', 'b/.hidden', 'nullable', 'a b.c'])
    expect(partsOf(path, 'win32')).toEqual(path.split('/'));
  expect(partsOf('a:b/nul', 'linux')).toEqual(['a:b', 'nul']);
});

test('a folder is listed, and its symbolic links are named', async () => {
  const names = async (path: string): Promise<string[]> =>
    (await folder.list(path))
      .map(({ name, size, isLink }) => `${name} ${isLink === true ? 'link' : (size ?? 'folder')}`)
      .sort();
  expect(await names('')).toEqual(['a.py 6', 'link.txt link', 'out link', 'sub folder']);
  expect(await names('sub')).toEqual(['b.py 6']);
  expect(folder.name).toBe('tools');
});

test('nothing outside the folder is read', async () => {
  expect(new TextDecoder().decode(await folder.read('sub/b.py'))).toBe('b = 2\n');
  const ways = ['../secret.txt', 'sub/../../secret.txt', '/etc/passwd', 'sub/./b.py', 'a\\..\\b'];
  for (const path of ways) await expect(folder.read(path)).rejects.toThrow('leads out');
  for (const path of ['link.txt', 'out/secret.txt'])
    await expect(folder.read(path)).rejects.toThrow('symbolic link');
  await expect(folder.list('out')).rejects.toThrow('symbolic link');
  await expect(folder.read('sub')).rejects.toThrow();
  await expect(ServedFolder.at(join(place, 'tools/a.py'))).rejects.toThrow('not a folder');
});

test('a hostile folder is listed, read and hashed within bounds', async () => {
  const tools = join(place, 'tools');
  execFileSync('mkfifo', [join(tools, 'pipe.py')]);
  await writeFile(join(tools, 'huge.py'), '');
  await truncate(join(tools, 'huge.py'), 60 * 1024 * 1024);
  await mkdir(join(tools, Array.from({ length: 200 }, () => 'd').join('/')), { recursive: true });
  for (const name of ['__proto__', '"\n\\', '%2e%2e', '-rf'])
    await writeFile(join(tools, name), name);
  const listed = (await folder.list('')).map(({ name }) => name);
  expect(listed).not.toContain('pipe.py');
  expect(listed).toEqual(expect.arrayContaining(['__proto__', '"\n\\', 'huge.py']));
  await expect(folder.read('huge.py')).rejects.toThrow('larger than');
  await expect(folder.read('pipe.py')).rejects.toThrow('not a file');
  expect(String(await folder.read('%2e%2e'))).toBe('%2e%2e');
  const hash = await folderHash(folder, 'b1');
  expect(await folderHash(folder, 'b1')).toBe(hash);
  expect(await folderHash(folder, 'b2')).not.toBe(hash);
  await writeFile(join(tools, 'sub/b.py'), 'b = 3\n');
  expect(await folderHash(folder, 'b1')).not.toBe(hash);
});

test('the folder is served to those who know its path, by the name of this machine', async () => {
  const site = await serveApp({ folder: join(place, 'app') }, folder, 0);
  try {
    const get = (path: string, headers = {}): Promise<Response> =>
      fetch(new URL(path, site.url), { headers });
    const listed = await get(`${site.folderPath}list?path=sub`);
    expect(await listed.json()).toMatchObject([{ name: 'b.py', size: 6 }]);
    const read = await get(`${site.folderPath}file?path=${encodeURIComponent('sub/b.py')}`);
    expect(await read.text()).toBe('b = 2\n');
    expect((await get(`${site.folderPath}file?path=../secret.txt`)).status).toBe(400);
    expect((await get(`folder-${'0'.repeat(48)}/list?path=`)).status).toBe(404);
    expect(await (await get(site.openUrl)).text()).toContain('src="./open-');
    expect(await (await get('?open=guess')).text()).not.toContain('open-');
    expect(await hostsAnswered(site)).toEqual({
      'localhost:1': 200,
      '127.0.0.1:1': 200,
      '[::1]:1': 200,
      'evil.example': 421,
      'localhost.evil.example:1': 421,
    });
  } finally {
    await site.close();
  }
});

test('a workspace is read and written through the server of the page', async () => {
  const workspace = await ServedFolder.at(join(place, 'tools'));
  const site = await serveApp({ folder: join(place, 'app') }, folder, 0, workspace);
  try {
    const disk = servedDisk('tools', new URL(site.workspacePath ?? '', site.url));
    const onDisk = (path: string): Promise<string> => readFile(join(place, 'tools', path), 'utf8');
    const text = async (path: string): Promise<string | undefined> => {
      const file = await disk.read(path);
      return file === null ? undefined : new TextDecoder().decode(file.bytes);
    };
    await disk.write('new/deep/ä b.txt', new TextEncoder().encode('one'));
    expect([await onDisk('new/deep/ä b.txt'), await text('new/deep/ä b.txt')]).toEqual([
      'one',
      'one',
    ]);
    await chmod(join(place, 'tools/a.py'), 0o755);
    await disk.write('a.py', new TextEncoder().encode('a = 2'));
    expect(await onDisk('a.py')).toBe('a = 2');
    expect((await stat(join(place, 'tools/a.py'))).mode & 0o777).toBe(0o755);
    expect(await text('none.txt')).toBeUndefined();
    await disk.makeFolder('empty/inner');
    await disk.removeFolder('empty/inner');
    await disk.removeFolder('new');
    await disk.remove('sub/b.py');
    await disk.remove('none.txt');
    const names = async (path: string): Promise<string[]> =>
      (await readdir(join(place, 'tools', path))).sort();
    expect(await names('')).toEqual(['a.py', 'empty', 'link.txt', 'new', 'out', 'sub']);
    expect([await names('empty'), await names('sub'), await names('new')]).toEqual([
      [],
      [],
      ['deep'],
    ]);
    await expect(disk.write('x.bin', new Uint8Array(51 * 1024 * 1024))).rejects.toThrow();
    expect(await readdir(join(place, 'tools'))).not.toContain('x.bin');
  } finally {
    await site.close();
  }
});

test('nothing outside the workspace is written, and no symbolic link is followed', async () => {
  const bytes = new TextEncoder().encode('changed');
  for (const path of ['../secret.txt', 'sub/../../secret.txt', '/secret.txt', '', 'sub/', 'a\\b'])
    await expect(folder.write(path, bytes), path).rejects.toThrow('leads out');
  await expect(folder.write('link.txt', bytes)).rejects.toThrow('not an ordinary file');
  await expect(folder.write('sub', bytes)).rejects.toThrow('not an ordinary file');
  for (const path of ['out/secret.txt', 'out/new.txt', 'out/new/x.txt'])
    await expect(folder.write(path, bytes), path).rejects.toThrow('symbolic link');
  for (const path of ['link.txt', 'out/secret.txt'])
    await expect(folder.remove(path), path).rejects.toThrow('symbolic link');
  await expect(folder.makeFolder('out/new')).rejects.toThrow('symbolic link');
  await expect(folder.removeFolder('out/app')).rejects.toThrow('symbolic link');
  await expect(folder.removeFolder('..')).rejects.toThrow('leads out');
  await folder.removeFolder('');
  expect(await readFile(join(place, 'secret.txt'), 'utf8')).toBe('secret');
  expect((await readdir(place)).sort()).toEqual(['app', 'secret.txt', 'tools']);
  expect((await readdir(join(place, 'tools'))).sort()).toEqual(['a.py', 'link.txt', 'out', 'sub']);
});

test('a page writes to no folder but a workspace, and only if it knows its path', async () => {
  const site = await serveApp({ folder: join(place, 'app') }, folder, 0, folder);
  try {
    const put = async (path: string, headers = {}): Promise<number> => {
      const url = new URL(`${path}file?path=a.py`, site.url);
      return (await fetch(url, { method: 'PUT', body: 'x', headers })).status;
    };
    expect(await put(site.folderPath)).toBe(405);
    expect(await put(`workspace-${'0'.repeat(48)}/`)).toBe(405);
    expect(await readFile(join(place, 'tools/a.py'), 'utf8')).toBe('a = 1\n');
    expect(await put(site.workspacePath ?? '')).toBe(200);
    expect(await readFile(join(place, 'tools/a.py'), 'utf8')).toBe('x');
  } finally {
    await site.close();
  }
});

async function hostsAnswered(site: AppSite): Promise<Record<string, number>> {
  const { request } = await import('node:http');
  const hosts = [
    'localhost:1',
    '127.0.0.1:1',
    '[::1]:1',
    'evil.example',
    'localhost.evil.example:1',
  ];
  const statuses = hosts.map(
    (host) =>
      new Promise<[string, number]>((resolve, reject) => {
        request(`${site.url}${site.folderPath}list`, { headers: { host } }, (response) => {
          response.resume();
          resolve([host, response.statusCode ?? 0]);
        })
          .on('error', reject)
          .end();
      }),
  );
  return Object.fromEntries(await Promise.all(statuses));
}
