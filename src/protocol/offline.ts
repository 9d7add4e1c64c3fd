/**
 * What pages and the service worker, of this build and of others, agree on about builds and where they are stored.
 *
 * A build is what its index.html says it is: a mark in the head names it, and `assets/files-{build}.json` lists its other
 * files. A page stores the files of its own build in a cache of its own, the list last: a cache that holds its list is
 * complete. The service worker only reads. Change none of this without reading what older builds have stored.
 */

import { isRecord } from '../spec/guards.ts';

export interface BuildFile {
  /** Path below the app's base. */
  readonly url: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** index.html itself asks for it. */
  readonly shell: boolean;
}

const buildId = /^[0-9a-f]{16}$/;

/** Name of the cache with one build's files. */
export function filesCache(basePath: string, build: string): string {
  return `cloche-files:${basePath}:${build}`;
}

/** The build whose files a cache holds; `undefined` for all other caches of the origin. */
export function buildOfCache(basePath: string, name: string): string | undefined {
  const prefix = filesCache(basePath, '');
  const build = name.slice(prefix.length);
  return name.startsWith(prefix) && buildId.test(build) ? build : undefined;
}

/** Held, shared, by every page of a build: what it may still ask for is not thrown away. */
export function buildLock(basePath: string, build: string): string {
  return `cloche-build:${basePath}:${build}`;
}

/** Path below the app's base. */
export function listUrl(build: string): string {
  return `assets/files-${build}.json`;
}

/** On the stored list: when the server last named this build, in milliseconds since the epoch. */
export const confirmedHeader = 'x-cloche-confirmed';

/** The build that an index.html says it is of. */
export function buildOf(page: string): string | undefined {
  return /<meta name="cloche-build" content="([0-9a-f]{16})"/.exec(page)?.[1];
}

/** `undefined` for what this version does not understand. */
export function parseFileList(text: string): readonly BuildFile[] | undefined {
  const list = parsed(text);
  if (!isRecord(list) || list.format !== 1 || !Array.isArray(list.files)) return undefined;
  const files: unknown[] = list.files;
  return files.every(isBuildFile) ? files : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
