/**
 * Finds the wheels that satisfy a folder's declarations. Asks the resolver, gets the information that it
 * needs, and asks again.
 */

import type {
  CandidateWheel,
  ListedFile,
  Resolution,
  ResolveAnswer,
  ResolveRequest,
} from '../protocol/packages.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { Declared } from './declared.ts';
import { PackageFault } from '../spec/wheel.ts';
import type { IndexFile } from './index-listing.ts';

export interface ResolveDeps {
  /** Asks the resolver. @throws {ToolError} */
  readonly ask: (signal: AbortSignal, request: ResolveRequest) => Promise<ResolveAnswer>;
  readonly platforms: readonly string[];
  /** Wheels that need no index: of the folder, the site and the distribution. */
  readonly candidates: readonly CandidateWheel[];
  readonly mayFetch: boolean;
  /** Lists a project; null if the index does not have it. @throws {PackageFault} and the signal's reason */
  readonly list: (signal: AbortSignal, project: string) => Promise<IndexFile[] | null>;
  /** Returns the METADATA of a file in the index. @throws {PackageFault} and the signal's reason */
  readonly metadata: (signal: AbortSignal, file: IndexFile) => Promise<string>;
  readonly onStep: (message: string) => void;
}

export interface Resolved {
  readonly resolution: Resolution;
  readonly files: ReadonlyMap<string, IndexFile>;
}

const maxRounds = 200;
/** Limit for the number of projects and METADATA files. The resolver normally gives up earlier. */
const maxAsked = 3_000;
/** Number of requests to the index that run at once. */
const atOnce = 6;

/** @throws {ToolError} if the resolver fails, and the signal's reason */
export async function resolve(
  signal: AbortSignal,
  { sources }: Declared,
  deps: ResolveDeps,
): Promise<Resolved> {
  const files = new Map<string, IndexFile>();
  // A Map, because a name may be that of an object's built-in property, such as constructor.
  const projects = new Map<string, ListedFile[] | null>();
  const unreachable = new Map<string, string>();
  const metadata = new Map<string, string>();
  const badMetadata = new Map<string, string>();
  const askIndex = async (project: string): Promise<void> => {
    deps.onStep(`Asking the package index about ${project}`);
    try {
      const listed = await deps.list(signal, project);
      for (const file of listed ?? []) if (isOf(file, project)) files.set(file.filename, file);
      projects.set(project, listed?.map(toListedFile) ?? null);
    } catch (thrown) {
      unreachable.set(project, whyOf(signal, thrown));
    }
  };
  const read = async (filename: string): Promise<void> => {
    deps.onStep(`Reading what ${filename} depends on`);
    const file = files.get(filename);
    try {
      if (file === undefined) throw new PackageFault('package-broken', 'it is not listed', '');
      metadata.set(filename, await deps.metadata(signal, file));
    } catch (thrown) {
      badMetadata.set(filename, whyOf(signal, thrown));
    }
  };
  let asked = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    const { platforms, candidates: wheels, mayFetch } = deps;
    const known = {
      projects: Object.fromEntries(projects),
      unreachable: Object.fromEntries(unreachable),
      metadata: Object.fromEntries(metadata),
      badMetadata: Object.fromEntries(badMetadata),
    };
    const answer = await deps.ask(signal, { platforms, sources, wheels, mayFetch, ...known });
    if (!('need' in answer)) return { resolution: answer, files };
    const unlisted = unknownNames(answer.need.projects, projects, unreachable);
    const unread = unknownNames(answer.need.metadata, metadata, badMetadata);
    asked += unlisted.length + unread.length;
    // The resolver is not trusted: stop if it repeats itself, asks without permission, or asks for too much.
    if (!mayFetch || unlisted.length + unread.length === 0 || asked > maxAsked) break;
    await forEachOf(unlisted, askIndex);
    await forEachOf(unread, read);
  }
  throw new ToolError(
    'limit',
    'Resolving needed too many packages.',
    'Specify versions more narrowly, for example requests>=2.31,<3.',
  );
}

/** Returns the names that are not known yet, each once. */
function unknownNames(
  names: readonly string[],
  ...known: readonly ReadonlyMap<string, unknown>[]
): string[] {
  return [...new Set(names)].filter((name) => !known.some((map) => map.has(name)));
}

/** Ignores files of other projects in a project's listing. */
function isOf({ filename }: IndexFile, project: string): boolean {
  const [name = ''] = filename.split('-', 1);
  return name.replace(/[-_.]+/g, '-').toLowerCase() === project;
}

function toListedFile({ filename, requiresPython, yanked }: IndexFile): ListedFile {
  return { filename, requiresPython, yanked };
}

function whyOf(signal: AbortSignal, thrown: unknown): string {
  signal.throwIfAborted();
  return errorText(thrown);
}

/** Runs the work for all items, `atOnce` at a time. */
export async function forEachOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const runNext = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
}
