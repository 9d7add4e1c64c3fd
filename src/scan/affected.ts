/** Which tool files have to be inspected anew when files of the folder have changed. */

import { changedPaths } from '../folder/changes.ts';
import type { FolderChanges, FolderFile, FolderSnapshot } from '../spec/folder.ts';
import type { Pacer } from '../async/pace.ts';
import { toolFiles, type ScannedFile } from './scan.ts';

/** Larger files are data, whatever they are called. */
const largestSource = 1024 * 1024;

/**
 * The changed ones, and those that need a changed file, directly or not. A file that comes may be what an import has
 * been waiting for, so whoever names it counts as changed.
 */
export async function affectedFiles(
  folder: FolderSnapshot,
  changes: FolderChanges,
  known: ReadonlyMap<string, ScannedFile>,
  before: FolderSnapshot,
  pacer: Pacer,
): Promise<FolderFile[]> {
  const old = new Set(before.files.map(({ path }) => path));
  const came = changes.written.flatMap(({ path }) => (old.has(path) ? [] : [path]));
  const touched = new Set(changedPaths(changes));
  for (const path of await namersOf(came, folder, pacer)) touched.add(path);
  return toolFiles(folder).filter(({ path }) => {
    const scanned = known.get(path);
    if (scanned === undefined || touched.has(path)) return true;
    return scanned.inspection.imports.some((needed) => touched.has(needed));
  });
}

/** Python files in which the name of one of these files stands. */
async function namersOf(
  paths: readonly string[],
  { files }: FolderSnapshot,
  pacer: Pacer,
): Promise<string[]> {
  if (paths.length === 0) return [];
  const names = [...new Set(paths.map(nameOf))].map((name) =>
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

/** What an import statement, or a path in a text, calls the file. */
function nameOf(path: string): string {
  const steps = path.split('/');
  const last = steps.at(-1) ?? '';
  if (last === '__init__.py' && steps.length > 1) return steps.at(-2) ?? '';
  return last.replace(/\.py$/, '');
}
