/** Whether a server holds the whole of a build, asked before anybody is led to it. */

import { listUrl, parseFileList, type BuildFile } from './offline.ts';

export interface Deployment {
  /** Address of the app, with a slash at the end. */
  readonly base: string;
  /** A file of this address is at hand, wherever the server may have left it. */
  readonly stored: (url: string) => Promise<boolean>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * False as soon as one file is missing: what is half uploaded would leave people with a broken page. The files of the
 * shell are read and compared, which brings them into the browser's cache for the page that follows.
 */
export async function isDeployed(
  signal: AbortSignal,
  build: string,
  deployment: Deployment,
): Promise<boolean> {
  const { base } = deployment;
  try {
    const list = await deployment.fetch(base + listUrl(build), { signal });
    const files = list.status === 200 ? parseFileList(await list.text()) : undefined;
    if (files === undefined) return false;
    const there = await Promise.all(files.map((file) => isThere(signal, file, deployment)));
    return !there.includes(false);
  } catch {
    // Offline, or given up: as good as missing.
    return false;
  }
}

async function isThere(
  signal: AbortSignal,
  { url, sha256, shell }: BuildFile,
  { base, stored, fetch }: Deployment,
): Promise<boolean> {
  const address = base + url;
  if (await stored(address)) return true;
  if (!shell) {
    const { status } = await fetch(address, { method: 'HEAD', signal });
    // Some servers do not know the method; they are believed.
    return status === 200 || status === 405 || status === 501;
  }
  const response = await fetch(address, { signal });
  return response.status === 200 && (await sha256Of(await response.arrayBuffer())) === sha256;
}

/** In hexadecimal. */
export async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
