/** Changes what the spec of a tool tells models, in the tool's file. */

import { applyFix } from '../../../runtime/scan/fixes/fix.ts';
import { specChange, type SpecChange } from '../../../runtime/scan/fixes/spec-change.ts';
import { SpecSource } from '../../../runtime/scan/fixes/spec-source.ts';
import type { Tool } from '../../../runtime/spec/tool.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import { writeEdit } from './write-edit.ts';

/** Longer files are not parsed on the page's thread. */
const maxChars = 200_000;

export type ChangedTool = Pick<Tool, 'name' | 'source'>;

/** The saved text of the tool's file before and after; null if it is not certain what to write. */
export function changeFile(
  ui: Ui,
  tool: ChangedTool,
  change: SpecChange,
): { readonly before: string; readonly after: string } | null {
  const text = ui.framed ? undefined : ui.app.folder.source(tool.source.file);
  return text === undefined ? null : changedText(text, tool, change);
}

/** Writes the change into the file, into a copy of the folder if it is read-only. The change can be undone. */
export async function writeChange(ui: Ui, tool: ChangedTool, change: SpecChange): Promise<void> {
  const { file: path, line } = tool.source;
  const why = await ui.late.files.open(path);
  const file = why === null ? ui.late.files.file(path) : undefined;
  const changed = file === undefined ? null : changedText(file.text, tool, change);
  if (file === undefined || changed === null) {
    ui.late.notices.show(why ?? `${path} has changed, so the change no longer applies.`);
    return;
  }
  const label = `${Object.keys(change).join(' and ')} of ${tool.name}`;
  await writeEdit(ui, file, { label, text: changed.after, line, copies: true });
}

function changedText(
  text: string,
  { name }: ChangedTool,
  change: SpecChange,
): { before: string; after: string } | null {
  if (text.length > maxChars) return null;
  const before = text.replaceAll('\r\n', '\n');
  const fix = specChange(new SpecSource(before), name, change);
  return fix === null ? null : { before, after: applyFix(before, fix) };
}
