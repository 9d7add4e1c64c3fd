/** The packages of one opening of a folder: got ready before its files are imported; what is wrong with them stands beside these. */

import type { Hands } from './app-hands.ts';
import type { StatusHolder } from './app-status.ts';
import type { FolderSource } from './folder/source.ts';
import { isToolFile } from './folder/path-rules.ts';
import { inspectBeside } from './packages/beside-packages.ts';
import { declaredPackages } from './packages/declared.ts';
import { noPackages, type FolderPackages } from './packages/folder-packages.ts';
import { preparePackages } from './packages/prepare.ts';
import type { Inspect } from './scan/scan.ts';
import type { FolderSnapshot } from './spec/folder.ts';
import type { Problem } from './spec/problem.ts';
import type { Wheel } from './spec/wheel.ts';

type Files = Parameters<Inspect>[1];
type OnReport = Parameters<Inspect>[2];

export class OpenedPackages {
  readonly #key: string;
  readonly #packages: FolderPackages;

  constructor(key: string, packages: FolderPackages) {
    this.#key = key;
    this.#packages = packages;
  }

  /** The files declare something else now than what is installed. */
  haveChanged(folder: FolderSnapshot): boolean {
    return keyOf(folder) !== this.#key;
  }

  /** Trying again may come to something else. */
  get haveFailed(): boolean {
    return this.#packages.problems.some(({ severity }) => severity === 'error');
  }

  /** Those of no tool file. */
  get folderProblems(): readonly Problem[] {
    return this.#packages.problems.filter(({ file }) => !isToolFile(file));
  }

  /** Inspects files, but for those whose packages are missing. */
  inspect(
    files: Files,
    onReport: OnReport,
    inspect: (files: Files, onReport: OnReport) => Promise<void>,
  ): Promise<void> {
    return inspectBeside(this.#packages.problems, files, onReport, inspect);
  }
}

/** Gets ready what the folder declares. @throws the signal's reason */
export async function getPackages(
  signal: AbortSignal,
  folder: FolderSnapshot,
  source: FolderSource,
  prepare: Hands['preparePackages'],
  status: StatusHolder,
): Promise<{ readonly opened: OpenedPackages; readonly wheels: readonly Wheel[] }> {
  const declared = declaredPackages(folder);
  if (declared === null) {
    status.set({ packages: noPackages });
    return { opened: new OpenedPackages('', noPackages), wheels: [] };
  }
  status.enter('packages', { folder: folder.name });
  const parts = await prepare(signal, folder, source, declared, (step) => {
    if (!signal.aborted) status.set(step);
  });
  const prepared = await preparePackages(signal, folder, declared, parts);
  signal.throwIfAborted();
  parts.want(prepared.wanted);
  const { installed, problems, wheels } = prepared;
  const packages = { declares: true, installed, problems };
  status.set({ packages });
  return { opened: new OpenedPackages(declared.key, packages), wheels };
}

function keyOf(folder: FolderSnapshot): string {
  return declaredPackages(folder)?.key ?? '';
}
