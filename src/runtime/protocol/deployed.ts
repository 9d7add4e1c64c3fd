/** Checks that a server has all files of a build, before the app updates to it. */

import { sha256Of } from '../spec/sha256.ts';
import { listUrl, parseFileList, type BuildFile } from './offline.ts';

/** Settings of a request that follows no redirect. */
export type InitWithoutRedirects = RequestInit & { readonly redirect: 'error' | 'manual' };

export interface Deployment {
  /** Address of the app, with a slash at the end. */
  readonly base: string;
  /** Whether the file at this address is already stored locally, so that the server is not asked for it. */
  readonly stored: (url: string) => Promise<boolean>;
  readonly fetch: (url: string, init: InitWithoutRedirects) => Promise<Response>;
}

/**
 * Returns whether all files of a build are on the server. A half-uploaded build would give users a broken page.
 *
 * The files that index.html itself requests are downloaded and their hashes compared, which also puts them into the
 * browser's cache for the next page load. False if the server cannot be reached or the signal aborts.
 */
export async function isDeployed(
  signal: AbortSignal,
  build: string,
  deployment: Deployment,
): Promise<boolean> {
  const { base } = deployment;
  try {
    const list = await deployment.fetch(base + listUrl(build), { redirect: 'error', signal });
    const files = list.status === 200 ? parseFileList(await list.text()) : undefined;
    if (files === undefined) return false;
    const present = await Promise.all(files.map((file) => isPresent(signal, file, deployment)));
    return !present.includes(false);
  } catch {
    // Offline or aborted.
    return false;
  }
}

async function isPresent(
  signal: AbortSignal,
  { url, sha256, shell }: BuildFile,
  { base, stored, fetch }: Deployment,
): Promise<boolean> {
  const address = base + url;
  if (await stored(address)) return true;
  if (!shell) {
    const { status } = await fetch(address, { method: 'HEAD', redirect: 'error', signal });
    // Some servers do not support HEAD; their files count as present.
    return status === 200 || status === 405 || status === 501;
  }
  const response = await fetch(address, { redirect: 'error', signal });
  return response.status === 200 && (await sha256Of(await response.arrayBuffer())) === sha256;
}
