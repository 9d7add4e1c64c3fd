/** Requests to the sandbox about packages: wheels to install, and packages to resolve (workers/python/resolver). */

import type { resolution, resolved, resolvedWheel } from '../spec/schemas/sandbox.ts';
import type { Accepted } from '../spec/schemas/schema.ts';
import type { Wheel, WheelSource } from '../spec/wheel.ts';

/** Installs packages, before any file of the folder is there. Answered once by `done`. */
export interface InstallRequest {
  /** Installed after `compiled`. */
  readonly wheels: readonly Wheel[];
  /** The result of a {@link CompileRequest}; null if there is none. */
  readonly compiled: Blob | null;
}

/** Installs wheels of pure packages and compiles them, without running any of their code. */
export interface CompileRequest {
  readonly wheels: readonly Wheel[];
}

/** A wheel from the folder, or one that the lock file of Pyodide's distribution lists. */
export interface CandidateWheel {
  readonly from: Exclude<WheelSource, 'index'>;
  readonly name?: string;
  readonly version?: string;
  readonly filename: string;
  /** Text of its METADATA; null if `depends` replaces it, or it cannot be read. */
  readonly metadata: string | null;
  /** Names of projects; null if METADATA has them. */
  readonly depends: readonly string[] | null;
  /** A shared library, whose file name is not that of a wheel. */
  readonly tagless?: boolean;
}

/** A file of a project in the index. */
export interface ListedFile {
  readonly filename: string;
  readonly requiresPython: string | null;
  readonly yanked: boolean;
}

/** Everything known so far. The page repeats the request with more, until the resolver needs nothing else. */
export interface ResolveRequest {
  /** Platform tags, most preferred first. */
  readonly platforms: readonly string[];
  /** Files that declare packages, with their full text. */
  readonly sources: readonly { readonly file: string; readonly text: string }[];
  readonly wheels: readonly CandidateWheel[];
  /** Files of the index by project; null if it has no such project, absent if not requested yet. */
  readonly projects: Readonly<Record<string, readonly ListedFile[] | null>>;
  /** Projects whose listing could not be loaded, and why. */
  readonly unreachable: Readonly<Record<string, string>>;
  /** METADATA of files in the index, by file name. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Files whose METADATA could not be loaded, and why. */
  readonly badMetadata: Readonly<Record<string, string>>;
  /** Whether the distribution and the index may be used. */
  readonly mayFetch: boolean;
}

export type ResolvedWheel = Accepted<typeof resolvedWheel>;
export type Resolution = Accepted<typeof resolved>;
/** A requirement that a file declares. */
export type Wanted = Resolution['wanted'][number];
export type ResolveAnswer = Accepted<typeof resolution>;
