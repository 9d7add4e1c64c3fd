/** Gets a folder's packages ready: what it declares becomes wheels that each of its interpreters is given. */

import type { FolderSnapshot } from '../spec/folder.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { Problem } from '../spec/problem.ts';
import type { Wheel, WheelSource } from '../spec/wheel.ts';
import type { CandidateWheel, ResolvedWheel, Wanted } from '../protocol/packages.ts';
import { requirementsFile, type Declared } from './declared.ts';
import { PackageFault } from './fault.ts';
import { eachOf, resolve, type Resolved, type ResolveDeps } from './resolve.ts';
import { parseLock, type Lock, type LockedWheel, type PackageStore } from './store.ts';
import { wheelContent, type WheelContentDeps, type WantedWheel } from './wheel-content.ts';

/** What the person is told while they wait. */
export interface PackageStep {
  readonly message: string;
  readonly done: number;
  readonly total: number;
}

export interface PrepareDeps
  extends Omit<WheelContentDeps, 'store'>, Omit<ResolveDeps, 'ask' | 'candidates' | 'onStep'> {
  readonly store: PackageStore;
  /** By which the lock of this folder is found again. */
  readonly lockKey: string;
  /** Newer versions are looked for; what is locked holds where none can be had. */
  readonly anew: boolean;
  /** Wheels at hand and what the distribution has; read when nothing is locked. */
  readonly candidates: () => Promise<readonly Candidate[]>;
  /** Starts the resolver. @throws {ToolError} */
  readonly openResolver: (
    signal: AbortSignal,
  ) => Promise<{ readonly ask: ResolveDeps['ask']; dispose(): void }>;
  /** Whether a wheel can be unpacked. @throws {PackageFault} and the signal's reason */
  readonly check: (signal: AbortSignal, content: Blob, filename: string) => Promise<void>;
  readonly now: () => number;
  readonly onStep: (step: PackageStep) => void;
}

/** A wheel that need not be asked of the index, and where it is. */
export interface Candidate extends CandidateWheel {
  readonly url: string;
  /** Null where it lies in the folder. */
  readonly sha256: string | null;
}

export interface PreparedPackages {
  readonly wheels: readonly Wheel[];
  /** What is installed, for the person. */
  readonly installed: readonly LockedWheel[];
  /** A tool file with an error among these is not imported. */
  readonly problems: readonly Problem[];
  /** What was not fetched for want of permission. */
  readonly wanted: readonly Wanted[];
}

/** @throws the signal's reason; nothing else: what fails is told as problems */
export async function preparePackages(
  signal: AbortSignal,
  folder: FolderSnapshot,
  declared: Declared,
  deps: PrepareDeps,
): Promise<PreparedPackages> {
  const lock = parseLock(await deps.store.lock(deps.lockKey).catch(() => null));
  if (lock !== null && !deps.anew)
    return gathered(signal, folder, lock.wheels, lock.warnings, deps);
  const prepared = await resolvedNow(signal, folder, declared, deps).catch((thrown: unknown) => {
    signal.throwIfAborted();
    const problems = declared.sources.map(({ file }) => notResolved(file, thrown));
    return { wheels: [], installed: [], problems, wanted: [] };
  });
  if (isWhole(prepared)) keep(prepared, deps);
  else if (lock !== null) {
    const reported = [...lock.warnings, ...prepared.problems.filter(isError).map(notRenewed)];
    const before = await gathered(signal, folder, lock.wheels, reported, deps);
    if (isWhole(before)) return before;
  }
  return prepared;
}

async function resolvedNow(
  signal: AbortSignal,
  folder: FolderSnapshot,
  declared: Declared,
  deps: PrepareDeps,
): Promise<PreparedPackages> {
  const candidates = await deps.candidates();
  const first = await resolvedWith(signal, folder, declared, deps, candidates);
  if (!first.missing.has('distribution')) return first;
  // Where the distribution cannot be reached, the index may have what it has.
  const others = candidates.filter(({ from }) => from !== 'distribution');
  const second = await resolvedWith(signal, folder, declared, deps, others);
  return { ...second, problems: second.problems.map((problem) => nearer(problem, first.problems)) };
}

/** That only the distribution has a package is no news where the distribution cannot be reached: that is. */
function nearer(problem: Problem, before: readonly Problem[]): Problem {
  const known = before.find(({ severity, file }) => severity === 'error' && file === problem.file);
  return known?.code === 'package-unreachable' && beyondIndex.has(problem.code) ? known : problem;
}

const beyondIndex = new Set(['package-no-wheel', 'package-not-found', 'package-conflict']);

/** Resolves, and fetches what was chosen, from these candidates and the index. */
async function resolvedWith(
  signal: AbortSignal,
  folder: FolderSnapshot,
  declared: Declared,
  deps: PrepareDeps,
  candidates: readonly Candidate[],
): Promise<Gathered> {
  const { resolution, files } = await asked(signal, declared, deps, candidates);
  const { wheels, problems, wanted } = resolution;
  const chosen = wheels.map((wheel) => locked(wheel, candidates, files));
  return { ...(await gathered(signal, folder, chosen, problems, deps)), wanted };
}

function isWhole({ problems }: PreparedPackages): boolean {
  return !problems.some(isError);
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

/** What keeps newer versions away is no reason to be without those that are there. */
function notRenewed(problem: Problem): Problem {
  const message = `Could not update packages. The installed ones are used: ${problem.message}`;
  const hint = 'To try again, press “Check for newer versions” on the Policy page.';
  return { ...problem, severity: 'warning', message, hint };
}

async function asked(
  signal: AbortSignal,
  declared: Declared,
  deps: PrepareDeps,
  candidates: readonly Candidate[],
): Promise<Resolved> {
  const step = (message: string): void => {
    deps.onStep({ message, done: 0, total: 0 });
  };
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

/** A wheel that was chosen, with where it is and what hash it has to have. */
function locked(
  { name, version, filename, from, hashes, neededBy }: ResolvedWheel,
  candidates: readonly Candidate[],
  files: Resolved['files'],
): Chosen {
  const place =
    from === 'index'
      ? files.get(filename)
      : candidates.find((one) => one.from === from && one.filename === filename);
  const sha256 = place?.sha256 ?? (hashes.length === 1 ? (hashes[0] ?? null) : null);
  // What the makers of this site and of Pyodide's distribution have listed is sound.
  const isForeign = from === 'folder' || from === 'index';
  const url = place?.url ?? '';
  return { name, version, filename, from, neededBy, hashes, isForeign, url, sha256 };
}

interface Chosen extends WantedWheel, Pick<LockedWheel, 'name' | 'version' | 'neededBy'> {
  /** One of which it has to have, where there are any. */
  readonly hashes?: readonly string[];
  /** To be looked into; what is locked was, before it was. */
  readonly isForeign?: boolean;
}

/** All the wheels that can be had; of the others it is told beside the files that need them. */
async function gathered(
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
  const gather = async (wheel: Chosen): Promise<void> => {
    const { filename, from, hashes = [] } = wheel;
    const tell = (message: string): void => {
      deps.onStep({ message, done, total: chosen.length });
    };
    try {
      const file = inFolder.get(`wheels/${filename}`);
      const { content, sha256 } = await wheelContent(signal, deps, wheel, file, (received) => {
        tell(`Downloading ${filename}: ${(received / 1_000_000).toFixed(1)} MB`);
      });
      if (hashes.length > 0 && !hashes.includes(sha256)) throw otherHash(filename);
      if (wheel.isForeign === true) await deps.check(signal, content, filename);
      const { name, version, url, neededBy } = wheel;
      const target = filename.endsWith('.whl') ? 'site' : 'dynlib';
      const bytes = content.size;
      found.set(filename, {
        wheel: { filename, target, content },
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
    tell(filename);
  };
  await eachOf(chosen, gather);
  const failing = new Map<string, Problem>();
  for (const { filename } of chosen) {
    const missing = faults.get(filename);
    for (const file of missing?.wheel.neededBy ?? [])
      if (missing && !failing.has(file)) failing.set(file, notHad(file, missing));
  }
  const usable = chosen.flatMap(({ filename, neededBy }) => {
    const one = found.get(filename);
    // Half of what a file needs would fail later, and say less; the lines of requirements.txt are for many files.
    const isOfUse = neededBy.some((file) => file === requirementsFile || !failing.has(file));
    return one && isOfUse ? [one] : [];
  });
  usable.sort((a, b) => Number(b.wheel.target === 'dynlib') - Number(a.wheel.target === 'dynlib'));
  const problems = [...reported.filter(({ file }) => !failing.has(file)), ...failing.values()];
  return {
    wheels: usable.map(({ wheel }) => wheel),
    installed: usable.map((one) => one.locked),
    problems,
    wanted: [],
    missing: new Set(Array.from(faults.values(), ({ wheel }) => wheel.from)),
  };
}

interface Gathered extends PreparedPackages {
  /** Where wheels should have come from that could not be had. */
  readonly missing: ReadonlySet<WheelSource>;
}

function keep(
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

function notHad(file: string, { fault, wheel }: { fault: PackageFault; wheel: Chosen }): Problem {
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

function notResolved(file: string, thrown: unknown): Problem {
  return {
    severity: 'error',
    code: 'packages-not-resolved',
    file,
    line: 1,
    column: null,
    message: `Could not resolve packages: ${errorText(thrown)}`,
    expected: 'a list of packages that can be resolved',
    hint: (thrown instanceof ToolError ? thrown.hint : undefined) ?? 'Press Refresh to try again.',
  };
}
