/** The known tools, each with its origin and the way to run it; no two have one name. */

import { comparePaths } from '../folder/path-rules.ts';
import { createObservers } from '../hooks/observe.ts';
import { createFingerprint } from '../scan/fingerprint.ts';
import type { ScannedFile } from '../scan/scan.ts';
import type { Dispatch, KnownTool, Origin } from '../spec/dispatch.ts';
import { ToolError } from '../spec/error.ts';
import type { Problem } from '../spec/problem.ts';
import type { RegisteredTool } from '../spec/tool.ts';

export type RegistryState = 'none' | 'scanning' | 'ready';

/** What a change of the folder does to the registry. */
export interface RegistryUpdate {
  /** Files read anew, in place of what they were. */
  readonly loaded: readonly ScannedFile[];
  /** Files of which the version before stays: what is wrong with the one on disk. */
  readonly kept: ReadonlyMap<string, { fingerprint: string; problems: readonly Problem[] }>;
  readonly removed: readonly string[];
  /** All problems that belong to no single inspection. */
  readonly folderProblems: readonly Problem[];
}

interface KnownFile {
  readonly fingerprint: string;
  readonly tools: readonly RegisteredTool[];
  readonly problems: readonly Problem[];
}

/** What follows from the known files and registrations; computed anew after a change, when it is asked for. */
interface View {
  readonly tools: ReadonlyMap<string, KnownTool>;
  readonly list: readonly RegisteredTool[];
  readonly problems: readonly Problem[];
  readonly revision: string;
}

export class Registry {
  readonly #observers;
  readonly #files = new Map<string, KnownFile>();
  readonly #folderDispatch: Dispatch;
  /** Those of other origins than the folder. */
  readonly #registered = new Set<KnownTool>();
  #folderProblems: Problem[] = [];
  #state: RegistryState = 'none';
  #folder: string | null = null;
  #view: View | null = null;

  /**
   * @param folderDispatch runs the folder's tools
   * @param report receives what listeners throw
   */
  constructor(folderDispatch: Dispatch, report: (thrown: unknown) => void) {
    this.#folderDispatch = folderDispatch;
    this.#observers = createObservers<undefined>(report);
  }

  get state(): RegistryState {
    return this.#state;
  }

  /** Name of the open folder. */
  get folder(): string | null {
    return this.#folder;
  }

  /** Derived from tools and problems: the same for the same, also after a reload. */
  get revision(): string {
    return this.#current().revision;
  }

  /** Those of the folder as a whole first, then by file and line. */
  get problems(): readonly Problem[] {
    return this.#current().problems;
  }

  /** A tool of any origin, with the way to run it. */
  lookup(name: string): KnownTool | undefined {
    return this.#current().tools.get(name);
  }

  /** A tool of {@link list}. */
  get(name: string): RegisteredTool | undefined {
    const known = this.lookup(name);
    return known?.origin === 'built-in' ? undefined : known?.tool;
  }

  /** Every tool but the built-in ones: the folder's in order of file and place, then the others as they were registered. */
  list(): readonly RegisteredTool[] {
    return this.#current().list;
  }

  /** Tells of every change; whoever listens asks for what it needs. @returns dispose */
  observe(listener: () => void): () => void {
    return this.#observers.observe(listener);
  }

  /** A scan begins: files keep their tools until they have been scanned again. */
  begin(folder: string): void {
    this.#state = 'scanning';
    this.#folder = folder;
    this.#folderProblems = [];
    this.#changed();
  }

  /** Takes the tools and problems of one file in place of those it had. */
  replaceFile(scanned: ScannedFile, now: number): void {
    this.#take(scanned, now);
    this.#changed();
  }

  /** Takes all that follows from one change of the folder, at once. */
  update({ loaded, kept, removed, folderProblems }: RegistryUpdate, now: number): void {
    for (const file of removed) this.#files.delete(file);
    for (const scanned of loaded) this.#take(scanned, now);
    for (const [file, { fingerprint, problems }] of kept) {
      const before = this.#files.get(file)?.tools ?? [];
      const tools = before.map((tool) => ({ ...tool, state: 'last-good' as const }));
      this.#files.set(file, { fingerprint, tools, problems });
    }
    this.#folderProblems = [...folderProblems];
    this.#changed();
  }

  /** Since when the version of a file is in use; undefined where it has no tools. */
  loadedAt(file: string): number | undefined {
    return this.#files.get(file)?.tools[0]?.loadedAt;
  }

  /** Forgets every file but these. */
  keepFiles(files: ReadonlySet<string>): void {
    for (const file of this.#files.keys()) if (!files.has(file)) this.#files.delete(file);
    this.#changed();
  }

  /** Takes a problem that belongs to no single inspection. */
  fail(problem: Problem): void {
    this.#folderProblems.push(problem);
    this.#changed();
  }

  /** The scan has ended. */
  finish(): void {
    this.#state = 'ready';
    this.#changed();
  }

  /** Drops the tools and problems of the folder, and no others. */
  closeFolder(): void {
    this.#files.clear();
    this.#folderProblems = [];
    this.#state = 'none';
    this.#folder = null;
    this.#changed();
  }

  /**
   * Adds the tools of another origin, which stay until they are removed, whatever folder is open.
   * @returns removes them
   * @throws {ToolError} where a name is taken; then none is added
   */
  register(
    origin: Exclude<Origin, 'folder'>,
    tools: readonly RegisteredTool[],
    dispatch: Dispatch,
  ): () => void {
    const names = new Set<string>();
    for (const { name } of tools) {
      if (this.lookup(name) !== undefined || names.has(name)) throw taken(name);
      names.add(name);
    }
    const added = tools.map((tool): KnownTool => ({ tool, origin, dispatch }));
    for (const known of added) this.#registered.add(known);
    this.#changed();
    return () => {
      for (const known of added) this.#registered.delete(known);
      this.#changed();
    };
  }

  #take({ file, hash, inspection, fingerprint }: ScannedFile, now: number): void {
    const tools = inspection.tools.map((tool): RegisteredTool => ({
      ...tool,
      hash,
      loadedAt: now,
      state: 'ready',
    }));
    this.#files.set(file, { fingerprint, tools, problems: inspection.problems });
  }

  #changed(): void {
    this.#view = null;
    this.#observers.emit(undefined);
  }

  #current(): View {
    this.#view ??= this.#look();
    return this.#view;
  }

  #look(): View {
    const tools = new Map<string, KnownTool>();
    const problems = [...this.#folderProblems];
    const fingerprint = createFingerprint();
    fingerprint.add(JSON.stringify([this.#folder, this.#folderProblems]));
    const files = [...this.#files].sort(([a], [b]) => comparePaths(a, b));
    for (const [file, known] of files) {
      fingerprint.add(`${file}\n${known.fingerprint}`);
      problems.push(...known.problems);
      for (const tool of known.tools) {
        const holder = tools.get(tool.name);
        if (holder) problems.push(nameTaken(tool, holder.tool));
        else tools.set(tool.name, { tool, origin: 'folder', dispatch: this.#folderDispatch });
      }
    }
    for (const known of this.#registered) {
      const { tool, origin } = known;
      const holder = tools.get(tool.name);
      if (holder) problems.push(nameTaken(tool, holder.tool));
      else tools.set(tool.name, known);
      // When it was registered says nothing about it.
      if (origin !== 'built-in') fingerprint.add(JSON.stringify({ ...tool, loadedAt: 0 }));
    }
    const list = [...tools.values()].flatMap(({ tool, origin }) =>
      origin === 'built-in' ? [] : [tool],
    );
    const reported = problems.map((problem) => withHolder(problem, tools)).sort(byPlace);
    return { tools, list, problems: reported, revision: fingerprint.value() };
  }
}

function byPlace(a: Problem, b: Problem): number {
  return (
    comparePaths(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0)
  );
}

/** A refused spec that claims the name of another file's tool: its problem names that one's place too. */
function withHolder(problem: Problem, tools: ReadonlyMap<string, KnownTool>): Problem {
  const claims = problem.code === 'bad-name' && problem.tool !== undefined;
  const holder = claims ? tools.get(problem.tool)?.tool : undefined;
  if (!holder || holder.source.file === problem.file) return problem;
  const claimed = `The name ${holder.name} at ${problem.file}:${problem.line ?? 1} is taken`;
  const { file, line } = holder.source;
  return {
    ...problem,
    code: 'duplicate-name',
    message: `${claimed} by ${file}:${line}: ${problem.message}.`,
  };
}

function nameTaken(tool: RegisteredTool, holder: RegisteredTool): Problem {
  const { file, line, column } = tool.source;
  return {
    severity: 'error',
    code: 'duplicate-name',
    file,
    line,
    column,
    message: `The name ${tool.name} at ${file}:${line} is taken by ${holder.source.file}:${holder.source.line}.`,
    expected: 'a name that no other tool in the folder has',
    hint: `Rename one of them. Until then, the tool in ${holder.source.file} keeps the name.`,
  };
}

function taken(name: string): ToolError {
  return new ToolError(
    'bad-input',
    `The name ${name} is taken by another tool.`,
    'Register the tool under another name.',
  );
}
