/** Stores packages between visits: wheels, resolutions, and listings of indexes. */

import { isRecord, isStrings } from '../spec/guards.ts';
import type { Problem } from '../spec/folder.ts';
import type { WheelSource } from '../spec/wheel.ts';

export interface LockedWheel {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly from: WheelSource;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Address that it was downloaded from; empty if it was not downloaded. */
  readonly url: string;
  /** Files of the folder that need it. */
  readonly neededBy: readonly string[];
}

/** A resolution without errors. It is used until the declarations change. */
export interface Lock {
  readonly version: 1;
  readonly wheels: readonly LockedWheel[];
  /** Problems of the resolution, none of them errors. */
  readonly warnings: readonly Problem[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface PackageStore {
  /** Returns content by its hash; null if it is missing or damaged. */
  wheel(sha256: string): Promise<Blob | null>;
  keepWheel(sha256: string, content: Blob): Promise<void>;
  /** Returns the hash of packages that were compiled together, whose content is stored like a wheel; not validated. */
  compiled(key: string): Promise<unknown>;
  keepCompiled(key: string, sha256: string): Promise<void>;
  /** Returns a lock, which is not validated: another version of the app may have written it. */
  lock(key: string): Promise<unknown>;
  keepLock(key: string, lock: Lock): Promise<void>;
  /** Returns the listing of an index that was stored last, which is not validated. */
  listing(address: string): Promise<unknown>;
  keepListing(address: string, listing: { text: string; type: string }): Promise<void>;
}

/** Returns null for anything that is not a valid lock. */
export function parseLock(value: unknown): Lock | null {
  if (!isRecord(value) || value.version !== 1 || typeof value.at !== 'number') return null;
  if (!Array.isArray(value.wheels) || !value.wheels.every(isLockedWheel)) return null;
  if (!Array.isArray(value.warnings) || !value.warnings.every(isWarning)) return null;
  return { version: 1, wheels: value.wheels, warnings: value.warnings, at: value.at };
}

const sources: ReadonlySet<unknown> = new Set<WheelSource>([
  'folder',
  'site',
  'distribution',
  'index',
]);

function isLockedWheel(value: unknown): value is LockedWheel {
  if (!isRecord(value)) return false;
  const { name, version, filename, from, sha256, bytes, url, neededBy } = value;
  return (
    [name, version, filename, url].every((text) => typeof text === 'string') &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    sources.has(from) &&
    typeof bytes === 'number' &&
    isStrings(neededBy)
  );
}

function isWarning(value: unknown): value is Problem {
  if (!isRecord(value) || value.severity !== 'warning') return false;
  const { code, file, line, column, message, expected, hint } = value;
  return (
    [code, file, message, expected, hint].every((text) => typeof text === 'string') &&
    [line, column].every((place) => place === null || typeof place === 'number')
  );
}
