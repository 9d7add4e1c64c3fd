/** Saves an edit that was not made in the editor, such as a fix. */

import type { Ui } from '../shell/ui.svelte.ts';
import type { EditedFile } from './edited-file.svelte.ts';
import { isStillOpen, openFolderKey } from './folder-key.ts';
import { lineBreakOf } from './text-bytes.ts';

export interface Edit {
  /** Name of the edit, for the message. */
  readonly label: string;
  /** The whole text of the file, with plain line breaks. */
  readonly text: string;
  readonly line: number | null;
  /** Whether a copy of the folder is made if it cannot be written. */
  readonly copies: boolean;
}

/**
 * Saves the edit if the file had no unsaved changes and its folder can be written; otherwise the text is in the editor.
 * A message says which, and offers to undo it. Call it while a key or a click is handled.
 */
export async function writeEdit(ui: Ui, file: EditedFile, edit: Edit): Promise<void> {
  const { path, text: before } = file;
  const { notices } = ui.late;
  const { place } = ui.route;
  const folder = openFolderKey(ui);
  const hadChanges = file.isUnsaved;
  const isCopied = file.savesTo === 'copy';
  file.replace(lineBreakOf(before) === '\n' ? edit.text : edit.text.replaceAll('\n', '\r\n'));
  const isWritten = !hadChanges && (await isSaved(file, edit));
  if (!isStillOpen(ui, isWritten && isCopied ? file.folderId : folder)) {
    const what = isWritten ? `saved in ${path}, but` : 'not saved, because';
    notices.show(`${edit.label}: ${what} another folder was opened in the meantime.`);
    return;
  }
  if (isWritten) {
    // Opening a copy leads to the start page.
    if (isCopied) ui.route.go(ui.route.to(place));
    notices.show(`${edit.label}: saved in ${path}.`, {
      words: 'Undo',
      choose: () => void undo(ui, file, before),
    });
    return;
  }
  const isShown = (place.at === 'file' && place.path === path) || ui.toolHere?.source.file === path;
  if (!isShown) ui.route.go(ui.route.toFile(path, edit.line));
  notices.show(`${edit.label}: changed in the editor, not saved yet.`);
}

async function undo({ late }: Ui, file: EditedFile, before: string): Promise<void> {
  file.replace(before);
  await file.save();
  const { trouble } = file;
  if (trouble === null) return;
  // The editor, which shows the trouble, may not be open.
  const why = {
    differs: `${file.path} has changed outside Cloche`,
    refused: `${file.path} may not be written`,
    failed: trouble.at === 'failed' ? trouble.message.replace(/\.$/, '') : '',
  };
  late.notices.show(`Not undone: ${why[trouble.at]}.`);
}

async function isSaved(file: EditedFile, { copies }: Edit): Promise<boolean> {
  if (file.savesTo === 'copy') return copies && (await file.saveToCopy());
  await file.save();
  return file.trouble === null;
}
