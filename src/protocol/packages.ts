/** What crosses into the sandbox about packages: wheels to install, and questions to the resolver (workers/python/resolver). */

import type { Problem } from '../spec/problem.ts';
import type { Wheel, WheelSource } from '../spec/wheel.ts';

/** Puts wheels among Python's own packages, before anything of a folder is there. Answered once by `done`. */
export interface InstallRequest {
  readonly wheels: readonly Wheel[];
}

/** A wheel that is at hand, or that the lock file of Pyodide's distribution names. */
export interface CandidateWheel {
  readonly from: Exclude<WheelSource, 'index'>;
  readonly name?: string;
  readonly version?: string;
  readonly filename: string;
  /** The text of its METADATA; null where `depends` tells, or it cannot be read. */
  readonly metadata: string | null;
  /** Names of projects. */
  readonly depends: readonly string[] | null;
  /** A shared library: its file name is no wheel’s. */
  readonly tagless?: boolean;
}

/** A file that an index lists. */
export interface ListedFile {
  readonly filename: string;
  readonly requiresPython: string | null;
  readonly yanked: boolean;
}

/** All that is known so far; asked again with more of it until nothing is missing. */
export interface ResolveRequest {
  /** Tags of the platform, best first. */
  readonly platforms: readonly string[];
  /** Files that declare packages, with their whole text. */
  readonly sources: readonly { readonly file: string; readonly text: string }[];
  readonly wheels: readonly CandidateWheel[];
  /** What the index lists; null: it has no such project. Absent: not asked for yet. */
  readonly projects: Readonly<Record<string, readonly ListedFile[] | null>>;
  /** Projects whose listing could not be had, and why. */
  readonly unreachable: Readonly<Record<string, string>>;
  /** METADATA of files of the index. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Files whose METADATA could not be had, and why. */
  readonly badMetadata: Readonly<Record<string, string>>;
  /** The distribution and the index may be used. */
  readonly mayFetch: boolean;
}

/** What the resolver wants to know first. */
export interface ResolveNeed {
  readonly need: { readonly projects: readonly string[]; readonly metadata: readonly string[] };
}

export interface ResolvedWheel {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly from: WheelSource;
  /** SHA-256 in hexadecimal, as the requirements demand; one of them, where there are any. */
  readonly hashes: readonly string[];
  /** Files that need it, directly or not. */
  readonly neededBy: readonly string[];
}

/** A requirement of one file. */
export interface Wanted {
  readonly file: string;
  readonly requirement: string;
}

export interface Resolution {
  readonly wheels: readonly ResolvedWheel[];
  /** A file with an error among them cannot be imported. */
  readonly problems: readonly Problem[];
  /** What could not be had for want of permission alone. */
  readonly wanted: readonly Wanted[];
}

export type ResolveAnswer = ResolveNeed | Resolution;
