/** Adds a file with a text that the page has made, and shows it. */

import type { SaveOutcome } from '../../../runtime/open-folder/folder-editing.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import type { Place } from '../shell/address.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import type { AddedFile } from './folder-dialogs.svelte.ts';
import { isStillOpen, openFolderKey } from './folder-key.ts';
import { bytesOf } from './text-bytes.ts';

/**
 * Where the folder cannot be written, or none is open, a dialog offers a copy or a new folder. The name gets a number if
 * it is taken.
 *
 * @throws {ToolError} if the file cannot be written
 */
export async function addFile(
  ui: Ui,
  name: string,
  ending: string,
  text: string,
  placeOf: (path: string) => Place,
): Promise<void> {
  const files = ui.app.folder.current?.snapshot.files ?? [];
  const taken = new Set(files.map(({ path }) => path.toLowerCase()));
  let path = `${name}${ending}`;
  for (let n = 2; taken.has(path.toLowerCase()); n += 1) path = `${name}-${n}${ending}`;
  const place = placeOf(path);
  const showDialog = (saves: AddedFile['saves']): void =>
    ui.dialogs.show({ at: 'add-file', path, text, place, saves });
  if (ui.app.folder.current === null) {
    showDialog('new-folder');
    return;
  }
  const folder = openFolderKey(ui);
  const control = await ui.late.files.control();
  const outcome =
    control.savesTo === 'copy'
      ? 'refused'
      : (await control.save(path, bytesOf(text), { replaces: null })).at;
  if (!isStillOpen(ui, folder)) showElsewhere(ui, path, outcome);
  else if (outcome === 'refused') showDialog('copy');
  else if (outcome === 'saved') show(ui, path, place);
  else throw new ToolError('bad-input', `“${path}” already exists`, 'Refresh the folder.');
}

/** Writes the file into a copy of the open folder, or into a new folder, and opens that. */
export async function addFileElsewhere(ui: Ui, file: AddedFile): Promise<void> {
  const { path, text, place, saves } = file;
  if (saves === 'new-folder') await ui.createFolder('new-folder', { [path]: text }, place);
  else {
    const control = await ui.late.files.control();
    const copy = await control.saveToCopy(path, bytesOf(text));
    if (!isStillOpen(ui, copy)) {
      showElsewhere(ui, path, 'saved');
      return;
    }
  }
  // Opening a folder leads to the start page.
  show(ui, path, place);
}

/** Says what became of a file whose folder is no longer open. */
function showElsewhere(ui: Ui, path: string, outcome: SaveOutcome['at']): void {
  const was = outcome === 'saved' ? 'was created' : 'was not created';
  const how = outcome === 'saved' ? 'but' : 'and';
  ui.late.notices.show(`${path} ${was}, ${how} another folder was opened in the meantime.`);
}

function show(ui: Ui, path: string, place: Place): void {
  ui.route.go(ui.route.to(place));
  ui.announcer.say(`${path} was created`);
}
