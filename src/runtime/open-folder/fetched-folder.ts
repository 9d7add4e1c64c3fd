/**
 * Opens a tool file or a zip from its address. A worker fetches it, once, since the page's policy allows no requests to
 * other hosts: without cookies, and without following redirects.
 */

import { decodeFragment } from '../spec/schema-walk.ts';
import { fileInMemory, type FolderSource } from '../folder/source.ts';
import { pathFault, showPath } from '../folder/path-rules.ts';
import { requestTarget } from '../grants/request-parts.ts';
import type { Send, SentResponse } from '../grants/network-sender.ts';
import { ToolError } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import { zippedFolder } from './folder-sources.ts';

export interface FetchDeps {
  readonly send: Send;
  readonly limits: Limits;
  readonly isOnline: () => boolean;
}

/** @throws {ToolError} if it cannot be fetched, is too large, or is neither a zip nor a Python file */
export async function fetchFolder(
  signal: AbortSignal,
  address: string,
  deps: FetchDeps,
): Promise<FolderSource> {
  const { limits } = deps;
  const { bytes, url } = await fetchFile(signal, address, limits.folderBytes, deps);
  const name = nameIn(url);
  if (isZip(bytes)) return await zippedFolder(new File([bytes], `${name}.zip`), limits);
  const { pathname } = new URL(url);
  if (isPage(bytes)) throw otherContent(bytes);
  if (!/\.py$/i.test(pathname)) {
    const { otherArchive } = await import('../zip/other-archives.ts');
    throw otherArchive(showPath(pathname.split('/').at(-1) ?? ''), bytes) ?? otherContent(bytes);
  }
  if (bytes.byteLength > limits.fileBytes) throw tooLarge(limits.fileBytes);
  return ofOneFile(`${name}.py`, bytes);
}

/** @param maxBytes size of the largest file @throws {ToolError} if it cannot be fetched, or is larger */
export async function fetchFile(
  signal: AbortSignal,
  address: string,
  maxBytes: number,
  deps: Omit<FetchDeps, 'limits'>,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly url: string }> {
  const target = requestTarget(fullAddress(address), '');
  if ('why' in target)
    throw new ToolError('bad-input', `The address cannot be used: ${target.why}`, addressHint);
  const response = await deps.send(signal, {
    url: target.url,
    method: 'GET',
    headers: [],
    body: null,
    secrets: [],
  });
  signal.throwIfAborted();
  if ('failed' in response) throw notFetched(response.failed, target.url, deps);
  try {
    if (response.status < 200 || response.status > 299)
      throw new ToolError(
        'not-found',
        `The server answered ${response.status} ${response.statusText}`.trim(),
        'Open the address in a new tab to check it.',
      );
    return { bytes: await contentOf(signal, response, maxBytes), url: target.url };
  } finally {
    response.cancel();
  }
}

const addressHint = 'Enter an address such as https://example.org/tools.zip.';

/** Adds the scheme that is usually left out, and finds the file behind a page of GitHub. */
function fullAddress(address: string): string {
  const full = /^[a-z][a-z\d+.-]*:/i.test(address) ? address : `https://${address}`;
  return full.replace(
    /^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:blob|raw)\//,
    'https://raw.githubusercontent.com/$1/',
  );
}

async function contentOf(
  signal: AbortSignal,
  response: SentResponse,
  max: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = response.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  if (Number(declared ?? 0) > max) throw tooLarge(max);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const piece = await response.read();
    signal.throwIfAborted();
    if (piece === null) break;
    size += piece.byteLength;
    // @mutant fetching: a file that is too large is not read to its end => removed
    if (size > max) throw tooLarge(max);
    pieces.push(piece);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

function ofOneFile(path: string, bytes: Uint8Array<ArrayBuffer>): FolderSource {
  // One file is read without pauses.
  const file = fileInMemory(bytes, Date.now(), () => Promise.resolve());
  return {
    name: path,
    kind: 'upload',
    rereadable: false,
    async *entries() {
      yield await Promise.resolve({ path, size: file.size, file: () => Promise.resolve(file) });
    },
  };
}

/** The last part of the address without its extension, if it is a valid name. */
function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const name = decodeFragment(last)
    .replace(/\.(py|zip)$/i, '')
    .slice(0, 100);
  return name === '' || name.includes('/') || pathFault(name) !== undefined ? 'tools' : name;
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/** Many sites show a file in a page of their own. */
function isPage(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 1_000)));
}

function otherContent(bytes: Uint8Array): ToolError {
  return new ToolError(
    'bad-input',
    isPage(bytes)
      ? 'The address leads to a web page, not to a file'
      : 'The address leads to neither a zip nor a Python file',
    'Enter the address of the file itself: a zip, or a file that ends in .py. Many sites link to it as “Raw” or “Download”.',
  );
}

function tooLarge(max: number): ToolError {
  return new ToolError(
    'limit',
    `The file is larger than ${max / 1024 / 1024} MB`,
    'Download it, and keep only what the tools need.',
  );
}

function notFetched(
  failed: 'redirect' | 'network',
  url: string,
  { isOnline }: Pick<FetchDeps, 'isOnline'>,
): ToolError {
  if (failed === 'redirect')
    return new ToolError(
      'not-supported',
      'The address redirects to another one',
      'Open it in a new tab, then enter the address that the tab shows. If the tab downloads a file, drop that file on this page.',
    );
  if (!isOnline())
    return new ToolError('not-found', 'You are offline', 'Connect to the network, and try again.');
  const { host, protocol } = new URL(url);
  const insecure =
    protocol === 'http:' ? ' The browser may also have blocked it because it is not HTTPS.' : '';
  return new ToolError(
    'not-supported',
    `${host} cannot be reached, or does not let other sites read this file (CORS).${insecure}`,
    'Download the file, then drop it on this page.',
  );
}
