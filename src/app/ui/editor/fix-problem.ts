/** Finds and applies fixes from a list of problems. */

import { applyFix, findMissingPackage, type Fix } from '../../../runtime/scan/fixes/fix.ts';
import { fixFor, mayHaveFix } from '../../../runtime/scan/fixes/fix-for.ts';
import { SpecSource } from '../../../runtime/scan/fixes/spec-source.ts';
import type { Problem } from '../../../runtime/spec/folder.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import { lineBreakOf } from './text-bytes.ts';
import { writeEdit } from './write-edit.ts';

/** Longest file that gets fixes outside the editor, because it is parsed on the page's thread. */
const maxChars = 200_000;

/** The last parsed file, because a list of problems asks for the same file repeatedly. */
let parsed: SpecSource | null = null;

/** The label of the fix for a problem of the saved file; null if there is none. */
export function fixLabel(ui: Ui, problem: Problem): string | null {
  const text = mayHaveFix(problem) && !ui.framed ? ui.app.folder.source(problem.file) : undefined;
  return (text === undefined ? null : fixOf(text, problem)?.fix.label) ?? null;
}

/**
 * Applies the fix, and saves it if the file had no unsaved changes and its folder can be written; otherwise the fixed text
 * is in the editor. A message says which.
 */
export async function applyFixOf(ui: Ui, problem: Problem): Promise<void> {
  const { file: path, line } = problem;
  const why = await ui.late.files.open(path);
  const file = why === null ? ui.late.files.file(path) : undefined;
  const scanned = ui.app.folder.source(path) ?? '';
  // The problem has the line of the saved file, where unsaved text may have another spec.
  const isThere = file !== undefined && linesUntil(file.text, line) === linesUntil(scanned, line);
  const found = isThere ? fixOf(file.text, problem) : null;
  if (file === undefined || found === null) {
    const words =
      file?.isUnsaved === true
        ? 'has unsaved changes, so the fix does not apply to it. Save it first.'
        : 'has changed, so the fix no longer applies.';
    ui.late.notices.show(why ?? `${path} ${words}`);
    return;
  }
  await writeEdit(ui, file, {
    label: found.fix.label,
    text: applyFix(found.plain, found.fix),
    line,
    // The user is then asked whether the package may be downloaded.
    copies: findMissingPackage(problem) !== null,
  });
}

function linesUntil(text: string, line: number | null): string {
  return text.split(/\r?\n/, line ?? 0).join('\n');
}

function fixOf(text: string, problem: Problem): { plain: string; fix: Fix } | null {
  if (text.length > maxChars) return null;
  const plain = lineBreakOf(text) === '\n' ? text : text.replaceAll('\r\n', '\n');
  if (parsed?.text !== plain) parsed = new SpecSource(plain);
  const fix = fixFor(parsed, problem);
  return fix === null ? null : { plain, fix };
}
