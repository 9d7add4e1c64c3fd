/** Hints about a scanned folder as a whole, and about files that may not be meant as tool files. */

import { comparePaths, parentFolders, shownPath } from '../folder/path-rules.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Problem } from '../spec/problem.ts';
import type { Pacer } from '../async/pace.ts';
import { readTests } from './read-tests.ts';
import { supportFiles, toolFiles } from './tool-files.ts';

/** Larger files are not searched, because they are data; bytes. */
const largestSource = 1024 * 1024;

/**
 * Warns if subfolders contain files that look like tool files, or if there are no tool files at all, and reports what is
 * wrong with saved tests.
 */
export async function folderHints(folder: FolderSnapshot, pacer: Pacer): Promise<Problem[]> {
  const below: string[] = [];
  const misnamed: string[] = [];
  for (const file of folder.files) {
    if (pacer.mustRest()) await pacer.rest();
    const isBelow = file.path.includes('/');
    const mayBe = isBelow ? file.path.endsWith('.py') : hasOtherEnding(file.path);
    if (mayBe && definesTools(file)) (isBelow ? below : misnamed).push(file.path);
  }
  const hints: Problem[] = [];
  if (misnamed.length > 0) hints.push(otherEndings(misnamed));
  if (below.length > 0) hints.push(toolsBelow(below));
  else if (misnamed.length > 0) return [...hints, ...(await readTests(folder, pacer)).problems];
  else if (toolFiles(folder).length === 0) hints.push(noToolFiles());
  const support = supportFiles(folder);
  if (support.length > 0) hints.push(noTools(support));
  hints.push(...(await readTests(folder, pacer)).problems);
  return hints;
}

/** Warns about each file that has no TOOL_SPECS and is not imported by another file. */
export function unusedFiles(inspections: readonly Inspection[]): Problem[] {
  const imported = new Set(inspections.flatMap((inspection) => inspection.imports));
  return inspections
    .filter(({ file, noSpecs, problems }) => {
      const failed = problems.some((problem) => problem.severity === 'error');
      return noSpecs && !failed && !imported.has(file);
    })
    .sort((a, b) => comparePaths(a.file, b.file))
    .map(noSpecs);
}

/** Returns whether a name has another ending that Windows, browsers or editors may give to Python files. */
function hasOtherEnding(path: string): boolean {
  return /^[^._].*\.py(?:w|\.txt|[ .]+)?$/i.test(path) && !path.endsWith('.py');
}

function definesTools(file: FolderFile): boolean {
  if (file.size > largestSource) return false;
  return /^TOOL_SPECS\b/m.test(new TextDecoder().decode(file.bytes));
}

function otherEndings(paths: readonly string[]): Problem {
  const named = paths.slice(0, 3).map((path) => `“${shownPath(path)}”`);
  const rest = paths.length - named.length;
  return warning('no-tool-files', '', {
    message: `Files whose names do not end in “.py” are not loaded, but these define TOOL_SPECS: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
    expected: 'names that end in “.py”, in lower case',
    hint: 'Rename the files.',
  });
}

function toolsBelow(paths: readonly string[]): Problem {
  const named = paths.slice(0, 3).map((path) => `“${shownPath(path)}”`);
  const rest = paths.length - named.length;
  return warning('tools-below', '', {
    message: `Subfolders are not searched for tools, but these files define TOOL_SPECS: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
    expected: 'tool files directly in the folder',
    hint: 'Open the subfolder, or move the files up.',
    subfolders: [...new Set(paths.map((path) => parentFolders(path).at(-1) ?? ''))],
  });
}

function noTools(support: readonly FolderFile[]): Problem {
  const named = support.slice(0, 3).map(({ path }) => `“${shownPath(path)}”`);
  const rest = support.length - named.length;
  return {
    ...warning('no-tools', '', {
      message: `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}: not loaded as ${support.length === 1 ? 'a tool file' : 'tool files'}. Files with such names belong to tests, packaging or another program, and these define no tools.`,
      expected: '',
      hint: 'No action is needed. Tool files can import them.',
    }),
    severity: 'note',
  };
}

function noToolFiles(): Problem {
  return warning('no-tool-files', '', {
    message: 'The folder has no tool files.',
    expected:
      'at least one .py file directly in the folder whose name does not start with “_” or “.”',
    hint: 'Open the folder that contains the tool files. Browsers leave out symbolic links: put the files themselves there.',
  });
}

function noSpecs({ file, reason }: Inspection): Problem {
  const found = warning('no-specs', file, {
    message: reason
      ? `“${shownPath(file)}” has no tools: ${reason.message}.`
      : `“${shownPath(file)}” defines no TOOL_SPECS, and no other file imports it.`,
    expected: 'tools at the top level of a tool file',
    hint:
      reason?.hint ?? 'Add TOOL_SPECS. If the file is not a tool file, start its name with “_”.',
  });
  return reason ? { ...found, line: reason.line } : found;
}

function warning(
  code: string,
  file: string,
  words: Pick<Problem, 'message' | 'expected' | 'hint' | 'subfolders'>,
): Problem {
  const line = file === '' ? null : 1;
  return { severity: 'warning', code, file, line, column: null, ...words };
}
