/** Adds the arguments of a run to the examples of a tool's spec, in its file. */

import { applyFix, type Fix } from '../../../runtime/scan/fixes/fix.ts';
import { exampleFix } from '../../../runtime/scan/fixes/fix-for.ts';
import { SpecSource } from '../../../runtime/scan/fixes/spec-source.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import type { RegisteredTool } from '../../../runtime/spec/tool.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import { pythonLiteral } from '../../../runtime/spec/python-literal.ts';
import { isStillOpen, openFolderKey } from './folder-key.ts';
import { lineBreakOf } from './text-bytes.ts';

/** Larger files are not parsed on the page's thread. */
const maxChars = 200_000;

/** Returns whether the folder can be written, and it is certain where the example belongs. */
export function canAddExample(ui: Ui, tool: RegisteredTool, args: JsonText): boolean {
  if (ui.framed || ui.app.folder.current?.source.handle === undefined) return false;
  const text = ui.app.folder.source(tool.source.file);
  return text !== undefined && fixOf(text, tool, args) !== null;
}

/**
 * Adds the example and saves the file. Where the file has unsaved changes or cannot be saved, the example waits in the
 * editor.
 */
export async function addExample(ui: Ui, tool: RegisteredTool, args: JsonText): Promise<void> {
  const { file: path } = tool.source;
  const why = await ui.late.files.open(path);
  const file = why === null ? ui.late.files.file(path) : undefined;
  const fix = file === undefined ? null : fixOf(file.text, tool, args);
  if (file === undefined || fix === null) {
    ui.announcer.say(`The example was not added. ${why ?? `${path} has changed.`}`);
    return;
  }
  const folder = openFolderKey(ui);
  const hadChanges = file.isUnsaved;
  const fixed = applyFix(withPlainLineEnds(file.text), fix);
  file.replace(lineBreakOf(file.text) === '\n' ? fixed : fixed.replaceAll('\n', '\r\n'));
  if (!hadChanges) await file.save();
  if (!file.isUnsaved || !isStillOpen(ui, folder)) return;
  ui.route.go(ui.route.toFile(path, tool.source.line));
  ui.announcer.say('The example is in the editor, not saved yet');
}

function fixOf(text: string, tool: RegisteredTool, args: JsonText): Fix | null {
  if (text.length > maxChars || args.length > maxChars) return null;
  return exampleFix(new SpecSource(withPlainLineEnds(text)), tool.name, pythonLiteral(args));
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
