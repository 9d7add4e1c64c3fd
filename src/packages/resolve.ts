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

export interface ResolveParts {
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
const mostProjects = 1_000;
/** Requests to the index at once. */
const atOnce = 6;

/** @throws {ToolError} where the resolver fails; and the signal's reason */
export async function resolve(
  signal: AbortSignal,
  { sources }: Declared,
  parts: ResolveParts,
): Promise<Resolved> {
  const files = new Map<string, IndexFile>();
  const projects: Record<string, ListedFile[] | null> = {};
  const unreachable: Record<string, string> = {};
  const metadata: Record<string, string> = {};
  const badMetadata: Record<string, string> = {};
  const learn = async (project: string): Promise<void> => {
    parts.onStep(`Asking the package index about ${project}`);
    try {
      const listed = await parts.list(signal, project);
      for (const file of listed ?? []) files.set(file.filename, file);
      projects[project] = listed?.map(told) ?? null;
    } catch (thrown) {
      unreachable[project] = whyOf(signal, thrown);
    }
  };
  const read = async (filename: string): Promise<void> => {
    parts.onStep(`Reading what ${filename} depends on`);
    const file = files.get(filename);
    try {
      if (file === undefined) throw new PackageFault('package-broken', 'it is not listed', '');
      metadata[filename] = await parts.metadata(signal, file);
    } catch (thrown) {
      badMetadata[filename] = whyOf(signal, thrown);
    }
  };
  for (let round = 0; round < mostRounds; round += 1) {
    const { platforms, candidates: wheels, mayFetch } = parts;
    const known = { projects, unreachable, metadata, badMetadata };
    const answer = await parts.ask(signal, { platforms, sources, wheels, mayFetch, ...known });
    if (!('need' in answer)) return { resolution: answer, files };
    const { need } = answer;
    const isNew = need.projects.some((name) => !(name in projects) && !(name in unreachable));
    const isUnread = need.metadata.some((name) => !(name in metadata) && !(name in badMetadata));
    // It must not go round in circles, whatever it asks for.
    if (!isNew && !isUnread) break;
    if (Object.keys(projects).length > mostProjects) break;
    await eachOf(need.projects, learn);
    await eachOf(need.metadata, read);
  }
  throw new ToolError(
    'limit',
    'Which packages fit was not found out: too many had to be looked at.',
    'Name versions more exactly, as in requests>=2.31,<3.',
  );
}

function told({ filename, requiresPython, yanked }: IndexFile): ListedFile {
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
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
