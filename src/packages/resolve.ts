/** Finds the wheels that satisfy what a folder declares: the resolver is asked, told what it needs to know, and asked again. */

import type {
  CandidateWheel,
  ListedFile,
  Resolution,
  ResolveAnswer,
  ResolveRequest,
} from '../protocol/packages.ts';
import { ToolError } from '../spec/error.ts';
import type { Declared } from './declared.ts';
import { PackageFault } from './fault.ts';
import type { IndexFile } from './simple-index.ts';

export interface ResolveDeps {
  /** Asks the resolver. @throws {ToolError} */
  readonly ask: (signal: AbortSignal, request: ResolveRequest) => Promise<ResolveAnswer>;
  readonly platforms: readonly string[];
  /** Wheels at hand, and what the distribution has. */
  readonly candidates: readonly CandidateWheel[];
  readonly mayFetch: boolean;
  /** Null: the index has no such project. @throws {PackageFault} and the signal's reason */
  readonly list: (signal: AbortSignal, project: string) => Promise<IndexFile[] | null>;
  /** METADATA of a file of the index. @throws {PackageFault} and the signal's reason */
  readonly metadata: (signal: AbortSignal, file: IndexFile) => Promise<string>;
  readonly onStep: (message: string) => void;
}

export interface Resolved {
  readonly resolution: Resolution;
  /** What the index says of its files, by file name. */
  readonly files: ReadonlyMap<string, IndexFile>;
}

const mostRounds = 200;
/** Projects and METADATA of files; the resolver gives up before. */
const mostAsked = 3_000;
/** Requests to the index at once. */
const atOnce = 6;

/** @throws {ToolError} where the resolver fails; and the signal's reason */
export async function resolve(
  signal: AbortSignal,
  { sources }: Declared,
  deps: ResolveDeps,
): Promise<Resolved> {
  const files = new Map<string, IndexFile>();
  // Names may be anything, also one that every object has, such as constructor.
  const projects = new Map<string, ListedFile[] | null>();
  const unreachable = new Map<string, string>();
  const metadata = new Map<string, string>();
  const badMetadata = new Map<string, string>();
  const learn = async (project: string): Promise<void> => {
    deps.onStep(`Asking the package index about ${project}`);
    try {
      const listed = await deps.list(signal, project);
      for (const file of listed ?? []) if (isOf(file, project)) files.set(file.filename, file);
      projects.set(project, listed?.map(reported) ?? null);
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
  for (let round = 0; round < mostRounds; round += 1) {
    const { platforms, candidates: wheels, mayFetch } = deps;
    const known = {
      projects: Object.fromEntries(projects),
      unreachable: Object.fromEntries(unreachable),
      metadata: Object.fromEntries(metadata),
      badMetadata: Object.fromEntries(badMetadata),
    };
    const answer = await deps.ask(signal, { platforms, sources, wheels, mayFetch, ...known });
    if (!('need' in answer)) return { resolution: answer, files };
    const unlisted = unknown(answer.need.projects, projects, unreachable);
    const unread = unknown(answer.need.metadata, metadata, badMetadata);
    asked += unlisted.length + unread.length;
    // It must not go round in circles, nor ask where it may not, whatever it says.
    if (!mayFetch || unlisted.length + unread.length === 0 || asked > mostAsked) break;
    await eachOf(unlisted, learn);
    await eachOf(unread, read);
  }
  throw new ToolError(
    'limit',
    'Resolving needed too many packages.',
    'Specify versions more narrowly, for example requests>=2.31,<3.',
  );
}

/** Those that nothing is known of yet, each once. */
function unknown(
  names: readonly string[],
  ...known: readonly ReadonlyMap<string, unknown>[]
): string[] {
  return [...new Set(names)].filter((name) => !known.some((map) => map.has(name)));
}

/** What is listed of one project says nothing of the wheels of another. */
function isOf({ filename }: IndexFile, project: string): boolean {
  const [name = ''] = filename.split('-', 1);
  return name.replace(/[-_.]+/g, '-').toLowerCase() === project;
}

function reported({ filename, requiresPython, yanked }: IndexFile): ListedFile {
  return { filename, requiresPython, yanked };
}

function whyOf(signal: AbortSignal, thrown: unknown): string {
  signal.throwIfAborted();
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Some at a time. */
export async function eachOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const runNext = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
}
