/** Saves the file of an evaluation, in its folder or a copy of it, and shows it there. */

import { isStillOpen, openFolderKey } from '../editor/folder-key.ts';
import type { EditedFile } from '../editor/edited-file.svelte.ts';
import type { Ui } from '../shell/ui.svelte.ts';

/**
 * Saves what the user has entered.
 *
 * @param settled resolves when the file has the text of all fields
 * @returns whether the file is saved, and its folder still open: a run would use the tools of the open folder
 */
export async function saveEvaluation(
  ui: Ui,
  file: EditedFile,
  settled: Promise<void>,
): Promise<boolean> {
  let folder: string | undefined = openFolderKey(ui);
  await settled;
  if (file.isUnsaved && file.savesTo === 'folder') await file.save();
  else if (file.isUnsaved && (await copyEvaluation(ui, file))) folder = file.folderId;
  return file.trouble === null && !file.isUnsaved && isStillOpen(ui, folder);
}

/** Saves the file to a copy of its folder, and shows it unless another folder was opened. @returns whether it was saved */
export async function copyEvaluation(ui: Ui, file: EditedFile): Promise<boolean> {
  if (!(await file.saveToCopy())) return false;
  if (!isStillOpen(ui, file.folderId)) return true;
  // Opening a folder leads to its start page, so the address is set again.
  ui.route.go(ui.route.to({ at: 'eval', id: file.path }));
  ui.announcer.say('A copy of the folder with your changes is open');
  return true;
}
