/**
 * The packages of one opening of a folder. They are prepared before its files are imported, and their
 * problems are shown with those of the files.
 */

import type { Wanted } from '../protocol/packages.ts';
import { isToolFile } from '../folder/tool-file-names.ts';
import { inspectBeside } from '../packages/beside-packages.ts';
import { readDeclaredPackages, type Declared } from '../packages/declared.ts';
import { noPackages, type FolderPackages } from '../packages/folder-packages.ts';
import { preparePackages, type PackageStep, type PrepareDeps } from '../packages/prepare.ts';
import type { OnInspected } from '../scan/scan.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import type { Problem } from '../spec/problem.ts';
import type { Wheel } from '../spec/wheel.ts';
import type { OpenFolder } from './open-folder.ts';
import type { StatusHolder } from './status.ts';

export interface PackageRequest extends OpenFolder {
  readonly declared: Declared;
  readonly onStep: (step: PackageStep) => void;
  /** Opens the folder again, after the user has allowed packages. */
  readonly reload: () => Promise<void>;
}

/**
 * Collects what is needed to prepare a folder's packages. `askFor` asks the user for packages that may not be
 * fetched yet.
 * @throws the signal's reason
 */
export type PreparePackages = (
  signal: AbortSignal,
  request: PackageRequest,
) => Promise<PrepareDeps & { askFor(wanted: readonly Wanted[]): void }>;

export class OpenedPackages {
  readonly #key: string;
  readonly #packages: FolderPackages;
  readonly #withoutSpecs: ReadonlySet<string>;

  constructor(key: string, packages: FolderPackages, withoutSpecs: ReadonlySet<string>) {
    this.#key = key;
    this.#packages = packages;
    this.#withoutSpecs = withoutSpecs;
  }

  /** Whether the files now declare other packages than the installed ones. */
  haveChanged(folder: FolderSnapshot): boolean {
    return (readDeclaredPackages(folder)?.key ?? '') !== this.#key;
  }

  /** Whether another attempt may help. */
  get haveFailed(): boolean {
    return this.#packages.problems.some(({ severity }) => severity === 'error');
  }

  /** Problems that belong to no tool file. */
  get folderProblems(): readonly Problem[] {
    return this.#packages.problems.filter(({ file }) => !isToolFile(file));
  }

  /**
   * Inspects the files whose packages are available, and reports the others as failed. A file without specs, such as
   * one written for another framework, is always imported: its tools name the missing package when they need it.
   */
  inspect(
    files: readonly string[],
    onReport: OnInspected,
    inspect: (files: readonly string[], onReport: OnInspected) => Promise<void>,
  ): Promise<void> {
    const problems = this.#packages.problems.map((problem) =>
      this.#withoutSpecs.has(problem.file) ? { ...problem, severity: 'warning' as const } : problem,
    );
    return inspectBeside(problems, files, onReport, inspect);
  }
}

/** Prepares the packages that a folder declares. @throws the signal's reason */
export async function getPackages(
  signal: AbortSignal,
  { source, snapshot }: OpenFolder,
  status: StatusHolder,
  { prepare, reload }: { prepare: PreparePackages } & Pick<PackageRequest, 'reload'>,
): Promise<{ readonly opened: OpenedPackages; readonly wheels: readonly Wheel[] }> {
  const declared = readDeclaredPackages(snapshot);
  if (declared === null) {
    status.set({ packages: noPackages });
    return { opened: new OpenedPackages('', noPackages, new Set()), wheels: [] };
  }
  status.enter('packages', { folder: snapshot.name });
  const onStep = (step: PackageStep): void => {
    if (!signal.aborted) status.set(step);
  };
  const parts = await prepare(signal, { source, snapshot, declared, onStep, reload });
  const prepared = await preparePackages(signal, snapshot, declared, parts);
  signal.throwIfAborted();
  parts.askFor(prepared.wanted);
  const { installed, problems, wheels } = prepared;
  const packages = { declares: true, installed, problems };
  status.set({ packages });
  const withoutSpecs = declared.sources
    .filter(({ file, text }) => isToolFile(file) && !text.includes('TOOL_SPECS'))
    .map(({ file }) => file);
  return { opened: new OpenedPackages(declared.key, packages, new Set(withoutSpecs)), wheels };
}
