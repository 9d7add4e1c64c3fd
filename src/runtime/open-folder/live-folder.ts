/**
 * Updates the tools of a folder while its files change. Each change is inspected separately from calls, and
 * applied unless it has errors.
 */

import {
  changesBetween,
  type FolderChanges,
  type FolderFile,
  type FolderSnapshot,
  listChangedPaths,
  type Problem,
} from '../spec/folder.ts';
import type { Registry } from '../registry/registry.ts';
import { findAffectedFiles } from '../scan/affected.ts';
import { folderHints, findUnusedFiles } from '../scan/folder-hints.ts';
import { holdBack, type HeldBack, describeKeptProblems } from '../scan/hold-back.ts';
import { createPacer } from '../async/pace.ts';
import { scanFiles, type Inspect, type OnInspected, type ScannedFile } from '../scan/scan.ts';
import { toolFiles } from '../folder/tool-files.ts';
import type { SpecProposal } from '../spec/tool.ts';
import type { FolderUpdate } from './current-folder.ts';

export interface LiveFolderDeps {
  readonly registry: Registry;
  /** Imports files of this snapshot in an interpreter without calls. */
  readonly inspect: (
    signal: AbortSignal,
    folder: FolderSnapshot,
    files: readonly string[],
    onReport: OnInspected,
  ) => Promise<void>;
  /** Proposes specs for the functions of a file of this snapshot, in an interpreter without calls. */
  readonly propose: (
    signal: AbortSignal,
    folder: FolderSnapshot,
    file: string,
    names: readonly string[] | null,
  ) => Promise<SpecProposal>;
  /** Problems of the folder's packages. */
  readonly problems: () => readonly Problem[];
  /** Updates the files of every interpreter that runs calls. */
  readonly apply: (folder: FolderSnapshot, changes: FolderChanges) => void;
  /** Called when the folder has been read again, before the registry changes. */
  readonly onRead: (folder: FolderSnapshot) => void;
  readonly now: () => number;
}

/** A state of the folder on disk, whose changed files have been inspected. */
interface InspectedFolder {
  readonly folder: FolderSnapshot;
  readonly scanned: ReadonlyMap<string, ScannedFile>;
  /** Files that were inspected for it. */
  readonly affected: ReadonlySet<string>;
  readonly hints: readonly Problem[];
}

export class LiveFolder {
  readonly #deps: LiveFolderDeps;
  /** The folder on disk. It differs from the version in use while edits with errors are held back (hold-back.ts). */
  #onDisk: FolderSnapshot;
  /** The version that the interpreters have. */
  #inUse: FolderSnapshot;
  /** Tool files as they are on disk. */
  #scanned: ReadonlyMap<string, ScannedFile>;
  /** Tool files in the versions whose tools are in use: the last good ones of files that are held back. */
  #used: ReadonlyMap<string, ScannedFile>;
  /** Hints about {@link #onDisk}; null until they are needed. */
  #hints: readonly Problem[] | null = null;
  /** Problems that belong to no single inspection. */
  #problems: readonly Problem[];
  #failed = false;
  /** An inspected state that was not applied because it looked unfinished. */
  #unapplied: InspectedFolder | null = null;

  /**
   * @param scanned every tool file of the folder
   * @param problems those that belong to no single inspection
   */
  constructor(
    folder: FolderSnapshot,
    scanned: ReadonlyMap<string, ScannedFile>,
    problems: readonly Problem[],
    deps: LiveFolderDeps,
  ) {
    this.#problems = problems;
    this.#onDisk = folder;
    this.#inUse = folder;
    this.#scanned = scanned;
    this.#used = scanned;
    this.#deps = deps;
  }

  get onDisk(): FolderSnapshot {
    return this.#onDisk;
  }

  /**
   * Applies the folder's current state on disk. Call it again only after the previous call has settled.
   * @param options.retry whether to inspect files with errors again, too
   * @returns null if nothing has changed
   * @throws {ToolError} if it was aborted or the sandbox failed; nothing has changed then
   */
  async update(
    signal: AbortSignal,
    folder: FolderSnapshot,
    options: { readonly retry: boolean },
  ): Promise<FolderUpdate | null> {
    const found = await this.#inspect(signal, folder, options);
    return found && this.#apply(found);
  }

  /**
   * Applies changes of files that may still be written, unless an inspection has an error or a tool is gone. Keeps its
   * inspections for {@link update}.
   */
  async updateIfSound(
    signal: AbortSignal,
    folder: FolderSnapshot,
  ): Promise<FolderUpdate | 'unfinished' | null> {
    const found = await this.#inspect(signal, folder, { retry: false });
    if (found === null || this.#isSound(found)) return found && this.#apply(found);
    this.#unapplied = found;
    return 'unfinished';
  }

  /** @returns null if nothing has changed */
  async #inspect(
    signal: AbortSignal,
    folder: FolderSnapshot,
    { retry }: { retry: boolean },
  ): Promise<InspectedFolder | null> {
    const pacer = createPacer();
    const early = this.#unapplied;
    this.#unapplied = null;
    if (early !== null && !retry && isSame(early.folder, folder)) return early;
    const changes = changesBetween(this.#onDisk, folder);
    const paths = listChangedPaths(changes);
    const affected = new Set(
      await findAffectedFiles(folder, changes, this.#scanned, this.#onDisk, pacer),
    );
    if (retry)
      for (const file of toolFiles(folder))
        if (hasErrors(this.#scanned.get(file.path))) affected.add(file);
    const sameProblems = sameTexts(folder.problems, this.#onDisk.problems);
    const nothingNew = paths.size === 0 && affected.size === 0 && sameProblems;
    if (nothingNew && !this.#failed) return null;
    const scanned = new Map(
      toolFiles(folder).flatMap(({ path }) => {
        const known = this.#scanned.get(path);
        return known ? [[path, known] as const] : [];
      }),
    );
    const inspect: Inspect = (stop, files, onReport) =>
      this.#deps.inspect(stop, folder, files, onReport);
    await scanFiles(signal, folder, [...affected], inspect, (one) =>
      scanned.set(one.file, this.#withUsedImports(one)),
    );
    const isOtherList = toolFiles(folder).length !== toolFiles(this.#onDisk).length;
    const imports = (files: ReadonlyMap<string, ScannedFile>): string =>
      [...affected].map(({ path }) => files.get(path)?.inspection.imports.join('\n')).join('\n\n');
    const mayChange =
      changes.cameOrWent ||
      isOtherList ||
      [...paths].some((path) => path.includes('/')) ||
      imports(scanned) !== imports(this.#scanned);
    const known = mayChange ? null : this.#hints;
    const inspections = [...scanned.values()].map(({ inspection }) => inspection);
    const hints = known ?? (await folderHints(folder, inspections, pacer));
    signal.throwIfAborted();
    return { folder, scanned, affected: new Set([...affected].map(({ path }) => path)), hints };
  }

  /**
   * Adds the imports of the version in use to those of a file with errors: its tools stay listed, and an import that did not
   * end tells none.
   */
  #withUsedImports(one: ScannedFile): ScannedFile {
    if (!hasErrors(one)) return one;
    const used = this.#used.get(one.file)?.inspection.imports ?? [];
    const imports = [...new Set([...one.inspection.imports, ...used])];
    return { ...one, inspection: { ...one.inspection, imports } };
  }

  #isSound({ scanned, affected }: InspectedFolder): boolean {
    const hasError = [...affected].some((file) => hasErrors(scanned.get(file)));
    return !hasError && !goneTools(this.#used, scanned).some(({ file }) => affected.has(file));
  }

  /**
   * Inspects a version of a tool file that is not saved. Nothing changes. Call it only while no update is in progress.
   * @returns the problems that its update would report @throws {ToolError}
   */
  async check(signal: AbortSignal, path: string, bytes: Uint8Array): Promise<readonly Problem[]> {
    const { folder, file } = this.#withFile(path, bytes);
    const inspect: Inspect = (stop, files, onReport) =>
      this.#deps.inspect(stop, folder, files, onReport);
    const [inspection] = await scanFiles(signal, folder, [file], inspect, () => undefined);
    return inspection?.problems ?? [];
  }

  /**
   * Proposes specs for the functions of a version of a file, which need not be saved. Nothing changes. Call it only while
   * no update is in progress.
   * @throws {ToolError}
   */
  propose(
    signal: AbortSignal,
    path: string,
    bytes: Uint8Array,
    names: readonly string[] | null,
  ): Promise<SpecProposal> {
    return this.#deps.propose(signal, this.#withFile(path, bytes).folder, path, names);
  }

  /** The folder on disk with this version of a file. */
  #withFile(path: string, bytes: Uint8Array): { folder: FolderSnapshot; file: FolderFile } {
    const file = { path, bytes, size: bytes.byteLength, modifiedAt: this.#deps.now() };
    const others = this.#onDisk.files.filter((one) => one.path !== path);
    return { folder: { ...this.#onDisk, files: [...others, file] }, file };
  }

  /** Reports that the folder could not be read or inspected. Its tools stay as they are. */
  fail(problem: Problem): void {
    this.#failed = true;
    const folderProblems = [problem, ...this.#problems];
    const { registry, now } = this.#deps;
    registry.update({ loaded: [], kept: new Map(), removed: [], folderProblems }, now());
  }

  #apply({ folder, scanned, affected, hints }: InspectedFolder): FolderUpdate {
    const { registry, apply, onRead, now } = this.#deps;
    const at = now();
    const before = this.#used;
    const held = holdBack(
      listChangedPaths(changesBetween(this.#inUse, folder)),
      [...scanned].map(([file, onDisk]) => ({ inUse: before.get(file), onDisk })),
    );
    const inUse = { ...folder, files: filesInUse(this.#inUse, folder, held.paths) };
    const changes = changesBetween(this.#inUse, inUse);
    const used = new Map<string, ScannedFile>();
    const loaded: ScannedFile[] = [];
    for (const [file, one] of scanned) {
      const old = before.get(file);
      const version = held.files.has(file) ? old : one;
      if (version) used.set(file, version);
      const wasKept = this.#scanned.get(file) !== old;
      if (!held.files.has(file) && (affected.has(file) || wasKept)) loaded.push(one);
    }
    const known = new Set([...before.keys(), ...this.#scanned.keys()]);
    const removed = [...known].filter((file) => !scanned.has(file));
    const folderProblems = [
      ...folder.problems,
      ...this.#deps.problems(),
      ...hints,
      ...findUnusedFiles([...scanned.values()].map(({ inspection }) => inspection)),
    ];
    // Interpreters are updated before the registry, so that calls to new tools are queued after
    // this update.
    if (changes.written.length + changes.removed.length > 0) apply(inUse, changes);
    const kept = this.#describeKept(scanned, held);
    this.#onDisk = folder;
    this.#inUse = inUse;
    this.#scanned = scanned;
    this.#hints = hints;
    this.#used = used;
    this.#problems = folderProblems;
    this.#failed = false;
    // Observers of the registry also read the files.
    onRead(folder);
    registry.update({ loaded, kept, removed, folderProblems }, at);
    const gone = goneTools(before, used);
    return { at, loaded: loaded.map(({ file }) => file), kept: [...held.files], gone };
  }

  #describeKept(
    scanned: ReadonlyMap<string, ScannedFile>,
    held: HeldBack,
  ): Map<string, { fingerprint: string; problems: readonly Problem[] }> {
    const kept = new Map<string, { fingerprint: string; problems: readonly Problem[] }>();
    for (const file of held.files) {
      const one = scanned.get(file);
      if (!one) continue;
      const problems = describeKeptProblems(one, held, this.#deps.registry.loadedAt(file) ?? null);
      kept.set(file, { fingerprint: `kept ${one.fingerprint}`, problems });
    }
    return kept;
  }
}

/** Returns the files on disk, except those that are held back: of these, the version in use. */
function filesInUse(
  inUse: FolderSnapshot,
  onDisk: FolderSnapshot,
  waiting: ReadonlySet<string>,
): FolderFile[] {
  return [
    ...onDisk.files.filter(({ path }) => !waiting.has(path)),
    ...inUse.files.filter(({ path }) => waiting.has(path)),
  ];
}

function goneTools(
  before: ReadonlyMap<string, ScannedFile>,
  now: ReadonlyMap<string, ScannedFile>,
): { tool: string; file: string }[] {
  return [...before].flatMap(([file, { inspection }]) => {
    const names = new Set(now.get(file)?.inspection.tools.map(({ name }) => name));
    return inspection.tools.flatMap(({ name }) => (names.has(name) ? [] : [{ tool: name, file }]));
  });
}

function hasErrors(scanned: ScannedFile | undefined): boolean {
  return scanned?.inspection.problems.some(({ severity }) => severity === 'error') === true;
}

/** Returns whether two readings of the folder found the same. */
function isSame(a: FolderSnapshot, b: FolderSnapshot): boolean {
  const { written, removed } = changesBetween(a, b);
  return written.length + removed.length === 0 && sameTexts(a.problems, b.problems);
}

function sameTexts(a: readonly Problem[], b: readonly Problem[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
