/** Requests to the sandbox about packages: wheels to install, and packages to resolve (workers/python/resolver). */

import type { Problem } from '../spec/problem.ts';
import type { Wheel, WheelSource } from '../spec/wheel.ts';

/** Installs wheels, before any file of the folder is there. Answered once by `done`. */
export interface InstallRequest {
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

/** The information that the resolver needs before it can continue. */
export interface ResolveNeed {
  readonly need: { readonly projects: readonly string[]; readonly metadata: readonly string[] };
}

export interface ResolvedWheel {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly from: WheelSource;
  /** SHA-256 hashes in hexadecimal that the requirements allow; empty if any file is allowed. */
  readonly hashes: readonly string[];
  /** Files that need it, directly or indirectly. */
  readonly neededBy: readonly string[];
}

/** A requirement that a file declares. */
export interface Wanted {
  readonly file: string;
  readonly requirement: string;
}

export interface Resolution {
  readonly wheels: readonly ResolvedWheel[];
  /** Problems of files; a file with an error cannot be imported. */
  readonly problems: readonly Problem[];
  /** Requirements that are unmet only because nothing may be fetched. */
  readonly wanted: readonly Wanted[];
}

export type ResolveAnswer = ResolveNeed | Resolution;
