/** Hints about a scanned folder as a whole, and about files that may not be meant as tool files. */

import { comparePaths, parentFolders, showPath } from '../folder/path-rules.ts';
import type { FolderFile, FolderSnapshot, Problem } from '../spec/folder.ts';
import type { Inspection } from '../spec/tool.ts';
import type { Pacer } from '../async/pace.ts';
import {
  isSupportFile,
  seemsToDefineTools,
  supportFiles,
  toolFiles,
} from '../folder/tool-files.ts';
import { readTests } from './read-tests.ts';

/** Larger files are not searched, because they are data; bytes. */
const largestSource = 1024 * 1024;

/**
 * Warns if subfolders contain files that look like tool files, or if there are no tool files at all, and reports what is
 * wrong with saved tests. `inspections`: those of the tool files. Files that these import need no hint, because their
 * tools are listed.
 */
export async function folderHints(
  folder: FolderSnapshot,
  inspections: readonly Inspection[],
  pacer: Pacer,
): Promise<Problem[]> {
  const imported = new Set(inspections.flatMap((inspection) => inspection.imports));
  const below: string[] = [];
  const ofFrameworks: string[] = [];
  const misnamed: string[] = [];
  for (const file of folder.files) {
    if (pacer.mustRest()) await pacer.rest();
    const { path } = file;
    if (path.includes('/')) {
      const source = path.endsWith('.py') ? sourceOf(file) : '';
      if (definesTools(source)) below.push(path);
      else if (!imported.has(path) && !isOfTests(path) && seemsToDefineTools(source))
        ofFrameworks.push(path);
    } else if (hasOtherEnding(path) && definesTools(sourceOf(file))) misnamed.push(path);
  }
  const direct = toolFiles(folder).length;
  const hints: Problem[] = [];
  if (misnamed.length > 0) hints.push(misnamedHint(misnamed));
  if (below.length > 0) hints.push(subfolderHint(below));
  // With more tool files directly in the folder, those below are probably examples or another project.
  else if (ofFrameworks.length > 0 && ofFrameworks.length >= direct)
    hints.push(frameworkHint(ofFrameworks, direct > 0));
  const isExplained = hints.length > 0;
  if (!isExplained && direct === 0) hints.push(emptyFolderHint());
  const support = supportFiles(folder);
  // Misnamed files alone are explanation enough.
  if (support.length > 0 && (below.length > 0 || misnamed.length === 0))
    hints.push(supportFilesHint(support));
  hints.push(...(await readTests(folder, pacer)).problems);
  return hints;
}

/**
 * Warns about each file that has no TOOL_SPECS and is not imported by another file. A file that lists the tools of other
 * files, such as that of an agent, is as it should be.
 */
export function findUnusedFiles(inspections: readonly Inspection[]): Problem[] {
  const imported = new Set(inspections.flatMap((inspection) => inspection.imports));
  const withTools = new Set(
    inspections.filter(({ tools }) => tools.length > 0).map(({ file }) => file),
  );
  return inspections
    .filter(({ file, noSpecs, problems, reason, imports }) => {
      const failed = problems.some((problem) => problem.severity === 'error');
      const listsTools = reason?.listsOthers === true && imports.some((one) => withTools.has(one));
      return noSpecs && !failed && !imported.has(file) && !listsTools;
    })
    .sort((a, b) => comparePaths(a.file, b.file))
    .map(unusedFileHint);
}

/** Returns whether a name ends like that of a Python file to which Windows, a browser or an editor has added something. */
function hasOtherEnding(path: string): boolean {
  return /^[^._].*\.py(?:w|\.txt|[ .]+)?$/i.test(path) && !path.endsWith('.py');
}

function sourceOf(file: FolderFile): string {
  return file.size > largestSource ? '' : new TextDecoder().decode(file.bytes);
}

function definesTools(source: string): boolean {
  return /^TOOL_SPECS\b/m.test(source);
}

function isOfTests(path: string): boolean {
  return /(?:^|\/)tests?\//.test(path) || isSupportFile(path.split('/').at(-1) ?? '', () => '');
}

function misnamedHint(paths: readonly string[]): Problem {
  return folderWarning('no-tool-files', {
    message: `Files whose names do not end in “.py” are not loaded, but these define TOOL_SPECS: ${firstNames(paths)}.`,
    expected: 'names that end in “.py”, in lower case',
    hint: 'Rename the files.',
  });
}

function subfolderHint(paths: readonly string[]): Problem {
  return folderWarning('tools-below', {
    message: `Subfolders are not searched for tools, but these files define TOOL_SPECS: ${firstNames(paths)}.`,
    expected: 'tool files directly in the folder',
    hint: 'Open the subfolder, or move the files up.',
    subfolders: subfoldersOf(paths),
  });
}

function frameworkHint(paths: readonly string[], hasToolFiles: boolean): Problem {
  return {
    ...folderWarning('tools-below', {
      message: `Subfolders are not searched for tools, but these files seem to define tools: ${firstNames(paths)}.`,
      expected: 'tool files directly in the folder, or files that these import',
      hint: 'Open the subfolder, or import these tools in a file directly in the folder.',
      subfolders: subfoldersOf(paths),
    }),
    severity: hasToolFiles ? 'note' : 'warning',
  };
}

function subfoldersOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => parentFolders(path).at(-1) ?? ''))];
}

function supportFilesHint(support: readonly FolderFile[]): Problem {
  return {
    ...folderWarning('no-tools', {
      message: `${firstNames(support.map(({ path }) => path))}: not loaded as ${support.length === 1 ? 'a tool file' : 'tool files'}. Files with such names belong to tests, packaging or another program, and these define no tools.`,
      expected: '',
      hint: 'No action is needed. Tool files can import them.',
    }),
    severity: 'note',
  };
}

function emptyFolderHint(): Problem {
  return folderWarning('no-tool-files', {
    message: 'The folder has no tool files.',
    expected:
      'at least one .py file directly in the folder whose name does not start with “_” or “.”',
    hint: 'Open the folder that contains the tool files. Browsers leave out symbolic links: put the files themselves there.',
  });
}

function unusedFileHint({ file, reason }: Inspection): Problem {
  return {
    severity: 'warning',
    code: 'no-specs',
    file,
    line: reason ? reason.line : 1,
    column: null,
    message: reason
      ? `“${showPath(file)}” has no tools: ${reason.message}.`
      : `“${showPath(file)}” defines no TOOL_SPECS, and no other file imports it.`,
    expected: 'tools at the top level of a tool file',
    hint:
      reason?.hint ?? 'Add TOOL_SPECS. If the file is not a tool file, start its name with “_”.',
  };
}

/** The first names in quotes, and the number of the others. */
function firstNames(paths: readonly string[]): string {
  const names = paths.slice(0, 3).map((path) => `“${showPath(path)}”`);
  const others = paths.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** A warning about the folder as a whole, which names no file. */
function folderWarning(
  code: string,
  words: Pick<Problem, 'message' | 'expected' | 'hint' | 'subfolders'>,
): Problem {
  return { severity: 'warning', code, file: '', line: null, column: null, ...words };
}
