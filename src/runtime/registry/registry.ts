/** The registry of all loaded tools. Each tool has a unique name, an origin, and a dispatch that runs it. */

import { comparePaths, showPath } from '../folder/path-rules.ts';
import { Observable } from '../hooks/observe.ts';
import { composeName } from '../spec/composed-name.ts';
import { createFingerprint } from '../spec/fingerprint.ts';
import type { ScannedFile } from '../scan/scan.ts';
import type { Dispatch, KnownTool, Origin } from '../spec/call.ts';
import { ToolError } from '../spec/error.ts';
import type { Problem } from '../spec/folder.ts';
import type { Setting } from '../spec/setting.ts';
import type { RegisteredTool } from '../spec/tool.ts';

export type RegistryState = 'none' | 'scanning' | 'ready';

/** The result of a change of the folder's files. */
export interface RegistryUpdate {
  /** Files that were read again, which replace their previous versions. */
  readonly loaded: readonly ScannedFile[];
  /** Files whose previous version stays in use, with the problems of the version on disk. */
  readonly kept: ReadonlyMap<string, { fingerprint: string; problems: readonly Problem[] }>;
  readonly removed: readonly string[];
  /** All problems that belong to no single inspection. */
  readonly folderProblems: readonly Problem[];
}

/** A file of the folder that is an extension. Each load of the file has its own object. */
export interface ExtensionFile {
  readonly file: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
}

export interface FileSettings {
  readonly file: string;
  readonly settings: readonly Setting[];
}

interface KnownFile {
  readonly fingerprint: string;
  /** Null if the file is no extension. */
  readonly extension: ExtensionFile | null;
  readonly tools: readonly RegisteredTool[];
  readonly problems: readonly Problem[];
  /** Names of the tools that are left out if another file imports this one, since nothing marks them as tools. */
  readonly implied: readonly string[];
  /** The files that this one imports. */
  readonly imports: readonly string[];
  readonly settings: readonly Setting[];
}

/** Computed from files and registrations, on first access after a change. */
interface View {
  readonly tools: ReadonlyMap<string, KnownTool>;
  readonly list: readonly RegisteredTool[];
  readonly problems: readonly Problem[];
  readonly revision: string;
}

export class Registry extends Observable<undefined> {
  readonly #files = new Map<string, KnownFile>();
  readonly #folderDispatch: Dispatch;
  /** Tools of other origins than the folder. */
  readonly #registered = new Set<KnownTool>();
  /** The registered tools that replace other tools. */
  readonly #replacing = new WeakSet<KnownTool>();
  #folderProblems: Problem[] = [];
  #state: RegistryState = 'none';
  #folder: string | null = null;
  #view: View | null = null;

  /**
   * @param folderDispatch runs the folder's tools
   * @param report receives errors thrown by listeners
   */
  constructor(folderDispatch: Dispatch, report: (thrown: unknown) => void) {
    super(report);
    this.#folderDispatch = folderDispatch;
  }

  get state(): RegistryState {
    return this.#state;
  }

  /** Name of the open folder. */
  get folder(): string | null {
    return this.#folder;
  }

  /** A hash of tools and problems: the same content gives the same revision, also after a reload. */
  get revision(): string {
    return this.#current().revision;
  }

  /** Problems of the folder as a whole first, then by file and line. */
  get problems(): readonly Problem[] {
    return this.#current().problems;
  }

  /** The folder's extensions, in order of their files. */
  get extensions(): readonly ExtensionFile[] {
    const all = Array.from(this.#files.values(), ({ extension }) => extension);
    return all.filter((one) => one !== null).sort((a, b) => comparePaths(a.file, b.file));
  }

  /** The settings that the folder's files declare, in order of the files. */
  get settings(): readonly FileSettings[] {
    const all = Array.from(this.#files, ([file, { settings }]) => ({ file, settings }));
    return all
      .filter(({ settings }) => settings.length > 0)
      .sort((a, b) => comparePaths(a.file, b.file));
  }

  /** Returns a tool of any origin, with its dispatch. */
  lookup(name: string): KnownTool | undefined {
    const { tools } = this.#current();
    return tools.get(name) ?? tools.get(composeName(name));
  }

  /** Returns a tool of {@link list}. */
  get(name: string): RegisteredTool | undefined {
    const known = this.lookup(name);
    return known?.origin === 'built-in' ? undefined : known?.tool;
  }

  /**
   * Returns all tools except built-in ones: the folder's by file and line, then the others in order of registration.
   */
  list(): readonly RegisteredTool[] {
    return this.#current().list;
  }

  /** Starts a scan. Files keep their tools until they have been scanned again. */
  begin(folder: string): void {
    this.#state = 'scanning';
    this.#folder = folder;
    this.#folderProblems = [];
    this.#notify();
  }

  replaceFile(scanned: ScannedFile, now: number): void {
    this.#addFile(scanned, now);
    this.#notify();
  }

  /** Applies a change of the folder as one change. */
  update({ loaded, kept, removed, folderProblems }: RegistryUpdate, now: number): void {
    for (const file of removed) this.#files.delete(file);
    for (const scanned of loaded) this.#addFile(scanned, now);
    for (const [file, { fingerprint, problems }] of kept) {
      const before = this.#files.get(file);
      const tools = (before?.tools ?? []).map((tool) => ({
        ...tool,
        state: 'last-good' as const,
      }));
      const { extension = null, implied = [], imports = [], settings = [] } = before ?? {};
      const known = { fingerprint, extension, tools, problems, implied, imports, settings };
      this.#files.set(file, known);
    }
    this.#folderProblems = [...folderProblems];
    this.#notify();
  }

  /** Returns when the file's current version was loaded; undefined if it has no tools. Milliseconds since the epoch. */
  loadedAt(file: string): number | undefined {
    return this.#files.get(file)?.tools[0]?.loadedAt;
  }

  /** Removes all files except these. */
  keepFiles(files: ReadonlySet<string>): void {
    for (const file of this.#files.keys()) if (!files.has(file)) this.#files.delete(file);
    this.#notify();
  }

  /** Adds a problem that belongs to no single inspection. */
  fail(problem: Problem): void {
    this.#folderProblems.push(problem);
    this.#notify();
  }

  finish(): void {
    this.#state = 'ready';
    this.#notify();
  }

  /** Removes the tools and problems of the folder only. */
  closeFolder(): void {
    this.#files.clear();
    this.#folderProblems = [];
    this.#state = 'none';
    this.#folder = null;
    this.#notify();
  }

  /**
   * Adds tools of another origin, which stay registered when another folder is opened.
   *
   * @param replaces whether they replace tools of the folder or of extensions, until they are removed
   * @returns a function that removes them
   * @throws {ToolError} if a name is taken; no tool is added then
   */
  register(
    origin: Exclude<Origin, 'folder'>,
    tools: readonly RegisteredTool[],
    dispatch: Dispatch,
    replaces = false,
  ): () => void {
    const names = new Set<string>();
    for (const { name } of tools) {
      const holder = this.lookup(name);
      const isTaken = holder !== undefined && (!replaces || holder.origin === 'built-in');
      if (isTaken || names.has(name)) throw nameTakenError(name);
      names.add(name);
    }
    const added = tools.map((tool): KnownTool => ({ tool, origin, dispatch }));
    for (const known of added) {
      this.#registered.add(known);
      if (replaces) this.#replacing.add(known);
    }
    this.#notify();
    return () => {
      for (const known of added) this.#registered.delete(known);
      this.#notify();
    };
  }

  #addFile({ file, hash, inspection, fingerprint }: ScannedFile, now: number): void {
    const tools = inspection.tools.map((tool): RegisteredTool => ({
      ...tool,
      hash,
      loadedAt: now,
      state: 'ready',
    }));
    const extension = inspection.extension === true ? { file, hash } : null;
    const { problems, implied = [], imports, settings = [] } = inspection;
    const known = { fingerprint, extension, tools, problems, implied, imports, settings };
    this.#files.set(file, known);
  }

  #notify(): void {
    this.#view = null;
    this.emit(undefined);
  }

  #current(): View {
    this.#view ??= this.#computeView();
    return this.#view;
  }

  #computeView(): View {
    const tools = new Map<string, KnownTool>();
    const problems = [...this.#folderProblems];
    const fingerprint = createFingerprint();
    fingerprint.add(JSON.stringify([this.#folder, this.#folderProblems]));
    const files = [...this.#files].sort(([a], [b]) => comparePaths(a, b));
    const importers = new Map(
      files.flatMap(([file, { imports }]) => imports.map((imported) => [imported, file] as const)),
    );
    for (const [file, known] of files) {
      const importer = importers.get(file);
      // During a scan, a file that imports this one may still be found.
      const mayBeImported = importer !== undefined || this.#state === 'scanning';
      const leftOut = new Set(mayBeImported ? known.implied : []);
      if (importer !== undefined && leftOut.size > 0)
        problems.push(onlyExported(file, leftOut, importer));
      fingerprint.add(`${file}\n${known.fingerprint}`);
      problems.push(...known.problems);
      for (const tool of known.tools) {
        if (leftOut.has(tool.name)) continue;
        const holder = tools.get(tool.name);
        if (holder) problems.push(nameTaken(tool, holder.tool));
        else tools.set(tool.name, { tool, origin: 'folder', dispatch: this.#folderDispatch });
      }
    }
    for (const known of this.#registered) {
      const { tool, origin } = known;
      const holder = tools.get(tool.name);
      const replaces = holder !== undefined && this.#replacing.has(known);
      if (replaces) problems.push(replacedProblem(tool, holder.tool));
      else if (holder) problems.push(nameTaken(tool, holder.tool));
      if (replaces || holder === undefined) tools.set(tool.name, known);
      // The time of registration is not part of the content.
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

/** If a refused spec claims the name of another file's tool, adds that tool's location to the problem. */
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

/** A helper module says by `__all__` what it exports, not what models may call. */
function onlyExported(file: string, names: ReadonlySet<string>, importer: string): Problem {
  const named = [...names].slice(0, 3).map((name) => `“${showPath(name)}”`);
  const rest = names.size - named.length;
  return {
    severity: 'note',
    code: 'exported-only',
    file,
    line: 1,
    column: null,
    message: `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}: not offered as ${names.size === 1 ? 'a tool' : 'tools'}, because “${showPath(importer)}” imports this file, which does not mark what it exports as tools.`,
    expected: '',
    hint: 'If models may call them, write TOOL_SPECS in this file, or mark each function as its framework does.',
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

function replacedProblem({ name, source }: RegisteredTool, holder: RegisteredTool): Problem {
  const { file, line, column } = source;
  return {
    severity: 'warning',
    code: 'tool-replaced',
    file,
    line,
    column,
    tool: name,
    message: `The extension ${file}:${line} replaces the tool ${name} of ${holder.source.file}:${holder.source.line}.`,
    expected: 'a replacement that you want',
    hint: `Disable the extension to use the tool in ${holder.source.file} again.`,
  };
}

function nameTakenError(name: string): ToolError {
  return new ToolError(
    'bad-input',
    `The name ${name} is taken by another tool.`,
    'Register the tool under another name.',
  );
}
