/**
 * Names, formats and files of stored builds, shared by the pages and service workers of all builds.
 *
 * A tag in the head of index.html names the build, and `assets/files-{build}.json` lists its other files. A page stores
 * the files of its build in a cache for that build, and the list last: a cache that has its list is complete. The
 * service worker only reads. Pages of other builds use the same caches, so every change must still read what they store.
 */

import { isRecord, parseJson } from '../spec/guards.ts';
import { sha256Of } from '../spec/bytes.ts';

/** An entry of a build's list of files. */
export interface BuildFile {
  /** Path below the app's base. */
  readonly url: string;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Whether index.html itself requests it. */
  readonly shell: boolean;
}

const buildId = /^[0-9a-f]{16}$/;

/** Name of the cache with one build's files. */
export function filesCache(basePath: string, build: string): string {
  return `cloche-files:${basePath}:${build}`;
}

/** The build whose files a cache holds; `undefined` for any other cache of the origin. */
export function buildOfCache(basePath: string, name: string): string | undefined {
  const prefix = filesCache(basePath, '');
  const build = name.slice(prefix.length);
  return name.startsWith(prefix) && buildId.test(build) ? build : undefined;
}

/** Lock that every page of a build holds in shared mode, so that files which it may still request are not deleted. */
export function buildLock(basePath: string, build: string): string {
  return `cloche-build:${basePath}:${build}`;
}

/** Path below the app's base. */
export function listUrl(build: string): string {
  return `assets/files-${build}.json`;
}

/** Header of the stored list: when the server last served this build, in milliseconds since the epoch. */
export const confirmedHeader = 'x-cloche-confirmed';

/** The build that an index.html names; `undefined` if it names none. */
export function buildOf(page: string): string | undefined {
  return /<meta name="cloche-build" content="([0-9a-f]{16})"/.exec(page)?.[1];
}

/** Parses a build's list of files; `undefined` if the format is unknown to this version. */
export function parseFileList(text: string): readonly BuildFile[] | undefined {
  const list = parseJson(text);
  if (!isRecord(list) || list.format !== 1 || !Array.isArray(list.files)) return undefined;
  const files: unknown[] = list.files;
  return files.every(isBuildFile) ? files : undefined;
}

function isBuildFile(value: unknown): value is BuildFile {
  return (
    isRecord(value) &&
    typeof value.url === 'string' &&
    typeof value.sha256 === 'string' &&
    typeof value.bytes === 'number' &&
    typeof value.shell === 'boolean'
  );
}

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
 * Returns whether all files of a build are on the server, before the app updates to it. A half-uploaded build would give users a broken page.
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
