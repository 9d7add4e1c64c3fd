/** A package index on this machine (PEP 503, 658 and 691) that logs its requests. */

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { strFromU8, unzipSync } from 'fflate';

const json = 'application/vnd.pypi.simple.v1+json';

/** What a test may change while the index runs. */
export interface IndexHabits {
  /** Whether METADATA can be had beside a wheel (PEP 658). */
  metadata: boolean;
  /** Whether the listing is there as JSON, or as HTML alone. */
  json: boolean;
  /** Files that are served with a byte changed. */
  readonly corrupted: Set<string>;
  /** Files that are listed as withdrawn. */
  readonly yanked: Set<string>;
}

export interface PackageIndex {
  /** The listing's address, such as `http://127.0.0.1:4000/simple/`. */
  readonly url: string;
  readonly port: number;
  readonly habits: IndexHabits;
  /** The paths that were asked for, in order; preflights are not among them. */
  readonly requests: string[];
  close(): Promise<void>;
}

interface File {
  readonly filename: string;
  readonly content: Uint8Array;
  readonly metadata: string | undefined;
}

/** @param files file name → content; what is no wheel is listed too */
export async function startPackageIndex(
  files: ReadonlyMap<string, Uint8Array>,
): Promise<PackageIndex> {
  const all = new Map([...files].map(([name, content]) => [name, read(name, content)]));
  const requests: string[] = [];
  const habits: IndexHabits = {
    metadata: true,
    json: true,
    corrupted: new Set(),
    yanked: new Set(),
  };
  const server = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    requests.push(request.url ?? '');
    answer(request, response, all, habits);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/simple/`,
    port,
    habits,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  files: ReadonlyMap<string, File>,
  habits: IndexHabits,
): void {
  const { pathname } = new URL(request.url ?? '/', 'http://index');
  const [, kind, name = '', rest] = pathname.split('/').map(decodeURIComponent);
  if (kind === 'simple' && rest === '') {
    const listed = [...files.values()].filter(({ filename }) => project(filename) === name);
    if (listed.length > 0) {
      list(request, response, name, listed, habits);
      return;
    }
  }
  if (kind === 'files' && rest === undefined) {
    const wanted = files.get(name.replace(/\.metadata$/, ''));
    if (wanted !== undefined && serve(response, wanted, name, habits)) return;
  }
  response.writeHead(404).end('There is no such thing here.');
}

function serve(
  response: ServerResponse,
  { filename, content, metadata }: File,
  name: string,
  habits: IndexHabits,
): boolean {
  if (name !== filename) {
    if (!habits.metadata || metadata === undefined) return false;
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.end(metadata);
    return true;
  }
  const served = Buffer.from(content);
  if (habits.corrupted.has(filename)) {
    const middle = served.length >> 1;
    served.writeUInt8(served.readUInt8(middle) ^ 1, middle);
  }
  response.setHeader('Content-Type', 'application/octet-stream');
  response.end(served);
  return true;
}

function list(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  files: readonly File[],
  habits: IndexHabits,
): void {
  const entries = files.map((file) => ({
    filename: file.filename,
    url: `../../files/${encodeURIComponent(file.filename)}`,
    hash: sha256(file.content),
    size: file.content.length,
    python: header(file.metadata, 'Requires-Python'),
    metadata:
      habits.metadata && file.metadata !== undefined ? sha256(Buffer.from(file.metadata)) : null,
    yanked: habits.yanked.has(file.filename),
  }));
  if (habits.json && (request.headers.accept ?? '').includes(json)) {
    response.setHeader('Content-Type', json);
    const listed = entries.map(({ filename, url, hash, size, python, metadata, yanked }) => ({
      filename,
      url,
      hashes: { sha256: hash },
      size,
      ...(python === undefined ? {} : { 'requires-python': python }),
      'core-metadata': metadata === null ? false : { sha256: metadata },
      yanked,
    }));
    response.end(JSON.stringify({ meta: { 'api-version': '1.1' }, name, files: listed }));
    return;
  }
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  const links = entries.map(({ filename, url, hash, python, metadata, yanked }) => {
    const attributes = [
      `href="${url}#sha256=${hash}"`,
      python === undefined ? '' : `data-requires-python="${escaped(python)}"`,
      metadata === null ? '' : `data-core-metadata="sha256=${metadata}"`,
      yanked ? 'data-yanked=""' : '',
    ];
    return `<a ${attributes.filter((one) => one !== '').join(' ')}>${filename}</a><br>`;
  });
  response.end(`<!DOCTYPE html><html><body>\n${links.join('\n')}\n</body></html>`);
}

function read(filename: string, content: Uint8Array): File {
  if (!filename.endsWith('.whl')) return { filename, content, metadata: undefined };
  const found = unzipSync(content, {
    filter: ({ name }) => /^[^/]+\.dist-info\/METADATA$/.test(name),
  });
  const [metadata] = Object.values(found);
  return { filename, content, metadata: metadata && strFromU8(metadata) };
}

function project(filename: string): string {
  const [stem = ''] = filename.split(/-(?=\d)/);
  return stem.replaceAll(/[-_.]+/g, '-').toLowerCase();
}

function header(metadata: string | undefined, name: string): string | undefined {
  const [head = ''] = (metadata ?? '').split('\n\n', 1);
  return new RegExp(`^${name}: (.+)$`, 'm').exec(head)?.[1];
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
