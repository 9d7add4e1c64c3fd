import { afterEach, expect, test, vi } from 'vitest';
import { servedSource } from './served-source.ts';
import type { FolderWalk } from './source.ts';

/** A server of these answers, by action and path. */
function serve(answers: Readonly<Record<string, unknown>>): void {
  vi.stubGlobal('fetch', (url: URL) => {
    const answer = answers[`${url.pathname} ${url.searchParams.get('path') ?? ''}`];
    if (answer === undefined) return Promise.resolve(new Response('gone\n', { status: 404 }));
    return Promise.resolve(
      typeof answer === 'string' ? new Response(answer) : Response.json(answer),
    );
  });
}

afterEach(() => vi.unstubAllGlobals());

const source = servedSource('tools', new URL('http://localhost/folder-t/'));

async function listed(walk: Partial<FolderWalk> = {}): Promise<readonly string[]> {
  const paths: string[] = [];
  const all = { enter: () => true, unlisted: () => undefined, ...walk };
  for await (const { path, file } of source.entries(new AbortController().signal, all)) {
    const { size, lastModified } = await file();
    paths.push(`${path} ${size} ${lastModified}`);
  }
  return paths;
}

test('files are listed with their size and time, level by level, and read when needed', async () => {
  serve({
    '/folder-t/list ': [
      { name: 'sub' },
      { name: 'linked.py', isLink: true },
      { name: 'a.py', size: 3, modifiedAt: 7 },
      { name: '.git' },
      { size: 1 },
      null,
    ],
    '/folder-t/list sub': [{ name: 'b.py', size: 1, modifiedAt: 8 }],
    '/folder-t/file sub/b.py': 'A',
  });
  const enter = (path: string): boolean => path !== '.git';
  const linked = vi.fn();
  expect(await listed({ enter, linked })).toEqual(['a.py 3 7', 'sub/b.py 1 8']);
  expect(linked.mock.calls).toEqual([['linked.py']]);
  const signal = new AbortController().signal;
  for await (const { path, file } of source.entries(signal, {
    enter,
    unlisted: () => undefined,
  })) {
    const read = (await file()).arrayBuffer();
    if (path === 'a.py') await expect(read).rejects.toThrow('gone');
    else expect(new Uint8Array(await read)).toEqual(new Uint8Array([65]));
  }
});

test('a subfolder that is gone is reported, and a folder that is gone rejects', async () => {
  serve({ '/folder-t/list ': [{ name: 'sub' }, { name: 'a.py', size: 3, modifiedAt: 7 }] });
  const unlisted = vi.fn();
  expect(await listed({ unlisted })).toEqual(['a.py 3 7']);
  expect(unlisted).toHaveBeenCalledWith('sub', new Error('gone'));
  serve({});
  await expect(listed()).rejects.toThrow('gone');
  serve({ '/folder-t/list ': {} });
  await expect(listed()).rejects.toThrow('not a list');
});
