/**
 * The packages of one opening of a folder. They are prepared before its files are imported, and their
 * problems are shown with those of the files.
 */

import type { Wanted } from '../protocol/packages.ts';
import { isToolFile } from '../folder/tool-files.ts';
import { type Declared, readDeclaredPackages } from '../packages/declared.ts';
import type { StatusHolder } from './status.ts';
import {
  isError,
  type PackageStep,
  type PrepareDeps,
  preparePackages,
} from '../packages/prepare.ts';
import type { OnInspected } from '../scan/scan.ts';
import type { FolderSnapshot, Problem } from '../spec/folder.ts';
import type { Wheel } from '../spec/wheel.ts';
import { type OpenFolder, type FolderPackages, noPackages } from './current-folder.ts';
import { failedInspection } from '../scan/settle-inspection.ts';
import type { ToolError } from '../spec/error.ts';
import type { Inspection } from '../spec/tool.ts';

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

/**
 * Inspects tool files, except those whose packages are missing: these are reported as failed without being imported.
 *
 * @param problems problems of packages
 * @param inspect imports the importable files, and reports on each in order
 */
export async function inspectBeside(
  problems: readonly Problem[],
  files: readonly string[],
  onReport: OnInspected,
  inspect: (files: readonly string[], onReport: OnInspected) => Promise<void>,
): Promise<void> {
  if (problems.length === 0) {
    await inspect(files, onReport);
    return;
  }
  const waiting = [...files];
  const reportBlocked = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const known = ofFile(problems, next);
      if (!known.some(isError)) return;
      waiting.shift();
      onReport(blockedInspection(next, known));
    }
  };
  const importable = files.filter((file) => !ofFile(problems, file).some(isError));
  reportBlocked();
  await inspect(importable, (report) => {
    const file = waiting.shift() ?? '';
    onReport(withWarnings(report, file, ofFile(problems, file)));
    reportBlocked();
  });
}

function withWarnings(
  report: Inspection | ToolError,
  file: string,
  warnings: readonly Problem[],
): Inspection | ToolError {
  if (warnings.length === 0) return report;
  const inspection = report instanceof Error ? failedInspection(file, report) : report;
  if (inspection === undefined) return report;
  return { ...inspection, problems: [...inspection.problems, ...warnings] };
}

function blockedInspection(file: string, problems: readonly Problem[]): Inspection {
  const nothing = { tools: [], noSpecs: false, imports: [], output: '', durationMs: 0 };
  return { file, problems, ...nothing };
}

function ofFile(problems: readonly Problem[], file: string): Problem[] {
  return problems.filter((problem) => problem.file === file);
}
