/**
 * Prepares a folder's packages: resolves what it declares into wheels that are installed in each of its interpreters. The
 * chosen wheels with their hashes are stored as a lock, so that the next opening resolves nothing. The distribution is
 * Pyodide's own collection of packages; all others come from the folder, this site or a package index.
 */

import type { FolderSnapshot, Problem } from '../spec/folder.ts';
import { errorText, hintOf } from '../spec/error.ts';
import { isPure, PackageFault, type Wheel, type WheelSource } from '../spec/wheel.ts';
import type { CandidateWheel, ResolvedWheel, Wanted } from '../protocol/packages.ts';
import { requirementsFile, type Declared } from './declared.ts';
import { forEachOf, resolve, type Resolved, type ResolveDeps } from './resolve.ts';
import { parseLock, type Lock, type LockedWheel, type PackageStore } from './store.ts';
import { wheelContent, type WheelContentDeps, type WantedWheel } from './wheel-content.ts';

/** Progress to show to the user. */
export interface PackageStep {
  readonly message: string;
  readonly done: number;
  readonly total: number;
}

export interface PrepareDeps
  extends Omit<WheelContentDeps, 'store'>, Omit<ResolveDeps, 'ask' | 'candidates' | 'onStep'> {
  readonly store: PackageStore;
  /** Key under which the folder's lock is stored. */
  readonly lockKey: string;
  /** Whether to look for newer versions. If that fails, the lock stays in use. */
  readonly anew: boolean;
  /**
   * Returns wheels that need no index: of the folder, the site and the distribution. Called only if nothing is locked.
   */
  readonly candidates: () => Promise<readonly Candidate[]>;
  /** Starts the resolver. @throws {ToolError} */
  readonly openResolver: (
    signal: AbortSignal,
  ) => Promise<{ readonly ask: ResolveDeps['ask']; dispose(): void }>;
  /** Checks that a wheel can be unpacked. @throws {PackageFault} and the signal's reason */
  readonly check: (signal: AbortSignal, content: Blob, filename: string) => Promise<void>;
  readonly now: () => number;
  readonly onStep: (step: PackageStep) => void;
}

/** A wheel that need not be looked up in the index, and its location. */
export interface Candidate extends CandidateWheel {
  readonly url: string;
  /** Null for a wheel in the folder. */
  readonly sha256: string | null;
}

export interface PreparedPackages {
  readonly wheels: readonly Wheel[];
  /** The installed packages, to show to the user. */
  readonly installed: readonly LockedWheel[];
  /** A tool file with an error among these is not imported. */
  readonly problems: readonly Problem[];
  /** Packages that were not downloaded because the user has not allowed it. */
  readonly wanted: readonly Wanted[];
}

/** Prepares packages; failures are returned as problems. @throws only the signal's reason */
export async function preparePackages(
  signal: AbortSignal,
  folder: FolderSnapshot,
  declared: Declared,
  deps: PrepareDeps,
): Promise<PreparedPackages> {
  const lock = parseLock(await deps.store.lock(deps.lockKey).catch(() => null));
  if (lock !== null && !deps.anew)
    return gatherWheels(signal, folder, lock.wheels, lock.warnings, deps);
  const prepared = await resolvePackages(signal, folder, declared, deps).catch(
    (thrown: unknown) => {
      signal.throwIfAborted();
      const problems = declared.sources.map(({ file }) => unresolvedProblem(file, thrown));
      return { wheels: [], installed: [], problems, wanted: [] };
    },
  );
  if (isWhole(prepared)) storeLock(prepared, deps);
  else if (lock !== null) {
    const reported = [...lock.warnings, ...prepared.problems.filter(isError).map(renewalWarning)];
    const before = await gatherWheels(signal, folder, lock.wheels, reported, deps);
    if (isWhole(before)) return before;
  }
  return prepared;
}

async function resolvePackages(
  signal: AbortSignal,
  folder: FolderSnapshot,
  declared: Declared,
  deps: PrepareDeps,
): Promise<PreparedPackages> {
  const candidates = await deps.candidates();
  const first = await resolveWith(signal, folder, declared, deps, candidates);
  if (!first.missing.has('distribution')) return first;
  // If the distribution cannot be reached, the index may have the same packages.
  const others = candidates.filter(({ from }) => from !== 'distribution');
  const second = await resolveWith(signal, folder, declared, deps, others);
  return {
    ...second,
    problems: second.problems.map((problem) => preferUnreachable(problem, first.problems)),
  };
}

/** Prefers the problem that the distribution is unreachable to the one that only the distribution has the package. */
function preferUnreachable(problem: Problem, before: readonly Problem[]): Problem {
  const known = before.find(({ severity, file }) => severity === 'error' && file === problem.file);
  return known?.code === 'package-unreachable' && beyondIndex.has(problem.code) ? known : problem;
}

/** Codes of problems with packages that the index does not have in a usable form. */
const beyondIndex = new Set(['package-no-wheel', 'package-not-found', 'package-conflict']);

/** Resolves with these candidates and the index, and gets the chosen wheels. */
async function resolveWith(
  signal: AbortSignal,
  folder: FolderSnapshot,
  declared: Declared,
  deps: PrepareDeps,
  candidates: readonly Candidate[],
): Promise<Gathered> {
  const { resolution, files } = await runResolver(signal, declared, deps, candidates);
  const { wheels, problems, wanted } = resolution;
  const chosen = wheels.map((wheel) => chosenWheel(wheel, candidates, files));
  return { ...(await gatherWheels(signal, folder, chosen, problems, deps)), wanted };
}

/** Whether everything that the folder declares is there. */
function isWhole({ problems }: PreparedPackages): boolean {
  return !problems.some(isError);
}

export function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

/** Turns an error of looking for newer versions into a warning, since the existing versions still work. */
function renewalWarning(problem: Problem): Problem {
  const message = `Could not update packages. The installed ones are used: ${problem.message}`;
  const hint = 'To try again, press “Check for newer versions” on the Policy page.';
  return { ...problem, severity: 'warning', message, hint };
}

async function runResolver(
  signal: AbortSignal,
  declared: Declared,
  deps: PrepareDeps,
  candidates: readonly Candidate[],
): Promise<Resolved> {
  const step = (message: string): void => deps.onStep({ message, done: 0, total: 0 });
  step('Resolving packages');
  const resolver = await deps.openResolver(signal);
  try {
    const { ask } = resolver;
    const reported = candidates.map(({ url: _, sha256: __, ...wheel }) => wheel);
    return await resolve(signal, declared, { ...deps, ask, candidates: reported, onStep: step });
  } finally {
    resolver.dispose();
  }
}

/** Combines a chosen wheel with its location and expected hash. */
function chosenWheel(
  { name, version, filename, from, hashes, neededBy }: ResolvedWheel,
  candidates: readonly Candidate[],
  files: Resolved['files'],
): Chosen {
  const place =
    from === 'index'
      ? files.get(filename)
      : candidates.find((one) => one.from === from && one.filename === filename);
  // If the source gives no hash, it is the one of requirements.txt. With several of these, it is found when the wheel is loaded.
  const sha256 = place?.sha256 ?? (hashes.length === 1 ? (hashes[0] ?? null) : null);
  // The wheels of this site and of Pyodide's distribution need no check.
  const isForeign = from === 'folder' || from === 'index';
  const url = place?.url ?? '';
  return { name, version, filename, from, neededBy, hashes, isForeign, url, sha256 };
}

interface Chosen extends WantedWheel, Pick<LockedWheel, 'name' | 'version' | 'neededBy'> {
  /** The wheel must have one of these hashes, if there are any. */
  readonly hashes?: readonly string[];
  /** Whether the content must be checked. Wheels of a lock were checked before it was stored. */
  readonly isForeign?: boolean;
}

/** Gets all available wheels, and creates problems for the files that need the others. */
async function gatherWheels(
  signal: AbortSignal,
  folder: FolderSnapshot,
  chosen: readonly Chosen[],
  reported: readonly Problem[],
  deps: PrepareDeps,
): Promise<Gathered> {
  const inFolder = new Map(folder.files.map((file) => [file.path, file]));
  const found = new Map<string, { wheel: Wheel; locked: LockedWheel }>();
  const faults = new Map<string, { fault: PackageFault; wheel: Chosen }>();
  let done = 0;
  const load = async (wheel: Chosen): Promise<void> => {
    const { filename, from, hashes = [] } = wheel;
    const report = (message: string): void => deps.onStep({ message, done, total: chosen.length });
    try {
      const file = inFolder.get(`wheels/${filename}`);
      const { content, sha256 } = await wheelContent(signal, deps, wheel, file, (received) => {
        report(`Downloading ${filename}: ${(received / 1_000_000).toFixed(1)} MB`);
      });
      if (hashes.length > 0 && !hashes.includes(sha256)) throw otherHash(filename);
      if (wheel.isForeign === true) await deps.check(signal, content, filename);
      const { name, version, url, neededBy } = wheel;
      const target = filename.endsWith('.whl') ? 'site' : 'dynlib';
      const bytes = content.size;
      found.set(filename, {
        wheel: { filename, target, content, sha256 },
        locked: { name, version, filename, from, sha256, bytes, url, neededBy },
      });
    } catch (thrown) {
      signal.throwIfAborted();
      const fault =
        thrown instanceof PackageFault
          ? thrown
          : new PackageFault('package-broken', errorText(thrown), 'Press Refresh to try again.');
      faults.set(filename, { fault, wheel });
    }
    done += 1;
    report(filename);
  };
  await forEachOf(chosen, load);
  const failing = new Map<string, Problem>();
  for (const { filename } of chosen) {
    const missing = faults.get(filename);
    for (const file of missing?.wheel.neededBy ?? [])
      if (missing && !failing.has(file)) failing.set(file, missingProblem(file, missing));
  }
  const usable = chosen.flatMap(({ filename, neededBy }) => {
    const one = found.get(filename);
    // A file with only some of its packages would fail later, with a worse message. Lines of requirements.txt
    // are needed by many files, so their packages are installed anyway.
    const isUsable = neededBy.some((file) => file === requirementsFile || !failing.has(file));
    return one && isUsable ? [one] : [];
  });
  usable.sort((a, b) => installOrder(a.wheel) - installOrder(b.wheel));
  const problems = [...reported.filter(({ file }) => !failing.has(file)), ...failing.values()];
  return {
    wheels: usable.map(({ wheel }) => wheel),
    installed: usable.map((one) => one.locked),
    problems,
    wanted: [],
    missing: new Set(Array.from(faults.values(), ({ wheel }) => wheel.from)),
  };
}

/**
 * Returns the place of a wheel in the order of installation. Libraries come first, because packages are linked with them. Pure
 * packages follow in one block, because they may be written together.
 */
function installOrder(wheel: Wheel): number {
  if (wheel.target === 'dynlib') return 0;
  return isPure(wheel) ? 1 : 2;
}

interface Gathered extends PreparedPackages {
  /** The sources of wheels that were not available. */
  readonly missing: ReadonlySet<WheelSource>;
}

function storeLock(
  { installed: wheels, problems: warnings }: PreparedPackages,
  { store, lockKey, now, onStorageFailure }: PrepareDeps,
): void {
  const lock: Lock = { version: 1, wheels, warnings, at: now() };
  store.keepLock(lockKey, lock).catch(onStorageFailure);
}

function otherHash(filename: string): PackageFault {
  return new PackageFault(
    'package-integrity',
    `${filename} matches none of the hashes in requirements.txt`,
    'Correct the hash in requirements.txt, or remove --hash from the line.',
  );
}

function missingProblem(
  file: string,
  { fault, wheel }: { fault: PackageFault; wheel: Chosen },
): Problem {
  return {
    severity: 'error',
    code: fault.code,
    file,
    line: 1,
    column: null,
    message: `The package ${wheel.name} ${wheel.version} is missing: ${fault.message}.`,
    expected: 'packages that can be downloaded or are stored in this browser',
    hint: fault.hint,
  };
}

function unresolvedProblem(file: string, thrown: unknown): Problem {
  return {
    severity: 'error',
    code: 'packages-not-resolved',
    file,
    line: 1,
    column: null,
    message: `Could not resolve packages: ${errorText(thrown)}`,
    expected: 'a list of packages that can be resolved',
    hint: hintOf(thrown) ?? 'Press Refresh to try again.',
  };
}
