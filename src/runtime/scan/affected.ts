/** Finds the tool files that must be inspected again after files of the folder have changed. */

import {
  type FolderChanges,
  type FolderFile,
  type FolderSnapshot,
  listChangedPaths,
} from '../spec/folder.ts';
import type { Pacer } from '../async/pace.ts';
import type { ScannedFile } from './scan.ts';
import { toolFiles } from '../folder/tool-files.ts';

/** Larger files are not searched, because they are data; bytes. */
const largestSource = 1024 * 1024;

/**
 * Returns the changed tool files, and those that need a changed file directly or indirectly. A new file may be what a
 * failed import needs, so files that mention its name count as changed too.
 */
export async function findAffectedFiles(
  folder: FolderSnapshot,
  changes: FolderChanges,
  known: ReadonlyMap<string, ScannedFile>,
  before: FolderSnapshot,
  pacer: Pacer,
): Promise<FolderFile[]> {
  const old = new Set(before.files.map(({ path }) => path));
  const came = changes.written.flatMap(({ path }) => (old.has(path) ? [] : [path]));
  const touched = new Set(listChangedPaths(changes));
  for (const path of await namersOf(came, folder, pacer)) touched.add(path);
  return toolFiles(folder).filter(({ path }) => {
    const scanned = known.get(path);
    if (scanned === undefined || touched.has(path)) return true;
    return scanned.inspection.imports.some((needed) => touched.has(needed));
  });
}

/** Returns Python files that mention the name of one of these files. */
async function namersOf(
  paths: readonly string[],
  { files }: FolderSnapshot,
  pacer: Pacer,
): Promise<string[]> {
  if (paths.length === 0) return [];
  const names = [...new Set(paths.flatMap(namesOf))].map((name) =>
    name.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&'),
  );
  const named = new RegExp(`(?<![\\w])(?:${names.join('|')})(?![\\w])`);
  const found: string[] = [];
  for (const { path, size, bytes } of files) {
    if (!path.endsWith('.py') || size > largestSource) continue;
    if (pacer.mustRest()) await pacer.rest();
    if (named.test(new TextDecoder().decode(bytes))) found.push(path);
  }
  return found;
}

/** Returns the names by which the code may mean a file. Code that puts a path together, as f"{tool}.json", means any JSON file. */
function namesOf(path: string): string[] {
  return path.endsWith('.json') ? [nameOf(path), '.json'] : [nameOf(path)];
}

/** Returns a file's name as an import statement or a path in the code would use it. */
function nameOf(path: string): string {
  const steps = path.split('/');
  const last = steps.at(-1) ?? '';
  if (last === '__init__.py' && steps.length > 1) return steps.at(-2) ?? '';
  return last.replace(/\.py$/, '');
}
