/** The static server answers as a careful static host does. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFolder } from './static-server.mjs';

let parent: string;
let site: Awaited<ReturnType<typeof serveFolder>>;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'cloche-server-'));
  const folder = join(parent, 'site');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(parent, 'secret.txt'), 'secret');
  await writeFile(join(folder, '.hidden'), 'hidden');
  await writeFile(join(folder, 'index.html'), '<p>shell</p>');
  await writeFile(join(folder, 'sw.js'), '// service');
  await writeFile(join(folder, 'assets/app-0123456789.js'), 'x;'.repeat(2000));
  await writeFile(join(folder, 'assets/python-0123456789.wasm'), new Uint8Array(5000));
  await symlink(join(parent, 'secret.txt'), join(folder, 'link.txt'));
  site = await serveFolder({ folder, base: '/some/base' });
});

afterAll(async () => {
  await site.close();
  await rm(parent, { recursive: true });
});

test('the base without its slash leads to the base', async () => {
  expect(await get('/some/base?x=1')).toMatchObject({
    status: 308,
    headers: { location: '/some/base/?x=1' },
  });
});

test('pages and the service worker are asked for anew, hashed files never', async () => {
  const noCache = { status: 200, headers: { 'cache-control': 'no-cache' } };
  expect(await get('/some/base/')).toMatchObject({ ...noCache, body: '<p>shell</p>' });
  expect(await get('/some/base/sw.js')).toMatchObject(noCache);
  expect(await get('/some/base/assets/app-0123456789.js')).toMatchObject({
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  });
});

test('WebAssembly has the type that streaming compilation wants', async () => {
  const answer = await get('/some/base/assets/python-0123456789.wasm');
  expect(answer.headers['content-type']).toBe('application/wasm');
  expect(answer.headers['content-length']).toBe('5000');
});

test('scripts are compressed for those who accept it', async () => {
  const path = '/some/base/assets/app-0123456789.js';
  const plain = await get(path);
  const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
  const gzip = await get(path, { 'accept-encoding': 'gzip' });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(plain.headers['content-length']).toBe('4000');
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(Number(brotli.headers['content-length'])).toBeLessThan(200);
});

test('a version that the browser has is not sent again', async () => {
  const { headers } = await get('/some/base/');
  const again = await get('/some/base/', { 'if-none-match': `"other", ${String(headers.etag)}` });
  expect(again).toMatchObject({ status: 304, body: '' });
});

test('HEAD gives the headers alone', async () => {
  expect(await get('/some/base/', {}, 'HEAD')).toMatchObject({
    status: 200,
    headers: { 'content-length': '12' },
    body: '',
  });
});

test('only GET and HEAD are answered', async () => {
  expect(await get('/some/base/', {}, 'POST')).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
  });
});

test.each([
  '/',
  '/some/base/api/tools',
  '/some/base/assets',
  '/some/base/assets/',
  '/some/base/.hidden',
  '/some/base/../secret.txt',
  '/some/base/..%2fsecret.txt',
  '/some/base/assets/%2e%2e/%2e%2e/secret.txt',
  '/some/base/..%5csecret.txt',
  '/some/base/link.txt',
  '/some/base/index.html%00.js',
  '/some/base/%zz',
  '//secret.txt',
])('%s is a 404, not the shell', async (path) => {
  const { status, body } = await get(path);
  expect({ status, body }).toEqual({ status: 404, body: 'There is nothing at this address.\n' });
});

// Not fetch, which normalises the path before sending it.
function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = new URL(site.url);
  return new Promise<{
    status: number | undefined;
    headers: Record<string, string | string[] | undefined>;
    body: string;
  }>((resolve, reject) => {
    request({ host: 'localhost', port, path, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body });
      });
    })
      .once('error', reject)
      .end();
  });
}

test('answers wait until what is served is ready, and say so if it cannot be', async () => {
  let finish: () => void = () => undefined;
  const built = new Promise<void>((resolve) => (finish = resolve));
  let ready = (): Promise<void> => built;
  const waiting = await serveFolder({ folder: join(parent, 'site'), ready: () => ready() });
  try {
    let isAnswered = false;
    const answer = fetch(waiting.url).finally(() => (isAnswered = true));
    await fetch(`${site.url}sw.js`);
    expect(isAnswered).toBe(false);
    finish();
    expect((await answer).status).toBe(200);
    ready = () => Promise.reject(new Error('broken'));
    expect((await fetch(waiting.url)).status).toBe(500);
  } finally {
    await waiting.close();
  }
});
